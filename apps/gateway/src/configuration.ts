import { ConfigError } from '@rostergate/runtime/config';
import { createSourceReader, type FileState, loadChecked, type SourceReader } from '@rostergate/runtime/reload';
import { type ReadEditOptions, readEdit } from './sources/read-edit.ts';
import type { Configuration } from './sources/read-sources.ts';

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

/** The text of a file by its absolute path; undefined when there is none. */
export type ReadText = (path: string) => string | undefined;

/** The names in a folder by its absolute path; undefined when there is none. */
export type ReadNames = (path: string) => readonly string[] | undefined;

/**
 * A reader of given texts. A configuration that is read through it, its services and their lazy imports included, comes
 * from these texts alone.
 */
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
