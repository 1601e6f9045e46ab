import {
  ConfigError,
  type ConfigFault,
  checkJsonFile,
  faultAt,
  type JsonFile,
  parseJsonFile,
} from '@rostergate/config';
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
