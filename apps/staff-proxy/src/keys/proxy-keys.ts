import { createKeyring, type KeyRecord } from '@rostergate/runtime/keys';

/** A caller's key: who holds it, and the account and company it stands for. Itself the principal of a request. */
export interface StaffKey extends KeyRecord {
  /** Name of the service account that requests of this key are made with. */
  readonly account: string;
  readonly companyKey: string;
  /** What the key may not do, by operationId; nothing when absent. */
  readonly forbidden?: ReadonlySet<string>;
}

/** When a key ends, by its expiry or its revocation; `Infinity` for one that does not. */
export function endOf({ expiresAtMs = Infinity, revokedAtMs = Infinity }: KeyRecord): number {
  return Math.min(expiresAtMs, revokedAtMs);
}

/** The keys of now, found by what a caller presents or by the digest that an issued token is bound to. */
export interface ProxyKeys {
  find(key: string, connection?: object): StaffKey | undefined;
  findByDigest(sha256: string): StaffKey | undefined;
}

export function createProxyKeys(keys: readonly StaffKey[]): ProxyKeys {
  const { find } = createKeyring(keys);
  const byDigest = new Map(keys.map((key) => [key.sha256, key]));
  return Object.freeze({ find, findByDigest: (sha256: string) => byDigest.get(sha256) });
}
