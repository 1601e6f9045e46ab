import { describe, expect, it } from 'vitest';
import { runInSlices, runSteps, type Steps } from './steps.ts';

function* countTo(last: number, seen: number[] = []): Steps<number> {
  for (let n = 1; n <= last; n++) {
    seen.push(n);
    yield;
  }
  return seen.length;
}

describe('runSteps', () => {
  it('runs to the end and returns the result', () => {
    expect(runSteps(countTo(3))).toBe(3);
  });
});

describe('runInSlices', () => {
  it('pauses after each slice and only then', async () => {
    let nowMs = 0;
    const seen: number[] = [];
    const seenAtPauses: number[] = [];
    const pause = async () => void seenAtPauses.push(seen.length);
    const result = await runInSlices(countTo(7, seen), { sliceMs: 3, now: () => nowMs++, pause });
    expect(result).toBe(7);
    expect(seenAtPauses).toEqual([3, 6]);
  });

  it('runs timers and sockets during a pause', async () => {
    let turns = 0;
    const other = setInterval(() => turns++, 0);
    let untilTurns = 3;
    function* endless(): Steps<void> {
      while (turns < untilTurns) yield;
      untilTurns = 0;
    }
    await runInSlices(endless(), { sliceMs: 1 });
    clearInterval(other);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it('rejects with the error of the work', async () => {
    function* failing(): Steps<void> {
      yield;
      throw new Error('no such thing');
    }
    await expect(runInSlices(failing())).rejects.toThrow('no such thing');
  });
});
