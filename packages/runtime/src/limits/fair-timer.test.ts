import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairTimer } from './fair-timer.ts';

describe('a fair timer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const start = () => {
    const over: number[] = [];
    const timer = new FairTimer({ clock: () => Date.now() }, () => over.push(Date.now()));
    timer.set(40);
    return { timer, over };
  };

  it('is over in time where nothing is in the way, and once', async () => {
    const { over } = start();
    await vi.advanceTimersByTimeAsync(39);
    expect(over).toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    expect(over).toEqual([after(40)]);
  });

  it('is never over once it is cleared, in the turns after its time too', async () => {
    const { timer, over } = start();
    vi.advanceTimersToNextTimer();
    timer.clear();
    await vi.advanceTimersByTimeAsync(500);
    expect(over).toEqual([]);
  });

  it('lets the network be looked at before it is over', async () => {
    const { timer, over } = start();
    vi.advanceTimersToNextTimer();
    for (let turn = 0; turn < 2; turn++) vi.advanceTimersToNextTimer();
    expect(over).toEqual([]);
    timer.clear();
  });

  it('gives the time once more when it was late itself', async () => {
    const { over } = start();
    vi.setSystemTime(1_000);
    await vi.advanceTimersByTimeAsync(79);
    expect(over).toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    expect(over).toEqual([after(1_080)]);
  });

  it('gives the time no more than once more', async () => {
    const { over } = start();
    for (let pause = 0; pause < 2; pause++) {
      vi.setSystemTime(Date.now() + 1_000);
      vi.advanceTimersToNextTimer();
    }
    await vi.advanceTimersByTimeAsync(5);
    expect(over).toHaveLength(1);
  });
});

/** A turn of the event loop takes up to a millisecond by the clock of these tests. */
function after(ms: number) {
  return expect.toSatisfy((found: number) => found >= ms && found < ms + 20, `soon after ${ms}`);
}
