import { Counter, Gauge, type Registry } from 'prom-client';
import type { ConfigError } from '../config/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { ConfigurationSource } from './configuration-source.ts';
import { createFileWatcher, type FileWatcherOptions } from './file-watcher.ts';
import { createReloader, type Reloader, type ReloadOutcome } from './reloader.ts';
import type { FileStates, Source } from './source-files.ts';

/** What every configuration says of its own reloading. */
export interface ReloadableConfiguration {
  readonly settings: Readonly<{ readonly log_level: string; readonly reload_enabled: boolean }>;
}

export interface LiveConfigurationOptions<C extends ReloadableConfiguration> {
  readonly app: {
    readonly telemetry: Pick<Telemetry, 'log' | 'registry'>;
    /**
     * Swaps in a configuration, or rejects and changes nothing. `states` returns what it was read from; `askedMs` is
     * when the edit was noticed, by the clock.
     */
    readonly apply: (configuration: C, states: () => Promise<FileStates>, askedMs: number) => Promise<unknown>;
  };
  readonly source: ConfigurationSource<C>;
  /** What the app was made of. */
  readonly configuration: C;
  readonly sources: readonly Source[];
  /** The content of its files but the independent ones. */
  readonly fixed: FileStates;
  readonly clock: () => number;
  /** How much there is of what is served, for the log. */
  readonly sizesOf: (configuration: C) => object;
  readonly takenAtStart: TakenAtStart<C['settings']>;
  /** After each attempt to take up an edit. */
  readonly onOutcome?: () => void;
  readonly watcher?: Pick<FileWatcherOptions, 'pollMs' | 'debounceMs' | 'watchFolder'>;
}

export interface LiveConfiguration<C extends ReloadableConfiguration> extends Pick<Reloader, 'reload' | 'status'> {
  /** The settings that hold now. */
  readonly settings: () => C['settings'];
  /** Stops watching and applies nothing any more; resolves when nothing is under way. */
  close(): Promise<void>;
}

/** Keeps an app at what its files say: watches them, applies what is good, tells of what is not. */
export function createLiveConfiguration<C extends ReloadableConfiguration>(
  options: LiveConfigurationOptions<C>,
): LiveConfiguration<C> {
  const { app, source, configuration, sources, fixed, clock, sizesOf, takenAtStart } = options;
  const { log, registry } = app.telemetry;
  const count = createReloadMetrics(registry, clock);
  let current = configuration;
  let lastRead = sources;
  let isRead = true;
  let independent: readonly Source[] = [];
  const watcher = createFileWatcher({
    ...options.watcher,
    onChange() {
      isRead = false;
      void reloader.reload('edit');
    },
  });
  /** Watches while a reload is under way as well. */
  const independentWatcher = createFileWatcher({
    ...options.watcher,
    onChange: () => void reloader.reload('edit'),
  });
  const watch = (read: readonly Source[]) => {
    isRead = true;
    lastRead = read;
    if (!current.settings.reload_enabled) return;
    const paths = new Set(independent.map(({ path }) => path));
    watcher.watch(read.filter(({ path }) => !paths.has(path)));
  };
  const watchIndependent = (read: readonly Source[]) => {
    const isOther = pathsOf(read) !== pathsOf(independent);
    independent = read;
    if (isOther && isRead) watch(lastRead);
    if (current.settings.reload_enabled) independentWatcher.watch(read);
  };

  const reloader = createReloader<C>({
    running: sources,
    fixed,
    read: source.read,
    async apply(next, states, askedMs) {
      log.level = next.settings.log_level;
      try {
        await app.apply(next, states, askedMs);
      } catch (error) {
        log.level = current.settings.log_level;
        throw error;
      }
      const waiting = settingsThatWait(takenAtStart, {
        started: configuration.settings as Readonly<C['settings']>,
        before: current.settings as Readonly<C['settings']>,
        now: next.settings as Readonly<C['settings']>,
      });
      if (waiting.length > 0) log.warn({ settings: waiting }, 'takes effect at the next start');
      current = next;
    },
    onRead: watch,
    onIndependent: watchIndependent,
    onOutcome(outcome) {
      options.onOutcome?.();
      count(outcome);
      tell(outcome);
      // Whether to watch may be what was edited.
      if (!current.settings.reload_enabled) {
        watcher.close();
        independentWatcher.close();
      } else if (!watcher.isWatching) {
        watch(lastRead);
        watchIndependent(independent);
      }
      // A reading that broke off has said nothing of what to watch: the same as before, as it is by now.
      else if (!isRead) void Promise.all(lastRead.map((source) => source.look())).then(watch);
    },
    describeFault: source.describeFault,
    clock,
  });

  function tell({ outcome, trigger, durationMs, fault }: ReloadOutcome): void {
    const facts = { trigger, duration_ms: durationMs };
    if (outcome === 'rejected') {
      const faults = (fault as Partial<ConfigError>).faults;
      if (faults === undefined) log.error({ ...facts, err: fault }, 'configuration rejected, nothing has changed');
      else log.error({ ...facts, faults: faults.map(toText) }, 'configuration rejected, nothing has changed');
    } else if (outcome === 'applied') {
      log.info({ ...facts, ...sizesOf(current) }, 'configuration applied');
    } else {
      log.info(facts, 'configuration unchanged');
    }
  }

  watchIndependent(sources.filter(({ isIndependent }) => isIndependent));
  watch(sources);
  return {
    reload: reloader.reload,
    status: reloader.status,
    settings: () => current.settings,
    close() {
      watcher.close();
      independentWatcher.close();
      return reloader.close();
    },
  };
}

function pathsOf(sources: readonly Source[]): string {
  return sources.map(({ path }) => path).join('\0');
}

function toText({ where, field, detail }: ConfigError['faults'][number]): string {
  return `${where}  ${field === '' ? '' : `${field}: `}${detail}`;
}

/** What a process takes once, when it starts, by the setting that says it. Everything else is live. */
export type TakenAtStart<S> = { readonly [K in keyof S]?: (settings: Readonly<S>) => unknown };

/** The settings that were edited just now and wait for the next start. */
export function settingsThatWait<S>(
  takenAtStart: TakenAtStart<S>,
  { started, before, now }: { readonly started: Readonly<S>; readonly before: Readonly<S>; readonly now: Readonly<S> },
): (keyof S)[] {
  return (Object.keys(takenAtStart) as (keyof S)[]).filter((name) => {
    const taken = takenAtStart[name] as (settings: Readonly<S>) => unknown;
    return taken(now) !== taken(before) && taken(now) !== taken(started);
  });
}

/** Counts reloads, and tells when the configuration that runs was last found good. */
export function createReloadMetrics(registry: Registry, clock: () => number): (outcome: ReloadOutcome) => void {
  const total = new Counter({
    name: 'config_reloads_total',
    help: 'Readings of an edited configuration: applied, rejected because of faults, or unchanged.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const succeeded = new Gauge({
    name: 'config_last_reload_success_timestamp_seconds',
    help: 'When the configuration was last read without a fault, in seconds since the epoch.',
    aggregator: 'max',
    registers: [registry],
  });
  for (const outcome of ['applied', 'rejected', 'unchanged'] as const) total.inc({ outcome }, 0);
  succeeded.set(clock() / 1000);
  return ({ outcome }) => {
    total.inc({ outcome });
    if (outcome !== 'rejected') succeeded.set(clock() / 1000);
  };
}
