import { existsSync, readFileSync } from 'node:fs';
import {
  ConfigError,
  type ConfigFault,
  checkJsonFile,
  faultAt,
  type JsonFile,
  parseJsonFile,
} from '@rostergate/config';
import {
  FileLockError,
  type FileLockOptions,
  removeTemporaries,
  withFileLock,
  writeWholeFile,
} from '@rostergate/config/files';
import type { z } from 'zod';
import type { KeyRecord } from './keyring.ts';

/** One entry of keys.json; times in ISO 8601, null or absent when there is none. */
export interface KeyEntry {
  readonly name: string;
  readonly owner: string;
  /** The first characters of the key, too few to guess the rest. */
  readonly prefix?: string | undefined;
  /** SHA-256 of the key, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly scopes?: readonly string[] | undefined;
  readonly created_at?: string | null | undefined;
  readonly expires_at?: string | null | undefined;
  readonly revoked_at?: string | null | undefined;
}

export interface KeysFileContent {
  readonly keys: readonly KeyEntry[];
}

export interface ParsedKeysFile {
  /** The entries of the file, in its order. */
  readonly entries: readonly KeyEntry[];
  /** The same keys as records for a keyring. */
  readonly records: readonly KeyRecord[];
}

/**
 * Parses the text of keys.json and checks that names and digests are unique.
 * @throws ConfigError with every fault and its place, never with a digest
 */
export function parseKeysFile(text: string, path: string, schema: z.ZodType<KeysFileContent>): ParsedKeysFile {
  const file = parseJsonFile(text, path);
  const { keys } = checkJsonFile(schema, file);
  const faults = repeatedKeys(file, keys);
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze({ entries: keys, records: Object.freeze(keys.map(toKeyRecord)) });
}

/** Returns a fault for each key with the name or the digest of an earlier one. */
export function repeatedKeys(
  file: Pick<JsonFile, 'locate'>,
  keys: readonly { readonly name: string; readonly sha256: string }[],
): readonly ConfigFault[] {
  const faults: ConfigFault[] = [];
  const seen = new Map<string, number>();
  keys.forEach((entry, i) => {
    for (const field of ['name', 'sha256'] as const) {
      const other = seen.get(`${field} ${entry[field]}`);
      if (other === undefined) {
        seen.set(`${field} ${entry[field]}`, i);
        continue;
      }
      const what = field === 'name' ? `keys[${other}] has the same name` : `keys[${other}] is the same key`;
      const remedy = field === 'name' ? 'choose another' : 'remove one of the two';
      faults.push(faultAt(file.locate(['keys', i, field]), `keys[${i}].${field}`, `${what}: ${remedy}.`));
    }
  });
  return faults;
}

/** Returns the record of an entry for a keyring. */
export function toKeyRecord({ name, owner, sha256, scopes = [], expires_at, revoked_at }: KeyEntry): KeyRecord {
  return Object.freeze({
    name,
    owner,
    sha256,
    scopes: Object.freeze([...scopes]),
    ...(expires_at ? { expiresAtMs: Date.parse(expires_at) } : {}),
    ...(revoked_at ? { revokedAtMs: Date.parse(revoked_at) } : {}),
  });
}

/** A keys file as JSON, unknown fields included. */
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
  /** Parses the text as the server does; throws a ConfigError for an invalid one. */
  readonly check: (text: string, path: string) => void;
}

/** Returns the content of a keys file, unknown fields included; without keys when the file does not exist. */
export function readKeysFileStore({ path, check }: Pick<KeysFileStoreOptions, 'path' | 'check'>): RawKeysFile {
  if (!existsSync(path)) return { keys: [] };
  const text = readFileSync(path, 'utf8');
  check(text, path);
  const file = parseJsonFile(text, path).value as RawKeysFile;
  // A file with accounts alone has no keys yet.
  return (file.keys as unknown) === undefined ? { ...file, keys: [] } : file;
}

/**
 * Edits or creates a keys file: one writer at a time, atomically, readable by its owner alone. Keeps unknown fields,
 * and never writes a file that the server would reject.
 * @throws ConfigError for an invalid file before or after the edit; FileLockError; and what `edit` throws
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
