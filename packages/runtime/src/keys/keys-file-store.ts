import { existsSync, readFileSync } from 'node:fs';
import { parseJsonFile } from '../config/index.ts';
import {
  FileLockError,
  type FileLockOptions,
  removeTemporaries,
  withFileLock,
  writeWholeFile,
} from '../files/index.ts';

/** A keys file as JSON, with whatever else it holds. */
export interface RawKeysFile {
  readonly keys: readonly RawKeyEntry[];
  readonly [other: string]: unknown;
}

export interface RawKeyEntry {
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface KeysFileStoreOptions extends FileLockOptions {
  readonly path: string;
  /** Reads the text as the server does; throws a ConfigError for one that it would refuse. */
  readonly check: (text: string, path: string) => void;
}

/** The file of a keys store as it is; one without keys when there is no file. */
export function readKeysFileStore({ path, check }: Pick<KeysFileStoreOptions, 'path' | 'check'>): RawKeysFile {
  if (!existsSync(path)) return { keys: [] };
  const text = readFileSync(path, 'utf8');
  check(text, path);
  const file = parseJsonFile(text, path).value as RawKeysFile;
  // One that begins with what keys need, such as accounts, may have none yet.
  return (file.keys as unknown) === undefined ? { ...file, keys: [] } : file;
}

/**
 * Changes a keys file, or makes it: one writer at a time, whole or not at all, readable by its owner alone. What the
 * server would refuse is never written. Fields that nobody knows stay as they are.
 * @throws ConfigError for a file with faults, before or after the edit; FileLockError; and what `edit` throws.
 */
export async function editKeysFile(
  options: KeysFileStoreOptions,
  edit: (file: RawKeysFile) => RawKeysFile,
): Promise<void> {
  const { path, check, ...lock } = options;
  const lockPath = `${path}.lock`;
  await withFileLock(
    lockPath,
    (isHeld) => {
      removeTemporaries(path);
      const file = edit(readKeysFileStore(options));
      const text = `${JSON.stringify(file, null, 2)}\n`;
      check(text, path);
      const beforeReplace = () => {
        if (!isHeld()) throw new FileLockError(lockPath, 'another process');
      };
      writeWholeFile(path, text, { mode: 0o600, beforeReplace });
    },
    lock,
  );
}
