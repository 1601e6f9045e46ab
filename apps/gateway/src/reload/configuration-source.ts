import { dirname, relative, resolve } from 'node:path';
import { ConfigError } from '@rostergate/runtime/config';
import { type Reading, readAtRest, type Source } from '@rostergate/runtime/reload';
import type { Configuration } from '../configuration.ts';
import { type ReadSourcesOptions, readSources } from '../sources/read-sources.ts';

export type ConfigurationSourceOptions = Omit<ReadSourcesOptions, 'reader' | 'wasThere'>;

/** Where configurations come from, again and again; when, is for others to decide. */
export interface ConfigurationSource {
  /** Reads everything anew. Told what runs, if anything does, so that a file that is gone is no wish but a fault. */
  read(running?: readonly Source[]): Promise<Reading<Configuration>>;
  /** Places of faults, relative to the folder of settings.json, and nothing of what stands there. */
  describeFault(fault: Error): string;
}

export function createConfigurationSource(options: ConfigurationSourceOptions): ConfigurationSource {
  const folder = dirname(resolve(options.settingsFile));
  return {
    async read(running = []) {
      const there = new Set(running.filter(({ isThere }) => isThere).map(({ path }) => path));
      const { result, sources } = await readAtRest({
        read: (reader) => readSources({ ...options, reader, wasThere: (path) => there.has(path) }),
        isDoubtful: (read) => 'faults' in read,
      });
      return 'faults' in result
        ? { sources, fault: new ConfigError(result.faults) }
        : { sources, configuration: result.configuration };
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
