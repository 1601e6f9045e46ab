import { performance } from 'node:perf_hooks';

/** Milliseconds, of which only differences matter. */
export interface ProcessorUse {
  readonly atMs: number;
  /** How long the process had something to do. */
  readonly wantedMs: number;
  /** How long it ran. */
  readonly gotMs: number;
}

const periodMs = 250;
const lackedShareMax = 0.1;

/**
 * Makes the question whether a process lacked the processor lately when it had something to do: then whoever it waits
 * for on the same machine lacks it too, and being late means nothing. Lately is since it was asked 250 ms ago or more:
 * ask often.
 */
export function createStarvationGauge(measure: () => ProcessorUse): () => boolean {
  let older = measure();
  let newer = older;
  return () => {
    const now = measure();
    const lackedMs = now.wantedMs - older.wantedMs - (now.gotMs - older.gotMs);
    const isStarved = lackedMs > lackedShareMax * (now.atMs - older.atMs);
    if (now.atMs - newer.atMs >= periodMs) {
      older = newer;
      newer = now;
    }
    return isStarved;
  };
}

/** Whether this process lacks the processor. */
export const isStarved = createStarvationGauge(() => {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return {
    atMs: performance.now(),
    wantedMs: performance.eventLoopUtilization().active,
    gotMs: (user + system) / 1_000,
  };
});
