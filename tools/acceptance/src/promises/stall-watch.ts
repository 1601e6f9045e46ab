import { readFileSync } from 'node:fs';
import type { AtEnd } from '../at-end.ts';

/** Sees how long processes would have run and the machine let others run: what is late because of that tells nothing of them. */
export interface StallWatch {
  /** Milliseconds of it so far, of all of them. */
  stalledMs(): number;
  /** Whether they lacked the processor at some time since then: for more than a tenth of a quarter of a second. */
  isStarvedSince(ms: number): boolean;
}

const periodMs = 250;
const lackedShareMax = 0.1;
const sampleEveryMs = 25;
const keptMs = 5_000;

/** @param pids where the system tells nothing of them, they seem never to wait */
export function watchStalls(pids: readonly number[], atEnd: AtEnd): StallWatch {
  const samples: { readonly atMs: number; readonly stalledMs: number }[] = [];
  const stalledMs = () => pids.reduce((sum, pid) => sum + waitedMs(pid), 0);
  const sample = () => {
    const atMs = performance.now();
    samples.push({ atMs, stalledMs: stalledMs() });
    while ((samples[0]?.atMs ?? atMs) < atMs - keptMs) samples.shift();
  };
  sample();
  const timer = setInterval(sample, sampleEveryMs);
  atEnd(async () => clearInterval(timer));
  return {
    stalledMs,
    isStarvedSince(ms) {
      sample();
      let from = 0;
      return samples.some(({ atMs, stalledMs }) => {
        while ((samples[from + 1]?.atMs ?? atMs) <= atMs - periodMs) from++;
        const before = samples[from] ?? { stalledMs };
        return atMs >= ms && stalledMs - before.stalledMs > lackedShareMax * periodMs;
      });
    },
  };
}

/** By the scheduler of Linux, of the main thread. */
function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
