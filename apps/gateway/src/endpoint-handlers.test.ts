import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withinTime } from './endpoint-handlers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const context = () => ({ abandon: vi.fn() });

it('gives what comes in time, and tells nobody to stop', async () => {
  const waiting = context();
  expect(await withinTime(Promise.resolve(1), 100, waiting)).toBe(1);
  await expect(withinTime(Promise.reject(new Error('Its own.')), 100, waiting)).rejects.toThrow('Its own.');
  vi.advanceTimersByTime(1_000);
  expect([waiting.abandon.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
});

it('refuses with 503 when the time is over, and tells the service that nobody waits', async () => {
  const waiting = context();
  const answer = withinTime(new Promise(() => {}), 100, waiting);
  vi.advanceTimersByTime(100);
  await expect(answer).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  expect(waiting.abandon).toHaveBeenCalledOnce();
});
