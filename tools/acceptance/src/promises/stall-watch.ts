import { readFileSync } from 'node:fs';
import type { AtEnd } from '../at-end.ts';

/** Sees how long processes would have run and the machine let others run: what is late because of that tells nothing of them. */
export interface StallWatch {
  /** Milliseconds of it so far, of all of them together. */
  stalledMs(): number;
  /**
   * How much later than its deadline something came, by `performance.now()`, without what one of them at most lacked
   * after the deadline: whatever it lacked before has delayed no timer. Negative when it came before.
   * @param atMs no more than a few seconds ago
   */
  lateMs(deadlineMs: number, atMs?: number): number;
  /** Whether one of them lacked the processor at some time since then: for more than a tenth of a quarter of a second. */
  isStarvedSince(ms: number): boolean;
}

const periodMs = 250;
const lackedShareMax = 0.1;
const sampleEveryMs = 25;
const keptMs = 10_000;

interface Sample {
  readonly atMs: number;
  /** Of each process, since it began. */
  readonly waitedMs: readonly number[];
}

/** @param pids where the system tells nothing of them, they seem never to wait */
export function watchStalls(pids: readonly number[], atEnd: AtEnd): StallWatch {
  const samples: Sample[] = [];
  const sample = () => {
    const atMs = performance.now();
    samples.push({ atMs, waitedMs: pids.map(waitedMs) });
    while ((samples[0]?.atMs ?? atMs) < atMs - keptMs) samples.shift();
  };
  sample();
  const timer = setInterval(sample, sampleEveryMs);
  atEnd(async () => clearInterval(timer));
  return {
    stalledMs: () => pids.reduce((sum, pid) => sum + waitedMs(pid), 0),
    lateMs(deadlineMs, atMs = performance.now()) {
      const lateMs = atMs - deadlineMs;
      if (lateMs <= 0) return lateMs;
      sample();
      const [from, to] = [waitedUntil(samples, deadlineMs), waitedUntil(samples, atMs)];
      return lateMs - Math.min(lateMs, mostBetween(from, to));
    },
    isStarvedSince(ms) {
      sample();
      let from = 0;
      return samples.some((one) => {
        while ((samples[from + 1]?.atMs ?? one.atMs) <= one.atMs - periodMs) from++;
        const { waitedMs } = samples[from] ?? one;
        return one.atMs >= ms && mostBetween(waitedMs, one.waitedMs) > lackedShareMax * periodMs;
      });
    },
  };
}

/** What each has waited until then: between two looks as if it had waited evenly. */
function waitedUntil(samples: readonly Sample[], ms: number): readonly number[] {
  const after = samples.findIndex(({ atMs }) => atMs >= ms);
  const next = samples.at(after) as Sample;
  const last = samples[after - 1];
  if (after <= 0 || last === undefined || next.atMs === last.atMs) return next.waitedMs;
  const share = (ms - last.atMs) / (next.atMs - last.atMs);
  return next.waitedMs.map((waited, n) => {
    const before = last.waitedMs[n] as number;
    return before + share * (waited - before);
  });
}

function mostBetween(from: readonly number[], to: readonly number[]): number {
  return Math.max(0, ...to.map((waited, n) => waited - (from[n] as number)));
}

/** How long a process that could run has waited since it began: by the scheduler of Linux, of the main thread. */
export function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
