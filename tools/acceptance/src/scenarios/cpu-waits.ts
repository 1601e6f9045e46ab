import { waitedMs } from '../promises/stall-watch.ts';

/** How long processes waited for the CPU. */
export interface CpuWaits {
  /** Stops sampling; returns the longest wait of one process in all, and in any second. */
  stop(): { readonly inAllMs: number; readonly inOneSecondMs: number };
}

const everyMs = 100;

/** Samples the waits of processes, which may change meanwhile. */
export function watchCpuWaits(processes: () => readonly number[]): CpuWaits {
  const series = new Map<number, number[]>();
  const timer = setInterval(() => {
    for (const pid of processes()) {
      const samples = series.get(pid) ?? [];
      series.set(pid, samples);
      samples.push(waitedMs(pid));
    }
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      let [inAllMs, inOneSecondMs] = [0, 0];
      for (const all of series.values()) {
        // A process that has ended has waited for 0 ms.
        const samples = all.filter((ms) => ms > 0);
        for (const [n, ms] of samples.entries()) {
          inAllMs = Math.max(inAllMs, ms - (samples[0] as number));
          inOneSecondMs = Math.max(inOneSecondMs, ms - (samples[Math.max(0, n - 1_000 / everyMs)] as number));
        }
      }
      return { inAllMs, inOneSecondMs };
    },
  };
}
