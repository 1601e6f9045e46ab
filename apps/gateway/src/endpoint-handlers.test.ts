import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withinTime } from './endpoint-handlers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const context = () => ({ abandon: vi.fn() });

it('returns a result in time, without aborting', async () => {
  const waiting = context();
  expect(await withinTime(Promise.resolve(1), 100, waiting)).toBe(1);
  await expect(withinTime(Promise.reject(new Error('Its own.')), 100, waiting)).rejects.toThrow('Its own.');
  vi.advanceTimersByTime(1_000);
  expect([waiting.abandon.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
});

it('limits the time since bytes of the body were last read', async () => {
  const waiting = context();
  const body: { readAtMs?: number } = {};
  const late = expect(withinTime(new Promise(() => {}), 100, waiting, { body: body as never })).rejects.toMatchObject({
    code: 'unavailable',
  });
  for (let chunk = 0; chunk < 3; chunk++) {
    vi.advanceTimersByTime(80);
    body.readAtMs = performance.now();
  }
  vi.advanceTimersByTime(99);
  expect(waiting.abandon).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(waiting.abandon).toHaveBeenCalledOnce();
  await late;
});

it('rejects with 503 after the timeout, and aborts the service', async () => {
  const waiting = context();
  const answer = withinTime(new Promise(() => {}), 100, waiting);
  vi.advanceTimersByTime(100);
  await expect(answer).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  expect(waiting.abandon).toHaveBeenCalledOnce();
});
