/** What this thread has computed, so that neighbours on the machine count little. */
function threadUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** Microseconds of CPU that a run takes in the quietest of `rounds` rounds: what disturbs one only makes it longer. */
export function costUs(run: () => unknown, rounds = 15, roundUs = 40_000): number {
  let best = Number.POSITIVE_INFINITY;
  let batch = 1;
  for (let round = 0; round <= rounds; ) {
    const started = threadUs();
    for (let i = 0; i < batch; i++) run();
    const passedUs = threadUs() - started;
    // The clock costs more than a short run: rounds grow until they are long. The first long one warms up.
    if (passedUs < roundUs / 2) batch *= 2;
    else if (round++ > 0) best = Math.min(best, passedUs / batch);
  }
  return best;
}
