import type { DependencyStatus } from '@rostergate/server/lifecycle';

/** The key behind a token, and whether the token has expired. */
export interface FoundToken {
  readonly keySha256: string;
  readonly isExpired: boolean;
}

/** Beyond this, a key's newest token replaces its oldest: a client that logs in for each request harms only itself. */
export const tokensPerKeyMax = 1_000;

/** What happens to the tokens of keys that are neither named nor in the key store. */
export type OtherTokens = 'keep' | 'delete';

/**
 * Stores issued tokens by their digests, each bound to the key that it was issued to. An expired token is distinguished
 * from an unknown one for one more lifetime.
 */
export interface TokenStore {
  /** `isStored` is whether the key is in the key store. Rejects with a `Problem` 503 when the token cannot be stored. */
  save(digest: string, keySha256: string, lifetimeMs: number, isStored: boolean): void | Promise<void>;
  /** Rejects with a `Problem` 503 when the store is unreachable. */
  find(digest: string): FoundToken | undefined | Promise<FoundToken | undefined>;
  /**
   * Shortens the remaining lifetime of tokens to the milliseconds given for the digest of their key; 0 deletes them.
   * `others` decides about the tokens of all other keys, except those of the key store.
   */
  shorten(leftMs: ReadonlyMap<string, number>, others: OtherTokens): void | Promise<void>;
  /** Returns the readiness of the store. */
  status(): DependencyStatus | Promise<DependencyStatus>;
  close(): void;
}

interface Entry {
  readonly keySha256: string;
  readonly isStored: boolean;
  expiresAtMs: number;
  readonly forgetAtMs: number;
}

/** Stores tokens in the memory of this process. */
export function createMemoryTokenStore(clock: () => number): TokenStore {
  const entries = new Map<string, Entry>();
  const digestsByKey = new Map<string, Set<string>>();

  function remove(digest: string, entry: Entry): void {
    entries.delete(digest);
    const digests = digestsByKey.get(entry.keySha256);
    digests?.delete(digest);
    if (digests?.size === 0) digestsByKey.delete(entry.keySha256);
  }

  /** Removes the oldest first; after a change of the lifetime some entries stay a little too long. */
  function sweep(nowMs: number): void {
    for (const [digest, entry] of entries) {
      if (entry.forgetAtMs > nowMs) return;
      remove(digest, entry);
    }
  }

  return {
    save(digest, keySha256, lifetimeMs, isStored) {
      const nowMs = clock();
      sweep(nowMs);
      const [oldest] = digestsByKey.get(keySha256) ?? [];
      const oldestEntry = oldest === undefined ? undefined : entries.get(oldest);
      if (oldest !== undefined && oldestEntry !== undefined && digestsByKey.get(keySha256)?.size === tokensPerKeyMax) {
        remove(oldest, oldestEntry);
      }
      const digests = digestsByKey.get(keySha256) ?? new Set();
      digestsByKey.set(keySha256, digests.add(digest));
      const times = { expiresAtMs: nowMs + lifetimeMs, forgetAtMs: nowMs + 2 * lifetimeMs };
      entries.set(digest, { keySha256, isStored, ...times });
    },
    find(digest): FoundToken | undefined {
      const entry = entries.get(digest);
      return entry && { keySha256: entry.keySha256, isExpired: entry.expiresAtMs <= clock() };
    },
    shorten(leftMs, others) {
      const nowMs = clock();
      for (const [digest, entry] of entries) {
        const left = leftMs.get(entry.keySha256) ?? (others === 'delete' && !entry.isStored ? 0 : Infinity);
        if (left <= 0) remove(digest, entry);
        else entry.expiresAtMs = Math.min(entry.expiresAtMs, nowMs + left);
      }
    },
    status: () => ({ status: 'ready', store: 'memory' }),
    close() {},
  };
}
