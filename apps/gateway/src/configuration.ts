import { ConfigError } from '@rostergate/config';
import { createSourceReader, type FileState, loadChecked, type SourceReader } from '@rostergate/config/reload';
import { type ReadEditOptions, readEdit } from './sources/read-edit.ts';
import type { Configuration } from './sources/read-sources.ts';

export interface ConfigurationOptions extends Omit<ReadEditOptions, 'reader'> {
  /** Reads texts by absolute path, instead of from disk. */
  readonly readText?: ReadText;
  /** Lists folders, beside `readText`; without it, there are no custom services. */
  readonly readNames?: ReadNames;
}

/**
 * Reads the whole configuration once.
 * @throws ConfigError with every fault of every file.
 */
export async function loadConfiguration(given: ConfigurationOptions): Promise<Configuration> {
  const { readText, readNames, ...options } = given;
  const reader = readText === undefined ? createSourceReader() : createTextReader(readText, readNames);
  const read = await loadChecked(await readEdit({ ...options, reader }));
  if ('faults' in read) throw new ConfigError(read.faults);
  return read.configuration;
}

/** Returns the text of a file by absolute path; undefined if there is none. */
export type ReadText = (path: string) => string | undefined;

/** Returns the names in a folder by absolute path; undefined if there is none. */
export type ReadNames = (path: string) => readonly string[] | undefined;

/** Returns a reader of the given texts. A configuration and its services are then read from these texts alone. */
export function createTextReader(readText: ReadText, readNames: ReadNames = () => undefined): SourceReader {
  const stamp = { text: 'given', changedMs: Number.NEGATIVE_INFINITY };
  return createSourceReader({
    readState(path): FileState {
      const text = readText(path);
      if (text !== undefined) return { kind: 'file', bytes: Buffer.from(text), exposure: 0, stamp };
      const names = readNames(path);
      return names === undefined ? { kind: 'absent', stamp } : { kind: 'folder', names, stamp };
    },
  });
}
