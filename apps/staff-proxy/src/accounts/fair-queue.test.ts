import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

function queueOf(lanes: Readonly<Record<string, readonly string[]>>) {
  const queue = createFairQueue<string>();
  for (const [lane, items] of Object.entries(lanes)) for (const item of items) queue.push(lane, item);
  const drain = () => Array.from({ length: queue.size }, () => queue.shift());
  return { queue, drain };
}

describe('a fair queue', () => {
  test('serves lanes in turn, each in order', () => {
    const { drain } = queueOf({ a: ['a1', 'a2', 'a3', 'a4'], b: ['b1'], c: ['c1', 'c2'] });
    expect(drain()).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4']);
  });

  test('serves a new lane after one item of each waiting lane', () => {
    const { queue, drain } = queueOf({ a: ['a1', 'a2', 'a3'] });
    expect(queue.shift()).toBe('a1');
    queue.push('b', 'b1');
    expect(drain()).toEqual(['a2', 'b1', 'a3']);
    expect(queue.shift()).toBeUndefined();
  });

  test('skips lanes that may not go, and keeps their turn', () => {
    const { queue, drain } = queueOf({ a: ['a1', 'a2'], b: ['b1'], c: ['c1'] });
    expect([queue.shift((lane) => lane === 'b'), queue.shift((lane) => lane === 'b')]).toEqual(['b1', undefined]);
    expect(drain()).toEqual(['a1', 'c1', 'a2']);
  });

  test('removes an item once', () => {
    const { queue, drain } = queueOf({ a: ['a1', 'a2'], b: ['b1'] });
    for (const [lane, item] of [
      ['a', 'a1'],
      ['a', 'a1'],
      ['b', 'b1'],
      ['c', 'c1'],
    ] as const) {
      queue.remove(lane, item);
    }
    expect([queue.size, queue.all()]).toEqual([1, ['a2']]);
    expect(drain()).toEqual(['a2']);
  });

  test('returns the last of the longest lane for a shorter lane', () => {
    const { queue } = queueOf({ a: ['a1'], b: ['b1', 'b2', 'b3'], c: ['c1', 'c2'] });
    expect([queue.longestBut('a'), queue.longestBut('new'), queue.longestBut('c'), queue.longestBut('b')]).toEqual([
      'b3',
      'b3',
      undefined,
      undefined,
    ]);
  });

  test('frees the memory of served items, also in a lane that is never empty', () => {
    setFlagsFromString('--expose-gc');
    const heldBytes = () => {
      runInNewContext('gc')();
      return process.memoryUsage().heapUsed;
    };
    const waiting = Array.from({ length: 400 }, (_, i) => `a${i}`);
    const { queue } = queueOf({ a: waiting });
    for (const item of waiting.slice(0, 300)) queue.remove('a', item);
    const beforeBytes = heldBytes();
    for (let i = 0; i < 2_000_000; i++) {
      queue.push('a', 'next');
      queue.shift();
    }
    expect(heldBytes() - beforeBytes).toBeLessThan(4_000_000);
    expect(queue.size).toBe(100);
  });
});
