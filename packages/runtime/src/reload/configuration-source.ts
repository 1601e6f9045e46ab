import { dirname, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ConfigError, type ConfigFault } from '../config/index.ts';
import { readFileState } from './file-state.ts';
import type { Reading } from './reloader.ts';
import { createSourceReader, type FileStates, haveMoved, type Source, type SourceReader } from './source-files.ts';

/** What one look at the files gave: the configuration, or all faults of all files at once. */
export type ReadConfiguration<C> = { readonly configuration: C } | { readonly faults: readonly ConfigFault[] };

/** The same, or a configuration that is checked and yet to be loaded. */
export type CheckedConfiguration<C> =
  | ReadConfiguration<C>
  | {
      /** Loads what must only be loaded once the edit is accepted. Called at most once, when the files are at rest. */
      readonly load: () => Promise<ReadConfiguration<C>>;
    };

/** The configuration behind a check that found no fault. */
export async function loadChecked<C>(checked: CheckedConfiguration<C>): Promise<ReadConfiguration<C>> {
  return 'load' in checked ? checked.load() : checked;
}

export interface ConfigurationSourceOptions<C> {
  /** Places of faults are told relative to its folder. */
  readonly settingsFile: string;
  /** Reads every file through the reader; `wasThere`: whether what runs has read something at that path. */
  readonly read: (reader: SourceReader, wasThere: (path: string) => boolean) => Promise<CheckedConfiguration<C>>;
  /** Takes the secrets out of the content of files, which is stored as long as it is served. */
  readonly seal?: (states: FileStates) => Promise<FileStates>;
}

/** Where configurations come from, again and again; when, is for others to decide. */
export interface ConfigurationSource<C> {
  /**
   * Reads everything anew. Told what runs, if anything does, so that a file that is gone is no wish but a fault. What
   * `fixed` holds is not read from the disk.
   */
  read(running?: readonly Source[], fixed?: FileStates): Promise<Reading<C>>;
  /** Places of faults, relative to the folder of the settings, and nothing of what stands there. */
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
      if (!(fault instanceof ConfigError)) return 'The configuration cannot be put to work; see the log.';
      const places = fault.faults.map(({ where, field, place }) => {
        const at =
          place === undefined
            ? relativeTo(folder, where)
            : `${relativeTo(folder, place.file)}:${place.line}:${place.column}`;
        return field === '' ? at : `${at} (${field})`;
      });
      const shown = places.slice(0, 10).join(', ');
      return `Faults at ${shown}${places.length > 10 ? ` and ${places.length - 10} more` : ''}; what was good before still runs.`;
    },
  };
}

function relativeTo(folder: string, where: string): string {
  // Not every place is a file: some are settings or names of the environment.
  return /[\\/]|\.\w+$/.test(where) && !where.includes(' ') ? relative(folder, resolve(where)) || where : where;
}

export interface ReadAtRestOptions<T> {
  readonly read: (reader: SourceReader) => Promise<T>;
  /** What is read at these paths instead of the files. */
  readonly fixed?: FileStates | undefined;
  /** The result may come of an edit half done: look again before taking it. */
  readonly isDoubtful?: (result: T) => boolean;
  /** How long files must have been left alone. */
  readonly restMs?: number;
  /** After so long what was read is taken, whoever is still writing. */
  readonly patienceMs?: number;
  readonly clock?: () => number;
}

export interface ReadAtRest<T> {
  readonly result: T;
  readonly sources: readonly Source[];
  readonly states: () => Promise<FileStates>;
}

/**
 * Reads files that belong together as they were at one moment: again, when one was touched meanwhile, and not while
 * one has only just been written, for more may follow.
 */
export async function readAtRest<T>(options: ReadAtRestOptions<T>): Promise<ReadAtRest<T>> {
  const {
    read,
    fixed = new Map(),
    isDoubtful = () => false,
    restMs = 50,
    patienceMs = 500,
    clock = Date.now,
  } = options;
  const startedMs = clock();
  for (;;) {
    const reader = createSourceReader({ clock, readState: (path) => fixed.get(path) ?? readFileState(path) });
    const result = await read(reader);
    const sources = reader.sources();
    const nowMs = clock();
    if (nowMs - startedMs >= patienceMs) return { result, sources, states: reader.states };
    const onDisk = sources.filter(({ path }) => !fixed.has(path));
    const youngestMs = Math.max(...onDisk.map(({ stamp }) => stamp.changedMs));
    const isDoubted = isDoubtful(result);
    // A time in the future comes of another machine's clock and says nothing of how long ago it was.
    const restedMs = Math.max(0, nowMs - youngestMs);
    if (isDoubted || restedMs < restMs) await wait(isDoubted ? 2 * restMs : restMs - restedMs);
    if (!(await haveMoved(onDisk))) return { result, sources, states: reader.states };
  }
}
