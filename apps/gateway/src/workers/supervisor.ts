import { type Calls, NoReplyError } from './calls.ts';

/** A worker process, as the primary sees it. */
export interface WorkerProcess {
  readonly id: number;
  readonly pid: number | undefined;
  readonly calls: Calls;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  kill(): void;
}

export interface SupervisorOptions<W extends WorkerProcess> {
  readonly count: number;
  /** Starts a process. Call `heard` for every message from it. */
  readonly start: (heard: () => void) => W;
  /** Resolves when the worker serves; rejects with the reason when it cannot. */
  readonly bringUp: (worker: W) => Promise<void>;
  readonly onChange?: (event: WorkerEvent) => void;
  readonly clock: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

export type WorkerEvent =
  | { readonly kind: 'up'; readonly worker: WorkerProcess }
  | {
      readonly kind: 'ended';
      readonly worker: WorkerProcess;
      readonly exitCode: number | null;
      readonly signal: string | null;
      /** Why the worker could not serve, or was killed. */
      readonly reason?: string | undefined;
      /** Whether it ended before it served. */
      readonly isYoung: boolean;
    };

export interface Supervisor<W extends WorkerProcess> {
  /**
   * Starts all workers. Resolves when all serve, or one does and 10 seconds have passed. Rejects when a worker reports
   * that it cannot serve before any does.
   */
  start(): Promise<void>;
  /** Returns the workers that have not ended. */
  readonly alive: () => readonly W[];
  /** Returns the workers that serve now. */
  readonly up: () => readonly W[];
  /** Kills workers that have been silent for too many ticks. Call it every `tickMs`. */
  tick(): void;
  /** Kills a worker for this reason, and starts another one. */
  replace(worker: W, reason: string): void;
  /**
   * Starts no more workers and sends each a message to stop. Kills workers that do not serve yet at once, and the
   * others after `drainMs`.
   */
  stop(drainMs: number): Promise<void>;
}

/** How often a supervisor checks its workers. */
export const tickMs = 250;
/** Ticks after which a silent worker is killed. Time in which this process did not run does not count. */
const silentTicksMax = 2_000 / tickMs;
/** The same for a worker that starts, which is silent while it loads code and configuration. */
const startTicksMax = 30_000 / tickMs;
/** A worker that served for longer than this did not fail at its start. */
const shortLifeMs = 5_000;

/** How long a start waits for the other workers once one serves. */
const othersMs = 10_000;

/** The state of a worker that has not ended. */
interface Watched {
  isUp: boolean;
  silentTicks: number;
  reason?: string;
}

/**
 * Returns a supervisor that keeps `count` workers serving. It replaces each worker that ends, with growing delays while
 * they end before they serve, and kills workers that are silent.
 */
export function createSupervisor<W extends WorkerProcess>(options: SupervisorOptions<W>): Supervisor<W> {
  const { count, start, bringUp, onChange, clock, wait } = options;
  const alive = new Map<W, Watched>();
  const all = Promise.withResolvers<void>();
  let isStopping = false;

  /** Runs one worker, and replaces it whenever it ends, until all stop. */
  async function runSlot(): Promise<void> {
    for (let failures = 0; !isStopping; ) {
      const startedMs = clock();
      const watched: Watched = { isUp: false, silentTicks: 0 };
      const worker = start(() => {
        watched.silentTicks = 0;
      });
      alive.set(worker, watched);
      bringUp(worker).then(
        () => {
          if (!alive.has(worker) || isStopping) return;
          watched.isUp = true;
          watched.silentTicks = 0;
          onChange?.({ kind: 'up', worker });
          if (up().length === count) all.resolve();
          void wait(othersMs).then(all.resolve);
        },
        (error: Error) => {
          const hasReply = !(error instanceof NoReplyError);
          if (hasReply || !error.isGone) replace(worker, error.message);
          if (hasReply && up().length === 0) all.reject(error);
        },
      );
      const { exitCode, signal } = await worker.ended;
      alive.delete(worker);
      const { isUp, reason } = watched;
      failures = isUp && clock() - startedMs >= shortLifeMs ? 0 : failures + 1;
      if (isStopping) return;
      onChange?.({ kind: 'ended', worker, exitCode, signal, reason, isYoung: !isUp });
      // A worker that served probably did not fail at its start, so it is replaced soon.
      if (failures > 1) await wait(isUp ? Math.min(400, 50 * failures) : Math.min(5_000, 100 * 2 ** (failures - 1)));
    }
  }

  function replace(worker: W, reason: string): void {
    const watched = alive.get(worker);
    if (watched === undefined) return;
    watched.reason ??= reason;
    worker.kill();
  }

  const up = () => [...alive].filter(([, { isUp, reason }]) => isUp && reason === undefined).map(([one]) => one);

  return {
    async start() {
      all.promise.catch(() => {});
      for (let i = 0; i < count; i++) void runSlot();
      await all.promise;
    },
    alive: () => [...alive.keys()],
    up,
    tick() {
      for (const [worker, watched] of alive) {
        if (++watched.silentTicks <= (watched.isUp ? silentTicksMax : startTicksMax)) continue;
        replace(worker, watched.isUp ? 'It sent no message for 2 s.' : 'It sent no message for 30 s while it started.');
      }
    },
    replace,
    async stop(drainMs) {
      isStopping = true;
      const stopped = [...alive];
      for (const [worker, { isUp }] of stopped) {
        if (isUp) worker.calls.notify('stop');
        else worker.kill();
      }
      const ended = Promise.all(stopped.map(([worker]) => worker.ended));
      await Promise.race([ended, wait(drainMs)]);
      for (const worker of alive.keys()) worker.kill();
      await ended;
    },
  };
}
