import {
  createSharedHitLog,
  type Hit,
  machineNow,
  type SharedHitLogOptions,
  type Verdict,
} from '../../src/limits/index.ts';

/** The hits of one turn of the event loop. */
export interface Turn {
  readonly number: number;
  readonly hits: readonly Hit[];
}

/** The verdicts of a writer, and the times by the clock of the machine between which it decided. */
export interface Decided {
  readonly number: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly verdicts: readonly Verdict[];
}

/** Counts the hits that the parent process sends. */
process.once('message', (options: Omit<SharedHitLogOptions, 'clock'>) => {
  const log = createSharedHitLog({ ...options, clock: machineNow });
  process.on('message', async ({ number, hits }: Turn) => {
    const fromMs = machineNow();
    const verdicts = await Promise.all(hits.map((hit) => log.hit(hit)));
    process.send?.({ number, fromMs, toMs: machineNow(), verdicts } satisfies Decided);
  });
  process.send?.('ready');
});
