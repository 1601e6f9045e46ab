import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PauseTolerantTimer } from './clock.ts';

describe('PauseTolerantTimer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const start = () => {
    const firedMs: number[] = [];
    const timer = new PauseTolerantTimer({ clock: () => Date.now() }, () => firedMs.push(Date.now()));
    timer.set(40);
    return { timer, firedMs };
  };

  it('fires once, at its deadline', async () => {
    const { firedMs } = start();
    await vi.advanceTimersByTimeAsync(39);
    expect(firedMs).toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    expect(firedMs).toEqual([soonAfter(40)]);
  });

  it('never fires once it is cleared, in the turns after the deadline either', async () => {
    const { timer, firedMs } = start();
    vi.advanceTimersToNextTimer();
    timer.clear();
    await vi.advanceTimersByTimeAsync(500);
    expect(firedMs).toEqual([]);
  });

  it('lets the network be read before it fires', async () => {
    const { timer, firedMs } = start();
    vi.advanceTimersToNextTimer();
    for (let turn = 0; turn < 2; turn++) vi.advanceTimersToNextTimer();
    expect(firedMs).toEqual([]);
    timer.clear();
  });

  it('starts again when the process paused beyond the deadline', async () => {
    const { firedMs } = start();
    vi.setSystemTime(1_000);
    await vi.advanceTimersByTimeAsync(79);
    expect(firedMs).toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    expect(firedMs).toEqual([soonAfter(1_080)]);
  });

  it('starts again only once', async () => {
    const { firedMs } = start();
    for (let pause = 0; pause < 2; pause++) {
      vi.setSystemTime(Date.now() + 1_000);
      vi.advanceTimersToNextTimer();
    }
    await vi.advanceTimersByTimeAsync(5);
    expect(firedMs).toHaveLength(1);
  });
});

/** A turn of the event loop takes up to a millisecond by the clock of these tests. */
function soonAfter(ms: number) {
  return expect.toSatisfy((found: number) => found >= ms && found < ms + 20, `soon after ${ms}`);
}
