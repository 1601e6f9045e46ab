import { createKeyring, type KeyRecord } from '@rostergate/access/keys';

/** The scope for writes; keys of an account with `admin: true` have it. */
export const adminScope = 'admin';

/** A caller's key with its owner, account and company; the principal of a request. */
export interface StaffKey extends KeyRecord {
  /** Name of the service account that the upstream sees. */
  readonly account: string;
  readonly companyKey: string;
  /** OperationIds that the key must not call; none when absent. */
  readonly forbidden?: ReadonlySet<string>;
  /** OperationIds beyond the contract that the key may call; none when absent. */
  readonly granted?: ReadonlySet<string>;
  /** Whether responses keep members that the contract lacks. */
  readonly keepsUnknownMembers?: boolean;
}

/** Returns when a key expires or is revoked; `Infinity` for never. */
export function endOf({ expiresAtMs = Infinity, revokedAtMs = Infinity }: KeyRecord): number {
  return Math.min(expiresAtMs, revokedAtMs);
}

/** The keys of a configuration, found by their text or by the digest that a token is bound to. */
export interface ProxyKeys {
  find(key: string, connection?: object): StaffKey | undefined;
  findByDigest(sha256: string): StaffKey | undefined;
}

export function createProxyKeys(keys: readonly StaffKey[]): ProxyKeys {
  const { find } = createKeyring(keys);
  const byDigest = new Map(keys.map((key) => [key.sha256, key]));
  return Object.freeze({ find, findByDigest: (sha256: string) => byDigest.get(sha256) });
}
