import { expect, it } from 'vitest';
import { createAtMost } from './at-most.ts';

it('runs no more than its count at once, in order, failures included', async () => {
  const atMost = createAtMost(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const work = (n: number) => async () => {
    begun.push(n);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    if (n === 1) throw new Error('fails');
    return n;
  };
  const outcomes = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => atMost(work(n))));
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  ]);
  expect({ begun, most }).toEqual({ begun: [0, 1, 2, 3, 4], most: 2 });
  expect(await atMost(work(5))).toBe(5);
});
