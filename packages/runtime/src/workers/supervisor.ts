import { type Calls, NoReplyError } from './calls.ts';

/** A process that serves, as the one that started it sees it. */
export interface WorkerProcess {
  readonly id: number;
  readonly pid: number | undefined;
  readonly calls: Calls;
  /** Resolves when it has ended, with how. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  kill(): void;
}

export interface SupervisorOptions {
  readonly count: number;
  /** Starts a process; `heard` is to be called with every message of it. */
  readonly start: (heard: () => void) => WorkerProcess;
  /** Resolves when it serves, rejects with why it cannot. */
  readonly bringUp: (worker: WorkerProcess) => Promise<void>;
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
      /** Why it could not serve, or was killed. */
      readonly reason?: string | undefined;
      /** It ended before it served. */
      readonly isYoung: boolean;
    };

export interface Supervisor {
  /**
   * Starts all of them; resolves when all serve, or one does and the others take long. Rejects when a worker reports
   * why it cannot serve before any does.
   */
  start(): Promise<void>;
  /** Those that serve now. */
  readonly up: () => readonly WorkerProcess[];
  /** To be called every `tickMs`: kills workers that have been silent for too many ticks. */
  tick(): void;
  /** Kills a worker for this reason; another one is started. */
  replace(worker: WorkerProcess, reason: string): void;
  /** Starts none any more and tells each to stop; kills at once those that do not serve yet, and the others after `drainMs`. */
  stop(drainMs: number): Promise<void>;
}

/** How often a supervisor looks at its workers. */
export const tickMs = 250;
/** A silent worker is killed after so many looks, so time in which this process did not run does not count. */
const silentTicksMax = 2_000 / tickMs;
/** A worker that loads its code and its configuration may be silent for longer. */
const startTicksMax = 30_000 / tickMs;
/** A worker that served for longer did not end because it was started. */
const shortLifeMs = 5_000;

/** How long the first worker that serves waits for the others before it counts as a start. */
const othersMs = 10_000;

/** What is known of a worker that has not ended. */
interface Watched {
  isUp: boolean;
  silentTicks: number;
  reason?: string;
}

/**
 * Keeps a number of processes serving: starts another in place of each that ends, whatever the reason and however
 * often; later and later while they end before they serve. Kills those that are silent.
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { count, start, bringUp, onChange, clock, wait } = options;
  const alive = new Map<WorkerProcess, Watched>();
  const all = Promise.withResolvers<void>();
  let isStopping = false;

  /** One place: a worker that ends there is replaced until all stop. */
  async function keep(): Promise<void> {
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
      // One that served is not likely to end by being started: its place is not left empty for long.
      if (failures > 1) await wait(isUp ? Math.min(400, 50 * failures) : Math.min(5_000, 100 * 2 ** (failures - 1)));
    }
  }

  function replace(worker: WorkerProcess, reason: string): void {
    const watched = alive.get(worker);
    if (watched === undefined) return;
    watched.reason ??= reason;
    worker.kill();
  }

  const up = () => [...alive].filter(([, { isUp, reason }]) => isUp && reason === undefined).map(([one]) => one);

  return {
    async start() {
      all.promise.catch(() => {});
      for (let i = 0; i < count; i++) void keep();
      await all.promise;
    },
    up,
    tick() {
      for (const [worker, watched] of alive) {
        if (++watched.silentTicks <= (watched.isUp ? silentTicksMax : startTicksMax)) continue;
        replace(worker, watched.isUp ? 'It was silent for 2 s.' : 'It was silent for 30 s while it started.');
      }
    },
    replace,
    async stop(drainMs) {
      isStopping = true;
      const stopped = [...alive];
      for (const [worker, { isUp }] of stopped) {
        if (isUp) worker.calls.tell('stop');
        else worker.kill();
      }
      const ended = Promise.all(stopped.map(([worker]) => worker.ended));
      await Promise.race([ended, wait(drainMs)]);
      for (const worker of alive.keys()) worker.kill();
      await ended;
    },
  };
}
