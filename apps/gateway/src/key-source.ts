import { resolve } from 'node:path';
import { KeyEntriesError, type KeyRecord, parseKeyEntries, parseKeyFile } from '@rostergate/runtime/keys';

/** The text of a file that may not be there; what is but a guess may be a key, and is to be named nowhere. */
export type ReadKeyFile = (path: string, how: { readonly isGuess: boolean }) => Promise<string | undefined>;

/** Why a file with keys could not be read. */
export class KeyFileError extends KeyEntriesError {
  readonly path: string;

  constructor(path: string, { message, position }: KeyEntriesError) {
    super(message, position);
    this.name = 'KeyFileError';
    this.path = path;
  }
}

/**
 * The records behind an `api_keys` setting: a comma-separated list, or the path of a file with one a line. What looks
 * like a path never counts as a key: a mistyped path must not become a password.
 * @throws KeyEntriesError, or KeyFileError where the fault stands in the file.
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
      'The value looks like a path, but there is no such file. Give a key with a slash as sha256:<digest>.',
    );
  }
  return parseKeyEntries(given);
}

/**
 * The same source with every key in it replaced by its digest, so that it can be kept and read again later. A path is
 * kept as it is, and so is what cannot be read: for whoever reads it to say why.
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
  /** Never a key: a slash alone is enough for that, outside of a list. */
  readonly isPath: boolean;
  /** Not surely a path: a key in base64 that was given by mistake has slashes too. */
  readonly isGuess: boolean;
}

function shapeOf(text: string): Shape {
  const given = text.trim();
  const isList = given.includes(',');
  const isGuess = !/^(\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/])|\.(txt|keys|list|conf)$/.test(given);
  const isPath = !isGuess || (!isList && /[\\/]/.test(given));
  return { given, isList, isPath, isGuess };
}
