import type { z } from 'zod';
import {
  ConfigError,
  type ConfigFault,
  checkJsonFile,
  faultAt,
  type JsonFile,
  parseJsonFile,
} from '../config/index.ts';
import type { KeyRecord } from './keyring.ts';

/** One key as it stands in keys.json; times in ISO 8601, null or absent when there is none. */
export interface KeyEntry {
  readonly name: string;
  readonly owner: string;
  /** What the key begins with; never enough to guess the rest. */
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
  /** As they stand in the file, in its order. */
  readonly entries: readonly KeyEntry[];
  /** The same keys as a keyring takes them. */
  readonly records: readonly KeyRecord[];
}

/**
 * Reads the text of keys.json. Two keys of one name or one digest are faults.
 * @throws ConfigError with every fault and its place; never with a digest.
 */
export function parseKeysFile(text: string, path: string, schema: z.ZodType<KeysFileContent>): ParsedKeysFile {
  const file = parseJsonFile(text, path);
  const { keys } = checkJsonFile(schema, file);
  const faults = repeatedKeys(file, keys);
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze({ entries: keys, records: Object.freeze(keys.map(toKeyRecord)) });
}

/** A fault for each key that has the name or the digest of an earlier one. */
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
      const what = field === 'name' ? `The name is that of keys[${other}]` : `The key is that of keys[${other}]`;
      const remedy = field === 'name' ? 'give it another' : 'remove one of the two';
      faults.push(faultAt(file.locate(['keys', i, field]), `keys[${i}].${field}`, `${what}: ${remedy}.`));
    }
  });
  return faults;
}

/** The record of one entry, as a keyring takes it. */
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
