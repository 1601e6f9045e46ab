import { hash } from 'node:crypto';

/** A key as it is stored: its digest, and what its holder may do. */
export interface KeyRecord {
  readonly name: string;
  /** Limits count per owner, however many keys one has. */
  readonly owner: string;
  /** SHA-256 of the key, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly scopes: readonly string[];
  /** The name of its owner's limits; absent for the default. */
  readonly plan?: string | undefined;
  readonly expiresAtMs?: number | undefined;
  readonly revokedAtMs?: number | undefined;
  /** Fields of a stored key that only its kind of server reads, as JSON. */
  readonly attributes?: string | undefined;
}

export interface Keyring<R extends KeyRecord = KeyRecord> {
  /**
   * Returns the record of a key, expired and revoked ones included; undefined for an unknown key. A connection mostly
   * presents the same key again, so the digest of its last key is cached.
   */
  find(key: string, connection?: object): R | undefined;
  readonly size: number;
}

/** The keys of a store that several gateways share. */
export interface SharedKeys {
  /**
   * Returns the record of a digest, else `local`, the record that this gateway has by itself.
   * @throws Problem 503 `unavailable` while the store cannot be read and the key may be valid
   */
  find(digest: string, local: KeyRecord | undefined): KeyRecord | undefined;
}

/**
 * Returns a keyring that finds records by the SHA-256 of the key. The time of a lookup depends on the digest alone,
 * which reveals nothing about how much of a guess was right. Records of `shared` win.
 * @throws Error for a digest that is malformed or stored twice
 */
export function createKeyring<R extends KeyRecord>(records: readonly R[]): Keyring<R>;
export function createKeyring(records: readonly KeyRecord[], shared: SharedKeys | undefined): Keyring;
export function createKeyring(records: readonly KeyRecord[], shared?: SharedKeys): Keyring {
  const byDigest = new Map<string, KeyRecord>();
  for (const record of records) {
    if (!/^[0-9a-f]{64}$/.test(record.sha256)) {
      throw new Error(`The key ${record.name} has no SHA-256 digest of 64 lower-case hexadecimal digits.`);
    }
    const twin = byDigest.get(record.sha256);
    if (twin !== undefined) throw new Error(`The keys ${twin.name} and ${record.name} have the same digest.`);
    byDigest.set(record.sha256, record);
  }
  const findShared = (key: string, connection?: object) => {
    const digest = digestOn(connection, key);
    return shared?.find(digest, byDigest.get(digest));
  };
  return Object.freeze({
    find: shared ? findShared : (key: string, connection?: object) => byDigest.get(digestOn(connection, key)),
    size: byDigest.size,
  });
}

/** The last key of each connection. Comparing with it reveals only what was sent on that connection. */
const presentedOn = new WeakMap<object, { readonly key: string; readonly digest: string }>();

/** Returns the digest of a key or token, which a connection mostly presents again. */
export function digestOn(connection: object | undefined, key: string): string {
  if (connection === undefined) return keyDigest(key);
  const last = presentedOn.get(connection);
  if (last?.key === key) return last.digest;
  const digest = keyDigest(key);
  presentedOn.set(connection, { key, digest });
  return digest;
}

/** Returns the SHA-256 of a key, lower-case hexadecimal: the only form in which a key is stored. */
export function keyDigest(key: string): string {
  return hash('sha256', key, 'hex');
}
