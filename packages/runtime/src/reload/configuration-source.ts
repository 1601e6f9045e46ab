import { dirname, relative, resolve } from 'node:path';
import { ConfigError, type ConfigFault } from '../config/index.ts';
import { readAtRest } from './read-at-rest.ts';
import type { Reading } from './reloader.ts';
import type { FileStates, Source, SourceReader } from './source-reader.ts';

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
