import type { Calls } from './calls.ts';

/** A process that serves, as the one that started it sees it. */
export interface WorkerProcess {
  readonly id: number;
  readonly pid: number | undefined;
  readonly calls: Calls;
  /** Resolves when it has ended, with how. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  kill(signal: NodeJS.Signals): void;
}

export interface SupervisorOptions {
  readonly count: number;
  readonly start: () => WorkerProcess;
  /** Resolves when it serves, rejects with why it never will. */
  readonly isUp: (worker: WorkerProcess) => Promise<void>;
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
    };

export interface Supervisor {
  /** Resolves when all of them serve; rejects with the reason of the first that cannot, all of them ended. */
  start(): Promise<void>;
  /** Those that serve now. */
  readonly up: () => readonly WorkerProcess[];
  /** Starts none any more and tells each to stop; what has not ended after `patienceMs` is killed. */
  stop(patienceMs: number): Promise<void>;
}

/** One that lived longer did not die of being started. */
const shortLifeMs = 5_000;

/**
 * Keeps a number of processes serving: starts another in place of each that ends, at once the first time, then ever
 * later while they die young.
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { count, start, isUp, onChange, clock, wait } = options;
  const alive = new Set<WorkerProcess>();
  const up = new Set<WorkerProcess>();
  let isStopping = false;

  function launch(): { readonly worker: WorkerProcess; readonly ready: Promise<void> } {
    const worker = start();
    alive.add(worker);
    void worker.ended.then(({ exitCode, signal }) => {
      alive.delete(worker);
      up.delete(worker);
      if (!isStopping) onChange?.({ kind: 'ended', worker, exitCode, signal });
    });
    const died = worker.ended.then(({ exitCode, signal }) => {
      throw new Error(`A worker ended before it served (${signal ?? exitCode}).`);
    });
    const ready = Promise.race([isUp(worker), died]).then(() => {
      if (!alive.has(worker)) return;
      up.add(worker);
      onChange?.({ kind: 'up', worker });
    });
    ready.catch(() => {});
    died.catch(() => {});
    return { worker, ready };
  }

  /** One place: whoever serves in it is replaced until all stop. */
  async function keep(first: WorkerProcess): Promise<void> {
    let worker = first;
    let startedMs = clock();
    for (let young = 0; ; ) {
      await worker.ended;
      if (isStopping) return;
      young = clock() - startedMs < shortLifeMs ? young + 1 : 0;
      if (young > 1) await wait(Math.min(5_000, 100 * 2 ** (young - 1)));
      if (isStopping) return;
      startedMs = clock();
      worker = launch().worker;
    }
  }

  async function stop(patienceMs: number): Promise<void> {
    isStopping = true;
    const all = [...alive];
    for (const { calls } of all) calls.tell('stop');
    const ended = Promise.all(all.map((worker) => worker.ended));
    const late = await Promise.race([ended.then(() => false), wait(patienceMs).then(() => true)]);
    if (late) for (const worker of alive) worker.kill('SIGKILL');
    await ended;
  }

  return {
    async start() {
      const launched = Array.from({ length: count }, launch);
      try {
        await Promise.all(launched.map(({ ready }) => ready));
      } catch (error) {
        if (isStopping) return;
        await stop(1_000);
        throw error;
      }
      for (const { worker } of launched) void keep(worker);
    },
    up: () => [...up],
    stop,
  };
}
