import type { ConfigError } from '@rostergate/runtime/config';
import {
  createFileWatcher,
  createReloader,
  createReloadMetrics,
  type FileWatcherOptions,
  type Reloader,
  type ReloadOutcome,
  type Source,
} from '@rostergate/runtime/reload';
import type { App } from '../app.ts';
import { type Configuration, sizesOf } from '../configuration.ts';
import type { ConfigurationSource } from './configuration-source.ts';
import { settingsThatWait } from './restart-settings.ts';

export interface LiveConfigurationOptions {
  readonly app: Pick<App, 'telemetry' | 'apply'>;
  readonly source: ConfigurationSource;
  /** What the app was made of. */
  readonly configuration: Configuration;
  readonly sources: readonly Source[];
  readonly clock: () => number;
  /** After each reading of the files, good or bad, before what is good is applied. */
  readonly onRead?: (sources: readonly Source[]) => void;
  /** After each attempt to take up an edit. */
  readonly onOutcome?: () => void;
  readonly watcher?: Pick<FileWatcherOptions, 'pollMs' | 'debounceMs' | 'watchFolder'>;
}

export interface LiveConfiguration extends Pick<Reloader, 'reload' | 'status'> {
  /** The settings that hold now. */
  readonly settings: () => Configuration['settings'];
  /** Stops watching and applies nothing any more; resolves when nothing is under way. */
  close(): Promise<void>;
}

/** Keeps an app at what its files say: watches them, applies what is good, tells of what is not. */
export function createLiveConfiguration(options: LiveConfigurationOptions): LiveConfiguration {
  const { app, source, configuration, sources, clock } = options;
  const { log, registry } = app.telemetry;
  const count = createReloadMetrics(registry, clock);
  let current = configuration;
  let lastRead = sources;
  let isRead = true;
  const watcher = createFileWatcher({
    ...options.watcher,
    onChange() {
      isRead = false;
      void reloader.reload('edit');
    },
  });
  const watch = (read: readonly Source[]) => {
    isRead = true;
    lastRead = read;
    if (current.settings.reload_enabled) watcher.watch(read);
  };

  const reloader = createReloader<Configuration>({
    running: sources,
    read: source.read,
    async apply(next) {
      log.level = next.settings.log_level;
      try {
        await app.apply(next);
      } catch (error) {
        log.level = current.settings.log_level;
        throw error;
      }
      const waiting = settingsThatWait(configuration.settings, current.settings, next.settings);
      if (waiting.length > 0) log.warn({ settings: waiting }, 'takes effect at the next start');
      current = next;
    },
    onRead(read) {
      options.onRead?.(read);
      watch(read);
    },
    onOutcome(outcome) {
      options.onOutcome?.();
      count(outcome);
      tell(outcome);
      // Whether to watch may be what was edited.
      if (!current.settings.reload_enabled) watcher.close();
      else if (!watcher.isWatching) watcher.watch(lastRead);
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

  watch(sources);
  return {
    reload: reloader.reload,
    status: reloader.status,
    settings: () => current.settings,
    close() {
      watcher.close();
      return reloader.close();
    },
  };
}

function toText({ where, field, detail }: ConfigError['faults'][number]): string {
  return `${where}  ${field === '' ? '' : `${field}: `}${detail}`;
}
