import { expect, test } from 'vitest';
import { createStoredReplies, type StoredRepliesOptions, type StoredReply } from './stored-replies.ts';

function start(more: Partial<StoredRepliesOptions> = {}) {
  let nowMs = 0;
  let bytes = 0;
  const stored = createStoredReplies({
    secondsMax: 60,
    bytesMax: 1_000_000,
    clock: () => nowMs,
    onGrown: (grown) => {
      bytes += grown;
    },
    ...more,
  });
  const entry = (length: number, stamp = 0): StoredReply => ({
    reply: { status: 200, raw: Buffer.alloc(length), contentType: 'application/json' },
    etag: '"1"',
    isTagProven: true,
    stamp,
    startedMs: nowMs,
  });
  return { stored, entry, pass: (ms: number) => (nowMs += ms), storedBytes: () => bytes };
}

test('returns a response until it is too old', () => {
  const { stored, entry, pass, storedBytes } = start();
  const first = entry(100);
  stored.set('a', first);
  pass(59_999);
  expect(stored.get('a', 0)).toBe(first);
  pass(1);
  expect(stored.get('a', 0)).toBeUndefined();
  expect(storedBytes()).toBe(0);
});

test('returns no response from before a write, and none of another key', () => {
  const { stored, entry, storedBytes } = start();
  stored.set('a', entry(100, 1));
  expect(stored.get('b', 1)).toBeUndefined();
  expect(stored.get('a', 2)).toBeUndefined();
  expect(stored.get('a', 1)).toBeUndefined();
  expect(storedBytes()).toBe(0);
});

test('evicts the least recently used response', () => {
  const { stored, entry, storedBytes } = start();
  for (let i = 0; i < 1_000; i++) {
    stored.set(`key ${i}`, entry(10_000));
    stored.get('key 0', 0);
    expect(storedBytes()).toBeLessThanOrEqual(1_000_000);
  }
  expect(stored.get('key 0', 0)).toBeDefined();
  expect(stored.get('key 999', 0)).toBeDefined();
  expect(stored.get('key 500', 0)).toBeUndefined();
  expect(storedBytes()).toBeGreaterThan(900_000);
});

test('stores no response above a quarter of the memory', () => {
  const { stored, entry } = start();
  stored.set('a', entry(250_001));
  expect(stored.get('a', 0)).toBeUndefined();
  stored.set('a', entry(250_000));
  expect(stored.get('a', 0)).toBeDefined();
});

test('reports no memory after replacing and removing responses', () => {
  const { stored, entry, storedBytes } = start();
  stored.set('a', entry(10));
  stored.set('a', entry(1_000));
  stored.set('b', entry(1_000));
  stored.close();
  stored.set('c', entry(1_000));
  expect([storedBytes(), stored.get('a', 0), stored.get('c', 0)]).toEqual([0, undefined, undefined]);
});

test('collects a response from its chunks', () => {
  const { stored } = start();
  const collection = stored.collect();
  for (const text of ['[', '1', ']']) collection.add(Buffer.from(text));
  expect(String(collection.finish())).toBe('[1]');
});

test('evicts for collected responses, up to half of the memory', () => {
  const { stored, entry, storedBytes } = start();
  for (let i = 0; i < 90; i++) stored.set(`key ${i}`, entry(8_000));
  const collections = Array.from({ length: 4 }, () => stored.collect());
  for (let i = 0; i < 20; i++) for (const each of collections) each.add(Buffer.alloc(10_000));
  expect(storedBytes()).toBeLessThanOrEqual(1_000_000 - 400_000);
  expect(storedBytes()).toBeGreaterThan(400_000);
  const finished = collections.map((each) => each.finish()?.length);
  expect(finished.filter((length) => length === 200_000)).toHaveLength(2);
  const again = stored.collect();
  again.add(Buffer.alloc(250_000));
  expect(again.finish()).toBeDefined();
});

test('stops collecting a response that is too long to store', () => {
  const { stored } = start();
  const collection = stored.collect();
  collection.add(Buffer.alloc(250_001));
  collection.add(Buffer.alloc(1));
  expect(collection.finish()).toBeUndefined();
});
