import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeadlineQueue, type Due } from './deadline-queue.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function start() {
  const expired: string[] = [];
  const queue = new DeadlineQueue(() => performance.now());
  const add = (name: string, inMs: number) => {
    const due: Due = {
      dueMs: performance.now() + inMs,
      before: undefined,
      after: undefined,
      expire() {
        expired.push(name);
        queue.remove(due);
      },
    };
    queue.add(due);
    return due;
  };
  return { expired, queue, add, advance: (ms: number) => vi.advanceTimersByTime(ms) };
}

describe('a queue of deadlines', () => {
  it('expires each at its deadline, in any order of insertion', () => {
    const { expired, add, advance } = start();
    for (const [name, inMs] of [
      ['b', 20],
      ['c', 30],
      ['a', 10],
      ['b too', 20],
    ] as const)
      add(name, inMs);
    advance(9);
    expect(expired).toEqual([]);
    advance(1);
    expect(expired).toEqual(['a']);
    advance(10);
    expect(expired).toEqual(['a', 'b', 'b too']);
    add('d', 5);
    advance(10);
    expect(expired).toEqual(['a', 'b', 'b too', 'd', 'c']);
  });

  it('does not expire removed work, from any position', () => {
    const { expired, queue, add, advance } = start();
    const [first, , middle, , last] = ['1', '2', '3', '4', '5'].map((name) => add(name, 10));
    for (const due of [middle, last, first]) queue.remove(due as Due);
    add('6', 10);
    advance(20);
    expect(expired).toEqual(['2', '4', '6']);
  });

  it('has one timer at most, and none without new work', () => {
    const { expired, queue, add, advance } = start();
    for (let i = 0; i < 1_000; i++) queue.remove(add('over', 10 + (i % 3)));
    expect(vi.getTimerCount()).toBe(1);
    advance(20);
    expect([vi.getTimerCount(), expired]).toEqual([0, []]);
  });

  it('accepts new work while it expires', () => {
    const { expired, queue, add, advance } = start();
    const due = add('first', 10);
    due.expire = () => {
      queue.remove(due);
      add('second', 0);
    };
    advance(11);
    expect(expired).toEqual(['second']);
  });
});
