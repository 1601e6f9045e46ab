import { dirname, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ConfigError, type ConfigFault } from '../config/index.ts';
import type { Reading } from './reloader.ts';
import {
  createSourceReader,
  type FileStates,
  haveMoved,
  readFileState,
  type Source,
  type SourceReader,
} from './source.ts';

/** The result of reading the files: the configuration, or the faults of all files. */
export type ReadConfiguration<C> = { readonly configuration: C } | { readonly faults: readonly ConfigFault[] };

/** A configuration, faults, or a configuration that is checked but not loaded. */
export type CheckedConfiguration<C> =
  | ReadConfiguration<C>
  | {
      /** Loads what runs code of the configuration. Called at most once, when the files are at rest. */
      readonly load: () => Promise<ReadConfiguration<C>>;
    };

/** Loads a configuration whose check found no fault. */
export async function loadChecked<C>(checked: CheckedConfiguration<C>): Promise<ReadConfiguration<C>> {
  return 'load' in checked ? checked.load() : checked;
}

export interface ConfigurationSourceOptions<C> {
  /** Places of faults are relative to its folder. */
  readonly settingsFile: string;
  /** Reads every file through the reader; `wasRead`: whether the active configuration has read that path. */
  readonly read: (reader: SourceReader, wasRead: (path: string) => boolean) => Promise<CheckedConfiguration<C>>;
  /** Removes secrets from the content of files, which is stored while it is active. */
  readonly seal?: (states: FileStates) => Promise<FileStates>;
}

/** Reads configurations. */
export interface ConfigurationSource<C> {
  /**
   * Reads all files, except those in `fixed`. `running` are the sources of the active configuration: a file that it had
   * and that is now absent is a fault.
   */
  read(running?: readonly Source[], fixed?: FileStates): Promise<Reading<C>>;
  /** Describes a fault by places alone, relative to the folder of the settings: no content. */
  describeFault(fault: Error): string;
}

export function createConfigurationSource<C>(options: ConfigurationSourceOptions<C>): ConfigurationSource<C> {
  const { seal = async (states) => states } = options;
  const folder = dirname(resolve(options.settingsFile));
  return {
    async read(running = [], fixed) {
      const there = new Set(running.filter(({ isThere }) => isThere).map(({ path }) => path));
      const {
        result: checked,
        sources,
        states,
      } = await readAtRest({
        read: (reader) => options.read(reader, (path) => there.has(path)),
        fixed,
        isDoubtful: (read) => 'faults' in read,
      });
      const result = await loadChecked(checked);
      return 'faults' in result
        ? { sources, fault: new ConfigError(result.faults) }
        : { sources, states: async () => seal(await states()), configuration: result.configuration };
    },
    describeFault(fault) {
      if (!(fault instanceof ConfigError)) return 'The configuration cannot be applied: see the log.';
      const places = fault.faults.map(({ where, field, place }) => {
        const at =
          place === undefined
            ? relativeTo(folder, where)
            : `${relativeTo(folder, place.file)}:${place.line}:${place.column}`;
        return field === '' ? at : `${at} (${field})`;
      });
      const shown = places.slice(0, 10).join(', ');
      return `Faults at ${shown}${places.length > 10 ? ` and ${places.length - 10} more` : ''}; the previous configuration stays active.`;
    },
  };
}

function relativeTo(folder: string, where: string): string {
  // Not every place is a file: some are settings or environment variables.
  return /[\\/]|\.\w+$/.test(where) && !where.includes(' ') ? relative(folder, resolve(where)) || where : where;
}

export interface ReadAtRestOptions<T> {
  readonly read: (reader: SourceReader) => Promise<T>;
  /** The states to use instead of the files at these paths. */
  readonly fixed?: FileStates | undefined;
  /** Whether the result may come from a half-finished edit: it is checked again. */
  readonly isDoubtful?: (result: T) => boolean;
  /** How long files must have been unchanged. */
  readonly restMs?: number;
  /** After this time the result is accepted, even while files change. */
  readonly patienceMs?: number;
}

export interface ReadAtRest<T> {
  readonly result: T;
  readonly sources: readonly Source[];
  readonly states: () => Promise<FileStates>;
}

/**
 * Reads files consistently: it reads them again when one changes meanwhile, and waits after a recent write, which more
 * writes may follow.
 */
export async function readAtRest<T>(options: ReadAtRestOptions<T>): Promise<ReadAtRest<T>> {
  const { read, fixed = new Map(), isDoubtful = () => false, restMs = 50, patienceMs = 500 } = options;
  const startedMs = Date.now();
  for (;;) {
    const reader = createSourceReader((path) => fixed.get(path) ?? readFileState(path));
    const result = await read(reader);
    const sources = reader.sources();
    const nowMs = Date.now();
    if (nowMs - startedMs >= patienceMs) return { result, sources, states: reader.states };
    const onDisk = sources.filter(({ path }) => !fixed.has(path));
    const youngestMs = Math.max(...onDisk.map(({ stamp }) => stamp.changedMs));
    const isDoubted = isDoubtful(result);
    // A time in the future is of another machine's clock.
    const restedMs = Math.max(0, nowMs - youngestMs);
    if (isDoubted || restedMs < restMs) await wait(isDoubted ? 2 * restMs : restMs - restedMs);
    if (!(await haveMoved(onDisk))) return { result, sources, states: reader.states };
  }
}
