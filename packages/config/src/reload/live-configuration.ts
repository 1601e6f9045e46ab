import type { Telemetry } from '@rostergate/server/telemetry';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ConfigError } from '../config/index.ts';
import type { ConfigurationSource } from './configuration-source.ts';
import { createFileWatcher } from './file-watcher.ts';
import { createReloader, type Reloader, type ReloadOutcome } from './reloader.ts';
import type { FileStates, Source } from './source.ts';

/** The settings that reloading reads. */
export interface ReloadableConfiguration {
  readonly settings: Readonly<{ readonly log_level: string; readonly reload_enabled: boolean }>;
}

export interface LiveConfigurationOptions<C extends ReloadableConfiguration> {
  readonly app: {
    readonly telemetry: Pick<Telemetry, 'log' | 'registry'>;
    /**
     * Applies a configuration, or rejects and changes nothing. `states` returns the content that it was read from;
     * `askedMs` is when the edit was noticed, by the clock.
     */
    readonly apply: (configuration: C, states: () => Promise<FileStates>, askedMs: number) => Promise<unknown>;
  };
  readonly source: ConfigurationSource<C>;
  /** The configuration that the app started with. */
  readonly configuration: C;
  readonly sources: readonly Source[];
  /** The content of its files, without the independent ones. */
  readonly fixed: FileStates;
  readonly clock: () => number;
  /** Returns counts for the log. */
  readonly sizesOf: (configuration: C) => object;
  readonly restartRequired: RestartRequired<C['settings']>;
  /** Called after each reload. */
  readonly onOutcome?: () => void;
}

export interface LiveConfiguration<C extends ReloadableConfiguration>
  extends Pick<Reloader, 'reload' | 'status' | 'state'> {
  /** Returns the active settings. */
  readonly settings: () => C['settings'];
  /** Stops watching and applies nothing from now on; resolves when no work is left. */
  close(): Promise<void>;
}

/** Keeps an app up to date with its files: watches them, applies valid edits and logs faults. */
export function createLiveConfiguration<C extends ReloadableConfiguration>(
  options: LiveConfigurationOptions<C>,
): LiveConfiguration<C> {
  const { app, source, configuration, sources, fixed, clock, sizesOf, restartRequired } = options;
  const { log, registry } = app.telemetry;
  const count = createReloadMetrics(registry, clock);
  let current = configuration;
  let lastRead = sources;
  let isRead = true;
  let independent: readonly Source[] = [];
  const watcher = createFileWatcher({
    onChange() {
      isRead = false;
      void reloader.reload('edit');
    },
  });
  /** Watches during a reload too. */
  const independentWatcher = createFileWatcher({
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
      const pending = pendingSettings(restartRequired, {
        started: configuration.settings as Readonly<C['settings']>,
        before: current.settings as Readonly<C['settings']>,
        now: next.settings as Readonly<C['settings']>,
      });
      if (pending.length > 0) log.warn({ settings: pending }, 'takes effect at the next start');
      current = next;
    },
    onRead: watch,
    onIndependent: watchIndependent,
    onOutcome(outcome) {
      options.onOutcome?.();
      count(outcome);
      logOutcome(outcome);
      // The edit may have switched watching on or off.
      if (!current.settings.reload_enabled) {
        watcher.close();
        independentWatcher.close();
      } else if (!watcher.isWatching) {
        watch(lastRead);
        watchIndependent(independent);
      }
      // A reading that failed returned no sources: watch the previous ones in their current state.
      else if (!isRead) void Promise.all(lastRead.map((source) => source.look())).then(watch);
    },
    describeFault: source.describeFault,
    clock,
  });

  function logOutcome({ outcome, trigger, durationMs, fault }: ReloadOutcome): void {
    const facts = { trigger, duration_ms: durationMs };
    if (outcome === 'rejected') {
      const faults = (fault as Partial<ConfigError>).faults;
      if (faults === undefined) log.error({ ...facts, err: fault }, 'configuration rejected, nothing has changed');
      else log.error({ ...facts, faults: faults.map(formatFault) }, 'configuration rejected, nothing has changed');
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
    state: reloader.state,
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

function formatFault({ where, field, detail }: ConfigError['faults'][number]): string {
  return `${where}  ${field === '' ? '' : `${field}: `}${detail}`;
}

/** Returns for each restart-required setting the part that needs a restart. All other settings are live. */
export type RestartRequired<S> = { readonly [K in keyof S]?: (settings: Readonly<S>) => unknown };

/** Returns the settings that were just edited and need a restart. */
export function pendingSettings<S>(
  restartRequired: RestartRequired<S>,
  { started, before, now }: { readonly started: Readonly<S>; readonly before: Readonly<S>; readonly now: Readonly<S> },
): (keyof S)[] {
  return (Object.keys(restartRequired) as (keyof S)[]).filter((name) => {
    const partOf = restartRequired[name] as (settings: Readonly<S>) => unknown;
    return partOf(now) !== partOf(before) && partOf(now) !== partOf(started);
  });
}

/** Counts reloads, and records when the configuration was last valid. */
export function createReloadMetrics(registry: Registry, clock: () => number): (outcome: ReloadOutcome) => void {
  const total = new Counter({
    name: 'config_reloads_total',
    help: 'Reloads of the configuration by outcome: applied, rejected because of faults, or unchanged.',
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
