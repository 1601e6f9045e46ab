import { resolve } from 'node:path';
import { KeyEntriesError, type KeyRecord, parseKeyEntries, parseKeyFile } from '@rostergate/access/keys';

/** Returns the text of a file if it exists. A guessed path may be a key and must not appear in messages. */
export type ReadKeyFile = (path: string, how: { readonly isGuess: boolean }) => Promise<string | undefined>;

/** Thrown for a fault in a file of keys. */
export class KeyFileError extends KeyEntriesError {
  readonly path: string;

  constructor(path: string, { message, position }: KeyEntriesError) {
    super(message, position);
    this.name = 'KeyFileError';
    this.path = path;
  }
}

/**
 * Returns the records of an `api_keys` setting: a comma-separated list, or the path of a file with one key per line. A
 * value that looks like a path is never a key: a mistyped path must not become a password.
 * @throws KeyEntriesError, or KeyFileError for a fault in the file.
 */
export async function readKeySource(
  text: string,
  folder: string,
  readFile: ReadKeyFile,
): Promise<readonly KeyRecord[]> {
  const { given, isList, isPath, isGuess } = shapeOf(text);
  if (given === '') return [];
  if (isList && !isPath) return parseKeyEntries(given);
  const path = resolve(folder, given);
  const file = given.startsWith('sha256:') ? undefined : await readFile(path, { isGuess });
  if (file !== undefined) return parseFile(file, path);
  if (isPath) {
    throw new KeyEntriesError(
      'The value looks like a path, but there is no such file. Write a key with a slash as sha256:<digest>.',
    );
  }
  return parseKeyEntries(given);
}

/**
 * Returns the source with every key replaced by its digest, to be stored and read again later. A path is unchanged, and
 * so is an invalid source, which fails when it is read.
 */
export async function sealKeySource(text: string, folder: string, readFile: ReadKeyFile): Promise<string> {
  const { given, isList, isPath } = shapeOf(text);
  if (given === '' || isPath) return given;
  if (!isList && (await readFile(resolve(folder, given), { isGuess: true })) !== undefined) return given;
  try {
    return parseKeyEntries(given)
      .map(({ sha256 }) => `sha256:${sha256}`)
      .join(',');
  } catch (error) {
    if (error instanceof KeyEntriesError) return given;
    throw error;
  }
}

function parseFile(text: string, path: string): readonly KeyRecord[] {
  try {
    return parseKeyFile(text);
  } catch (error) {
    throw error instanceof KeyEntriesError ? new KeyFileError(path, error) : error;
  }
}

interface Shape {
  readonly given: string;
  readonly isList: boolean;
  /** Never a key: outside of a list, a slash is enough. */
  readonly isPath: boolean;
  /** Not certainly a path: a base64 key may contain slashes. */
  readonly isGuess: boolean;
}

function shapeOf(text: string): Shape {
  const given = text.trim();
  const isList = given.includes(',');
  const isGuess = !/^(\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/])|\.(txt|keys|list|conf)$/.test(given);
  const isPath = !isGuess || (!isList && /[\\/]/.test(given));
  return { given, isList, isPath, isGuess };
}
