import { readFileSync } from 'node:fs';
import type { AtEnd } from '../at-end.ts';

/** Measures how long processes wait for the CPU, to exclude that time from their lateness. */
export interface StallWatch {
  /** Returns the waiting time of all processes so far. */
  stalledMs(): number;
  /**
   * Returns how long after its deadline an event came, without the longest CPU wait of one process after the deadline:
   * an earlier wait delays no timer. Negative for an event before the deadline. Times are of `performance.now()`.
   * @param atMs at most a few seconds ago
   */
  lateMs(deadlineMs: number, atMs?: number): number;
  /** Whether a process waited for the CPU for more than a tenth of 250 ms at some time since then. */
  isStarvedSince(ms: number): boolean;
}

const periodMs = 250;
const waitShareMax = 0.1;
const sampleEveryMs = 25;
const sampledMs = 10_000;

interface Sample {
  readonly atMs: number;
  /** The CPU wait of each process since its start. */
  readonly waitedMs: readonly number[];
}

/** Samples the CPU waits of processes. Where the system does not report them, they are 0. */
export function watchStalls(pids: readonly number[], atEnd: AtEnd): StallWatch {
  const samples: Sample[] = [];
  const sample = () => {
    const atMs = performance.now();
    const last = samples.at(-1)?.waitedMs;
    // A process that has ended keeps its last value.
    samples.push({ atMs, waitedMs: pids.map((pid, n) => Math.max(waitedMs(pid), last?.[n] ?? 0)) });
    while ((samples[0]?.atMs ?? atMs) < atMs - sampledMs) samples.shift();
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
        return one.atMs >= ms && mostBetween(waitedMs, one.waitedMs) > waitShareMax * periodMs;
      });
    },
  };
}

/** Returns the CPU wait of each process until then, interpolated between two samples. */
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

/** Returns the CPU wait of the main thread of a process since its start, by the scheduler of Linux. */
export function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
