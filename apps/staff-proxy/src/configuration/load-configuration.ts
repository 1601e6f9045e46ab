import { ConfigError } from '@rostergate/runtime/config';
import { createSourceReader } from '@rostergate/runtime/reload';
import type { Configuration } from './configuration.ts';
import { type ConfigurationOptions, readSources } from './read-sources.ts';

/**
 * Reads the whole configuration once.
 * @throws ConfigError with every fault of every file at once.
 */
export async function loadConfiguration(options: ConfigurationOptions): Promise<Configuration> {
  const read = await readSources({ ...options, reader: createSourceReader() });
  if ('faults' in read) throw new ConfigError(read.faults);
  return read.configuration;
}
