import { resolve } from 'node:path';
import { KeyEntriesError, type KeyRecord, parseKeyEntries, parseKeyFile } from '@rostergate/runtime/keys';

/** Reads a text file; undefined when there is none. Throws when it is there but cannot be read. */
export type ReadText = (path: string) => string | undefined;

/**
 * The records behind an `api_keys` setting: a comma-separated list, or the path of a file with one a line. What looks
 * like a path never counts as a key: a mistyped path must not become a password.
 * @throws KeyEntriesError
 */
export function readKeySource(text: string, folder: string, readText: ReadText): readonly KeyRecord[] {
  const given = text.trim();
  if (given === '') return [];
  const isList = given.includes(',');
  const isPath =
    /^(\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/])|\.(txt|keys|list|conf)$/.test(given) || (!isList && /[\\/]/.test(given));
  if (isList && !isPath) return parseKeyEntries(given);
  const file = given.startsWith('sha256:') ? undefined : readText(resolve(folder, given));
  if (file !== undefined) return parseKeyFile(file);
  if (isPath)
    throw new KeyEntriesError(
      'The value looks like a path, but there is no such file. Give a key with a slash as sha256:<digest>.',
    );
  return parseKeyEntries(given);
}
