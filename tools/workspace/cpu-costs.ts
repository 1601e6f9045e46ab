/** Returns the CPU time of this thread, which other programs do not use up. Some machines count it in steps of 4 ms. */
export function cpuMs(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns the least CPU time of up to five runs: a disturbance only adds to the time of a run. */
export function leastCpuMs(run: () => unknown, { msMax }: { msMax: number }): number {
  let leastMs = cpuMs(run);
  for (let runs = 1; leastMs >= msMax && runs < 5; runs++) leastMs = Math.min(leastMs, cpuMs(run));
  return leastMs;
}

/**
 * Returns how many times the CPU time of `peer` `run` takes. Compares sums of runs in turn: both meet the same machine,
 * and a sum is right at any step of its clock. Runs both three times after a first time, which compiles them, and again
 * for seconds while the ratio is not below `ratioMax`. A peer that costs less than three steps counts as three steps.
 */
export function costRatio({ run, peer, ratioMax }: { run: () => void; peer: () => void; ratioMax: number }): number {
  run();
  peer();
  let [runMs, peerMs] = [0, 0];
  const ratio = () => runMs / Math.max(peerMs, 12);
  for (let round = 0; round < 3 || (ratio() >= ratioMax && runMs < 5_000); round++) {
    runMs += cpuMs(run);
    peerMs += cpuMs(peer);
  }
  return ratio();
}
