import { expect, test } from 'vitest';
import { createKeptAnswers, type KeptAnswer, type KeptAnswersOptions } from './stored-replies.ts';

function start(more: Partial<KeptAnswersOptions> = {}) {
  let nowMs = 0;
  let bytes = 0;
  const kept = createKeptAnswers({
    secondsMax: 60,
    bytesMax: 1_000_000,
    clock: () => nowMs,
    onGrown: (grown) => {
      bytes += grown;
    },
    ...more,
  });
  const answer = (length: number, stamp = 0): KeptAnswer => ({
    reply: { status: 200, raw: Buffer.alloc(length), contentType: 'application/json' },
    etag: '"1"',
    isTagProven: true,
    stamp,
    startedMs: nowMs,
  });
  return { kept, answer, pass: (ms: number) => (nowMs += ms), weight: () => bytes };
}

test('gives an answer until it is too old', () => {
  const { kept, answer, pass, weight } = start();
  const first = answer(100);
  kept.set('a', first);
  pass(59_999);
  expect(kept.get('a', 0)).toBe(first);
  pass(1);
  expect(kept.get('a', 0)).toBeUndefined();
  expect(weight()).toBe(0);
});

test('gives no answer of before a write, and no other for it', () => {
  const { kept, answer, weight } = start();
  kept.set('a', answer(100, 1));
  expect(kept.get('b', 1)).toBeUndefined();
  expect(kept.get('a', 2)).toBeUndefined();
  expect(kept.get('a', 1)).toBeUndefined();
  expect(weight()).toBe(0);
});

test('stays within its bytes, and gives up what was asked for longest ago', () => {
  const { kept, answer, weight } = start();
  for (let i = 0; i < 1_000; i++) {
    kept.set(`key ${i}`, answer(10_000));
    kept.get('key 0', 0);
    expect(weight()).toBeLessThanOrEqual(1_000_000);
  }
  expect(kept.get('key 0', 0)).toBeDefined();
  expect(kept.get('key 999', 0)).toBeDefined();
  expect(kept.get('key 500', 0)).toBeUndefined();
  expect(weight()).toBeGreaterThan(900_000);
});

test('keeps no answer that would take more than a quarter of the room', () => {
  const { kept, answer } = start();
  kept.set('a', answer(250_001));
  expect(kept.get('a', 0)).toBeUndefined();
  kept.set('a', answer(250_000));
  expect(kept.get('a', 0)).toBeDefined();
});

test('weighs nothing when it holds nothing, whatever was replaced', () => {
  const { kept, answer, weight } = start();
  kept.set('a', answer(10));
  kept.set('a', answer(1_000));
  kept.set('b', answer(1_000));
  kept.close();
  kept.set('c', answer(1_000));
  expect([weight(), kept.get('a', 0), kept.get('c', 0)]).toEqual([0, undefined, undefined]);
});

test('collects an answer from its parts', () => {
  const { kept } = start();
  const collection = kept.collect();
  for (const text of ['[', '1', ']']) collection.add(Buffer.from(text));
  expect(String(collection.finish())).toBe('[1]');
});

test('what is being collected takes room, but never more than half of it', () => {
  const { kept, answer, weight } = start();
  for (let i = 0; i < 90; i++) kept.set(`key ${i}`, answer(8_000));
  const collections = Array.from({ length: 4 }, () => kept.collect());
  for (let i = 0; i < 20; i++) for (const each of collections) each.add(Buffer.alloc(10_000));
  expect(weight()).toBeLessThanOrEqual(1_000_000 - 400_000);
  expect(weight()).toBeGreaterThan(400_000);
  const finished = collections.map((each) => each.finish()?.length);
  expect(finished.filter((length) => length === 200_000)).toHaveLength(2);
  const again = kept.collect();
  again.add(Buffer.alloc(250_000));
  expect(again.finish()).toBeDefined();
});

test('gives up collecting what is too long to be kept', () => {
  const { kept } = start();
  const collection = kept.collect();
  collection.add(Buffer.alloc(250_001));
  collection.add(Buffer.alloc(1));
  expect(collection.finish()).toBeUndefined();
});
