import { type DependencyStatus, toError } from '../lifecycle/index.ts';
import { type FileStates, identityOfAll, type Source } from './source-reader.ts';

/** What one reading of the sources gave. */
export type Reading<C> = { readonly sources: readonly Source[] } & (
  | { readonly configuration: C; readonly states: () => Promise<FileStates> }
  | { readonly fault: Error }
);

export interface ReloadOutcome {
  /** `unchanged`: what was read is what runs already. */
  readonly outcome: 'applied' | 'rejected' | 'unchanged';
  /** What asked for it, such as `edit` or `SIGHUP`. */
  readonly trigger: string;
  readonly durationMs: number;
  /** Why it was rejected: what was read has faults, or could not be put to work. */
  readonly fault?: Error;
}

export interface ReloaderOptions<C> {
  /** What runs at the beginning. */
  readonly running: readonly Source[];
  /** Reads everything anew; told what runs, so that it can tell a file that is gone from one that never was. */
  readonly read: (running: readonly Source[]) => Promise<Reading<C>>;
  /** Puts a configuration to work, or throws and changes nothing. `states` returns what it was read from. */
  readonly apply: (configuration: C, states: () => Promise<FileStates>) => void | Promise<void>;
  /** After each reading, good or bad: what to watch from now on. */
  readonly onRead?: (sources: readonly Source[]) => void;
  readonly onOutcome?: (outcome: ReloadOutcome) => void;
  /** What to tell everybody of a fault: places, nothing that was in the files. */
  readonly describeFault?: (fault: Error) => string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface Reloader {
  /** Reads anew and applies what is good. Resolves when what was asked for, or something newer, is settled. */
  reload(trigger: string): Promise<void>;
  /** Degraded from the first rejected reading to the next good one. */
  status(): DependencyStatus;
  /** Applies nothing any more; resolves when nothing is under way. */
  close(): Promise<void>;
}

/**
 * Decides what a changed configuration leads to: one reload at a time, the newest wins, a bad one changes nothing.
 * When to ask for one is for others to decide.
 */
export function createReloader<C>(options: ReloaderOptions<C>): Reloader {
  const { read, apply, onRead, onOutcome, describeFault = (fault: Error) => fault.message, clock } = options;
  let { running } = options;
  let runningIdentity = identityOfAll(running);
  let appliedMs = clock();
  let trouble: { readonly reason: string; readonly sinceMs: number } | undefined;
  let wanted: string | undefined;
  let work: Promise<void> | undefined;
  let isClosed = false;

  async function reloadOnce(trigger: string): Promise<ReloadOutcome | undefined> {
    const startedMs = clock();
    const done = (outcome: ReloadOutcome['outcome'], fault?: Error): ReloadOutcome => ({
      outcome,
      trigger,
      durationMs: clock() - startedMs,
      ...(fault === undefined ? {} : { fault }),
    });
    const reject = (fault: Error): ReloadOutcome => {
      trouble = { reason: describeFault(fault), sinceMs: trouble?.sinceMs ?? clock() };
      return done('rejected', fault);
    };
    let reading: Reading<C>;
    try {
      reading = await read(running);
    } catch (error) {
      return reject(toError(error));
    }
    if (isClosed) return undefined;
    onRead?.(reading.sources);
    if ('fault' in reading) return reject(reading.fault);
    const identity = identityOfAll(reading.sources);
    if (identity === runningIdentity) {
      trouble = undefined;
      return done('unchanged');
    }
    try {
      await apply(reading.configuration, reading.states);
    } catch (error) {
      return reject(toError(error));
    }
    running = reading.sources;
    runningIdentity = identity;
    appliedMs = clock();
    trouble = undefined;
    return done('applied');
  }

  async function workOff(): Promise<void> {
    while (wanted !== undefined && !isClosed) {
      const trigger = wanted;
      wanted = undefined;
      const outcome = await reloadOnce(trigger);
      if (outcome !== undefined) onOutcome?.(outcome);
    }
  }

  return {
    async reload(trigger) {
      if (isClosed) return;
      wanted = trigger;
      work ??= workOff().finally(() => {
        work = undefined;
      });
      await work;
    },
    status() {
      if (trouble === undefined) return { status: 'ready', since: new Date(appliedMs).toISOString() };
      return { status: 'degraded', reason: trouble.reason, since: new Date(trouble.sinceMs).toISOString() };
    },
    async close() {
      isClosed = true;
      await work;
    },
  };
}
