import { expect, test } from 'vitest';
import { createRandom } from './random.ts';

test('returns the same numbers for the same seed, and others for another', () => {
  const draw = (seed: string) => {
    const random = createRandom(seed);
    return Array.from({ length: 5 }, () => random.integer(0, 1_000_000));
  };
  expect(draw('demo')).toEqual(draw('demo'));
  expect(draw('demo')).not.toEqual(draw('demo2'));
});

test('distributes evenly: each tenth gets about a tenth', () => {
  const drawn = createRandom('tenths');
  const tenths = new Array<number>(10).fill(0);
  for (let i = 0; i < 20_000; i++) {
    const at = Math.floor(drawn.next() * 10);
    tenths[at] = (tenths[at] as number) + 1;
  }
  for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200);
});

test('samples without repetition, in the order of the list', () => {
  const random = createRandom('sample');
  for (let count = 0; count <= 6; count++) {
    const chosen = random.sample([1, 2, 3, 4, 5], count);
    expect(chosen).toHaveLength(Math.min(count, 5));
    expect(chosen).toEqual([...new Set(chosen)].sort());
  }
});

test('writes version-4 GUIDs', () => {
  expect(createRandom('guid').guid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
