import { type DependencyStatus, toError } from '../lifecycle/index.ts';
import { type FileStates, haveChanged, identityOfAll, type Source } from './source-files.ts';

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
  /** What runs at the beginning, and the content of its files but the independent ones. */
  readonly running: readonly Source[];
  readonly fixed: FileStates;
  /**
   * Reads everything anew, except what `fixed` holds; told what runs, so that it can tell a file that is gone from one
   * that never was.
   */
  readonly read: (running: readonly Source[], fixed?: FileStates) => Promise<Reading<C>>;
  /**
   * Puts a configuration to work, or throws and changes nothing. `states` returns what it was read from; `askedMs` is
   * when the reload was asked for, by the clock.
   */
  readonly apply: (configuration: C, states: () => Promise<FileStates>, askedMs: number) => void | Promise<void>;
  /** After each reading, good or bad: what to watch from now on. */
  readonly onRead?: (sources: readonly Source[]) => void;
  /** The independent files of what runs, as they were read last: watched at all times. */
  readonly onIndependent?: (sources: readonly Source[]) => void;
  readonly onOutcome?: (outcome: ReloadOutcome) => void;
  /** What to tell everybody of a fault: places, nothing that was in the files. */
  readonly describeFault?: (fault: Error) => string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface Reloader {
  /**
   * Reads anew and applies what is good. An edit of independent files is applied to what runs at once, before and
   * without the other files. Resolves when what was asked for, or something newer, is settled.
   */
  reload(trigger: string): Promise<void>;
  /** Degraded from the first rejected reading to the next good one. */
  status(): DependencyStatus;
  /** Applies nothing any more; resolves when nothing is under way. */
  close(): Promise<void>;
}

/**
 * Decides what a changed configuration leads to: one reload at a time, the newest wins, a bad one changes nothing.
 * Independent files do not wait for a reload that is being read, nor does its result bring back older content of them.
 * When to ask for one is for others to decide.
 */
export function createReloader<C>(options: ReloaderOptions<C>): Reloader {
  const {
    read,
    apply,
    onRead,
    onIndependent,
    onOutcome,
    describeFault = (fault: Error) => fault.message,
    clock,
  } = options;
  let { running } = options;
  let runningIdentity = identityOfAll(running);
  let { fixed } = options;
  let appliedMs = clock();
  let trouble: { readonly reason: string; readonly sinceMs: number } | undefined;
  let wanted: { readonly trigger: string; readonly askedMs: number; readonly edits: number } | undefined;
  let work: Promise<void> | undefined;
  /** Only one configuration is put to work at a time. */
  let turn: Promise<unknown> = Promise.resolve();
  /** What the reload before has read, while another one waits for it. */
  let lastRead: readonly Source[] | undefined;
  let isIndependentWanted = false;
  /** How many edits of independent files were applied on their own. */
  let edits = 0;
  let isClosed = false;

  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = turn.then(act);
    turn = done.catch(() => undefined);
    return done;
  }

  async function applyGood(reading: GoodReading<C>, askedMs: number): Promise<void> {
    const { sources, states, configuration } = reading;
    await apply(configuration, states, askedMs);
    running = sources;
    runningIdentity = identityOfAll(sources);
    fixed = await fixedOf(sources, states);
    appliedMs = clock();
    onIndependent?.(independentOf(sources));
  }

  /** Reads what independent files hold now, and everything else as it was read before. */
  async function readIndependent(sources: readonly Source[], content: FileStates): Promise<Reading<C>> {
    const before = new Map(sources.map((source) => [source.path, source]));
    const reading = await read(running, content);
    const now = reading.sources.map((source) => (content.has(source.path) && before.get(source.path)) || source);
    return { ...reading, sources: now };
  }

  /** Applies what independent files hold now to what runs. The reload that follows reports their faults. */
  async function applyIndependent(trigger: string, askedMs: number): Promise<void> {
    isIndependentWanted = false;
    if (isClosed) return;
    const startedMs = clock();
    const now = await Promise.all(independentOf(running).map((source) => source.look()));
    onIndependent?.(now);
    if (identityOfAll(now) === identityOfAll(independentOf(running))) return;
    const reading = await readIndependent(running, fixed);
    if (isClosed) return;
    const paths = new Set(running.map(({ path }) => path));
    onIndependent?.(independentOf(reading.sources).filter(({ path }) => paths.has(path)));
    if ('fault' in reading || identityOfAll(reading.sources) === runningIdentity) return;
    await applyGood(reading, askedMs);
    edits++;
    onOutcome?.({ outcome: 'applied', trigger, durationMs: clock() - startedMs });
  }

  async function reloadOnce(asked: NonNullable<typeof wanted>): Promise<ReloadOutcome | undefined> {
    const { trigger, askedMs } = asked;
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

    async function settle(found: GoodReading<C>): Promise<ReloadOutcome | undefined> {
      if (isClosed) return undefined;
      let reading: Reading<C> = found;
      if (await haveChanged(independentOf(found.sources))) {
        reading = await readIndependent(found.sources, await fixedOf(found.sources, found.states));
        if ('fault' in reading) return reject(reading.fault);
      }
      if (identityOfAll(reading.sources) !== runningIdentity) {
        await applyGood(reading, askedMs);
        trouble = undefined;
        return done('applied');
      }
      const isReported = edits > asked.edits && trouble === undefined;
      trouble = undefined;
      return isReported ? undefined : done('unchanged');
    }

    try {
      const reading = await read(running);
      if (isClosed) return undefined;
      lastRead = reading.sources;
      onRead?.(reading.sources);
      return 'fault' in reading ? reject(reading.fault) : await inTurn(() => settle(reading));
    } catch (error) {
      return reject(toError(error));
    }
  }

  async function workOff(): Promise<void> {
    while (wanted !== undefined && !isClosed) {
      const next = wanted;
      wanted = undefined;
      // The reading before has seen this edit already.
      if (next.trigger === 'edit' && lastRead !== undefined && !(await haveChanged(lastRead))) {
        onRead?.(lastRead);
        continue;
      }
      lastRead = undefined;
      const outcome = await reloadOnce(next);
      if (outcome !== undefined) onOutcome?.(outcome);
    }
  }

  return {
    async reload(trigger) {
      if (isClosed) return;
      const askedMs = clock();
      // An edit that was noticed may be passed over; what an operator asked for is not.
      const isAsked = wanted !== undefined && wanted.trigger !== 'edit';
      wanted = {
        trigger: isAsked ? (wanted?.trigger ?? trigger) : trigger,
        askedMs: wanted?.askedMs ?? askedMs,
        edits: wanted?.edits ?? edits,
      };
      if (!isIndependentWanted && independentOf(running).length > 0) {
        isIndependentWanted = true;
        void inTurn(() => applyIndependent(trigger, askedMs)).catch(() => undefined);
      }
      work ??= workOff().finally(() => {
        work = undefined;
        lastRead = undefined;
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
      await turn;
    },
  };
}

type GoodReading<C> = Exclude<Reading<C>, { readonly fault: Error }>;

function independentOf(sources: readonly Source[]): Source[] {
  return sources.filter(({ isIndependent }) => isIndependent);
}

/** The content of all files but the independent ones, for the reloads to come. */
export async function fixedOf(sources: readonly Source[], states: () => Promise<FileStates>): Promise<FileStates> {
  const paths = new Set(independentOf(sources).map(({ path }) => path));
  return new Map([...(await states())].filter(([path]) => !paths.has(path)));
}
