import { type DependencyStatus, toError } from '@rostergate/server/lifecycle';
import type { ConfigError, ConfigFault } from '../config/index.ts';
import { type FileStates, haveChanged, identityOfAll, type Source } from './source.ts';

/** The result of reading the sources. */
export type Reading<C> = { readonly sources: readonly Source[] } & (
  | { readonly configuration: C; readonly states: () => Promise<FileStates> }
  | { readonly fault: Error }
);

export interface ReloadOutcome {
  /** `unchanged`: the result equals the active configuration. */
  readonly outcome: 'applied' | 'rejected' | 'unchanged';
  /** The cause of the reload, such as `edit` or `SIGHUP`. */
  readonly trigger: string;
  readonly durationMs: number;
  /** Why it was rejected: the configuration has faults or could not be applied. */
  readonly fault?: Error;
}

export interface ReloaderOptions<C> {
  /** The sources of the active configuration, and the content of its files but the independent ones. */
  readonly running: readonly Source[];
  readonly fixed: FileStates;
  /** Reads all files but those in `fixed`. A file in `running` that is now absent is a fault. */
  readonly read: (running: readonly Source[], fixed?: FileStates) => Promise<Reading<C>>;
  /**
   * Applies a configuration, or throws and changes nothing. `states` returns the content that it was read from;
   * `askedMs` is when the reload was requested, by the clock.
   */
  readonly apply: (configuration: C, states: () => Promise<FileStates>, askedMs: number) => void | Promise<void>;
  /** Called after each reading, valid or not, with the sources to watch. */
  readonly onRead?: (sources: readonly Source[]) => void;
  /** Called with the last read state of the independent files, which are watched at all times. */
  readonly onIndependent?: (sources: readonly Source[]) => void;
  readonly onOutcome?: (outcome: ReloadOutcome) => void;
  /** Describes a fault without content of files. */
  readonly describeFault?: (fault: Error) => string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Which configuration is active, and why the last one was rejected. */
export interface ReloadState {
  /** The number of the active configuration: 1 at the start, and one more for each that is applied. */
  readonly generation: number;
  /** Digest of its files and their paths. */
  readonly revision: string;
  /** The paths from which it was read. */
  readonly sources: readonly string[];
  /** The faults of the last reading; none if it was valid. */
  readonly faults: readonly ConfigFault[];
}

export interface Reloader {
  /**
   * Reads all files and applies a valid configuration. Independent files are applied to the active configuration at
   * once, before the other files. Resolves when this request, or a newer one, is settled.
   */
  reload(trigger: string): Promise<void>;
  /** Degraded from the first rejected reading to the next valid one. */
  status(): DependencyStatus;
  state(): ReloadState;
  /** Applies nothing from now on; resolves when no work is left. */
  close(): Promise<void>;
}

/** A requested reload. */
interface Request {
  readonly trigger: string;
  readonly askedMs: number;
}

type Settled = Pick<ReloadOutcome, 'outcome' | 'fault'>;
type ValidReading<C> = Exclude<Reading<C>, { readonly fault: Error }>;

/**
 * Creates a reloader: one reload at a time, the newest edit wins, a rejected one changes nothing. An edit of independent
 * files does not wait for a reading of all files, and the result of that reading does not restore their older content.
 */
export function createReloader<C>(options: ReloaderOptions<C>): Reloader {
  const { read, apply, onRead, onIndependent, onOutcome, clock } = options;
  const { describeFault = (fault: Error) => fault.message } = options;
  let { running, fixed } = options;
  let runningIdentity = identityOfAll(running);
  let appliedMs = clock();
  let trouble: { readonly fault: Error; readonly sinceMs: number } | undefined;
  let generation = 1;
  /** The next reload of all files; `edits` is the count of independent edits before it. */
  let wanted: (Request & { readonly edits: number }) | undefined;
  let wantedIndependent: Request | undefined;
  let wake = Promise.withResolvers<void>();
  let work: Promise<void> | undefined;
  /** The sources of the previous reload, while another one waits. */
  let lastRead: readonly Source[] | undefined;
  /** How many edits of independent files were applied on their own. */
  let edits = 0;
  let isClosed = false;

  async function applyValid({ sources, states, configuration }: ValidReading<C>, askedMs: number): Promise<void> {
    await apply(configuration, states, askedMs);
    running = sources;
    runningIdentity = identityOfAll(sources);
    fixed = await dependentStatesOf(sources, states);
    appliedMs = clock();
    generation++;
    onIndependent?.(independentOf(sources));
  }

  /** Reads the independent files, and takes everything else from an earlier reading. */
  async function readIndependent(sources: readonly Source[], content: FileStates): Promise<Reading<C>> {
    const before = new Map(sources.map((source) => [source.path, source]));
    const reading = await read(running, content);
    const now = reading.sources.map((source) => (content.has(source.path) && before.get(source.path)) || source);
    return { ...reading, sources: now };
  }

  /** Applies edits of independent files to the active configuration. The reload that follows reports their faults. */
  async function applyIndependent({ trigger, askedMs }: Request): Promise<void> {
    const startedMs = clock();
    const now = await Promise.all(independentOf(running).map((source) => source.look()));
    onIndependent?.(now);
    if (identityOfAll(now) === identityOfAll(independentOf(running))) return;
    const reading = await readIndependent(running, fixed);
    if (isClosed) return;
    const paths = new Set(running.map(({ path }) => path));
    onIndependent?.(independentOf(reading.sources).filter(({ path }) => paths.has(path)));
    if ('fault' in reading || identityOfAll(reading.sources) === runningIdentity) return;
    await applyValid(reading, askedMs);
    edits++;
    onOutcome?.({ outcome: 'applied', trigger, durationMs: clock() - startedMs });
  }

  /** Applies the result of a reading; returns the outcome unless it is already reported. */
  async function settle(found: Reading<C> | Error, asked: NonNullable<typeof wanted>): Promise<Settled | undefined> {
    if (found instanceof Error) return reject(found);
    lastRead = found.sources;
    onRead?.(found.sources);
    if ('fault' in found) return reject(found.fault);
    let reading: Reading<C> = found;
    if (await haveChanged(independentOf(found.sources))) {
      reading = await readIndependent(found.sources, await dependentStatesOf(found.sources, found.states));
      if ('fault' in reading) return reject(reading.fault);
    }
    if (identityOfAll(reading.sources) !== runningIdentity) {
      await applyValid(reading, asked.askedMs);
      trouble = undefined;
      return { outcome: 'applied' };
    }
    const isReported = edits > asked.edits && trouble === undefined;
    trouble = undefined;
    return isReported ? undefined : { outcome: 'unchanged' };
  }

  function reject(fault: Error): Settled {
    trouble = { fault, sinceMs: trouble?.sinceMs ?? clock() };
    return { outcome: 'rejected', fault };
  }

  /** Reads all files; resolves with a function that applies the result. */
  async function readAll(asked: NonNullable<typeof wanted>): Promise<() => Promise<void>> {
    const startedMs = clock();
    const reading = await read(running).catch(toError);
    return async () => {
      if (isClosed) return;
      const settled = await settle(reading, asked).catch((error: unknown) => reject(toError(error)));
      if (settled !== undefined) onOutcome?.({ ...settled, trigger: asked.trigger, durationMs: clock() - startedMs });
    };
  }

  /**
   * Does all work, one step at a time. An edit of independent files comes before the result of a reading, but only one
   * before each step of a full reload: edits without pause hold up none.
   */
  async function workOff(): Promise<void> {
    let reading: ReturnType<typeof readAll> | undefined;
    let applyResult: (() => Promise<void>) | undefined;
    let isFullNext = false;
    try {
      while (!isClosed) {
        const isFullReady = applyResult !== undefined || (wanted !== undefined && reading === undefined);
        if (wantedIndependent !== undefined && !(isFullNext && isFullReady)) {
          isFullNext = true;
          const asked = wantedIndependent;
          wantedIndependent = undefined;
          await applyIndependent(asked).catch(() => undefined);
        } else if (applyResult !== undefined) {
          isFullNext = false;
          const apply = applyResult;
          [reading, applyResult] = [undefined, undefined];
          await apply();
        } else if (reading !== undefined) {
          wake = Promise.withResolvers();
          await wake.promise;
        } else if (wanted !== undefined) {
          isFullNext = false;
          const asked = wanted;
          wanted = undefined;
          // The previous reading may include this edit already.
          if (asked.trigger === 'edit' && lastRead !== undefined && !(await haveChanged(lastRead))) onRead?.(lastRead);
          else {
            lastRead = undefined;
            reading = readAll(asked);
            void reading.then((apply) => {
              applyResult = apply;
              wake.resolve();
            });
          }
        } else break;
      }
      // Without a turn in between: a reload that is requested now starts the work again.
      if (reading !== undefined) await reading;
    } finally {
      work = undefined;
      lastRead = undefined;
    }
  }

  return {
    async reload(trigger) {
      if (isClosed) return;
      const askedMs = clock();
      // A detected edit may be skipped; the request of an operator may not.
      const isByOperator = wanted !== undefined && wanted.trigger !== 'edit';
      wanted = {
        trigger: isByOperator ? (wanted?.trigger ?? trigger) : trigger,
        askedMs: wanted?.askedMs ?? askedMs,
        edits: wanted?.edits ?? edits,
      };
      if (independentOf(running).length > 0) wantedIndependent ??= { trigger, askedMs };
      wake.resolve();
      work ??= workOff();
      await work;
    },
    status() {
      if (trouble === undefined) return { status: 'ready', since: new Date(appliedMs).toISOString() };
      return {
        status: 'degraded',
        reason: describeFault(trouble.fault),
        since: new Date(trouble.sinceMs).toISOString(),
      };
    },
    state() {
      const faults = trouble === undefined ? [] : faultsOf(trouble.fault, describeFault);
      return { generation, revision: runningIdentity, sources: running.map(({ path }) => path), faults };
    },
    async close() {
      isClosed = true;
      wake.resolve();
      await work;
    },
  };
}

function faultsOf(fault: Error, describe: (fault: Error) => string): readonly ConfigFault[] {
  const { faults } = fault as Partial<ConfigError>;
  return faults ?? [{ where: 'the configuration', field: '', detail: describe(fault) }];
}

function independentOf(sources: readonly Source[]): Source[] {
  return sources.filter(({ isIndependent }) => isIndependent);
}

/** Returns the content of all files but the independent ones, for later reloads. */
export async function dependentStatesOf(
  sources: readonly Source[],
  states: () => Promise<FileStates>,
): Promise<FileStates> {
  const paths = new Set(independentOf(sources).map(({ path }) => path));
  return new Map([...(await states())].filter(([path]) => !paths.has(path)));
}
