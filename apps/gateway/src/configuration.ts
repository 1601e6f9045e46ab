import type { Endpoint, Service, Settings } from '@rostergate/endpoints';
import { ConfigError } from '@rostergate/runtime/config';
import type { KeyRecord } from '@rostergate/runtime/keys';
import { createSourceReader, loadChecked } from '@rostergate/runtime/reload';
import { type ReadEditOptions, readEdit } from './sources/read-edit.ts';
import { createTextReader, type ReadNames, type ReadText } from './sources/text-reader.ts';

/** Everything that the files and the environment say, read, checked and frozen. No key is in it, only digests. */
export interface Configuration {
  readonly settings: Readonly<Settings>;
  readonly services: readonly Service[];
  readonly endpoints: readonly Endpoint[];
  /** Keys that open every secured route without keys of its own: those of `api_keys` and of keys.json. */
  readonly keys: readonly KeyRecord[];
  /** Keys that open one endpoint in place of the global ones, by operationId. */
  readonly endpointKeys: ReadonlyMap<string, readonly KeyRecord[]>;
  /** Both in PEM; undefined where plain HTTP is served. */
  readonly tls: { readonly certificate: string; readonly key: string } | undefined;
}

export interface ConfigurationOptions extends Omit<ReadEditOptions, 'reader'> {
  /** Where texts come from instead of the disk, by absolute path. */
  readonly readText?: ReadText;
  /** Names in folders, beside `readText`; without, there are no services of the user's own. */
  readonly readNames?: ReadNames;
}

/**
 * Reads the whole configuration once.
 * @throws ConfigError with every fault of every file at once.
 */
export async function loadConfiguration(given: ConfigurationOptions): Promise<Configuration> {
  const { readText, readNames, ...options } = given;
  const reader = readText === undefined ? createSourceReader() : createTextReader(readText, readNames);
  const read = await loadChecked(await readEdit({ ...options, reader }));
  if ('faults' in read) throw new ConfigError(read.faults);
  return read.configuration;
}

/** How much there is of what is served, for logs and verdicts. */
export function sizesOf({ endpoints, services, keys }: Pick<Configuration, 'endpoints' | 'services' | 'keys'>) {
  return { endpoints: endpoints.length, services: services.length, keys: keys.length };
}
