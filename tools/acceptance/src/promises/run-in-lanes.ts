export interface LanesOptions<T> {
  /** How many go on at a time. */
  readonly lanes: number;
  /** Nothing else goes on meanwhile; these come last. */
  readonly isAlone: (job: T) => boolean;
  /** Never fails. */
  readonly run: (job: T) => Promise<void>;
}

/** Does all jobs, in their order as far as the lanes have room. */
export async function runInLanes<T>(jobs: readonly T[], { lanes, isAlone, run }: LanesOptions<T>): Promise<void> {
  const beside = jobs.filter((job) => !isAlone(job));
  const lane = async () => {
    for (let job = beside.shift(); job !== undefined; job = beside.shift()) await run(job);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  for (const job of jobs.filter(isAlone)) await run(job);
}
