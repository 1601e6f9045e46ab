import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { waitUntil } from './wait-until.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

function setUp() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const abort = new AbortController();
  const waiting = waitUntil(promise, { deadlineMs: 1_000, signal: abort.signal }, Date.now);
  return { waiting, resolve, reject, abort };
}

describe('waitUntil', () => {
  test.each([
    ['the result', ({ resolve }: ReturnType<typeof setUp>) => resolve('it'), 'it'],
    ['its error', ({ reject }: ReturnType<typeof setUp>) => reject(new Error('fault')), 'fault'],
    ['the deadline', () => void vi.advanceTimersByTime(1_000), 'upstream_timeout'],
    ['the caller', ({ abort }: ReturnType<typeof setUp>) => abort.abort(), 'abandoned'],
  ])('ends with %s, without timers or listeners left', async (_case, act, expected) => {
    const given = setUp();
    act(given);
    const outcome = await given.waiting.catch(
      (error: Error & { code?: string; reason?: string }) =>
        (error.reason === 'abandoned' ? error.reason : error.code) ?? error.message,
    );
    expect(outcome).toBe(expected);
    expect([vi.getTimerCount(), getEventListeners(given.abort.signal, 'abort')]).toEqual([0, []]);
  });

  test('does not wait for a disconnected caller', async () => {
    const never = new Promise<string>(() => {});
    const patience = { deadlineMs: 1_000, signal: AbortSignal.abort() };
    await expect(waitUntil(never, patience, Date.now)).rejects.toMatchObject({ reason: 'abandoned' });
    expect(vi.getTimerCount()).toBe(0);
  });
});
