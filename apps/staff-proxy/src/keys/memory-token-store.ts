import { type FoundToken, type TokenStore, tokensPerKeyMax } from './token-store.ts';

interface Entry {
  readonly keySha256: string;
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

  /** The oldest first; after a change of the lifetime some stay a little longer than they need. */
  function sweep(nowMs: number): void {
    for (const [digest, entry] of entries) {
      if (entry.forgetAtMs > nowMs) return;
      remove(digest, entry);
    }
  }

  return {
    save(digest, keySha256, lifetimeMs) {
      const nowMs = clock();
      sweep(nowMs);
      const [oldest] = digestsByKey.get(keySha256) ?? [];
      const oldestEntry = oldest === undefined ? undefined : entries.get(oldest);
      if (oldest !== undefined && oldestEntry !== undefined && digestsByKey.get(keySha256)?.size === tokensPerKeyMax) {
        remove(oldest, oldestEntry);
      }
      const digests = digestsByKey.get(keySha256) ?? new Set();
      digestsByKey.set(keySha256, digests.add(digest));
      entries.set(digest, { keySha256, expiresAtMs: nowMs + lifetimeMs, forgetAtMs: nowMs + 2 * lifetimeMs });
    },
    find(digest): FoundToken | undefined {
      const entry = entries.get(digest);
      return entry && { keySha256: entry.keySha256, isExpired: entry.expiresAtMs <= clock() };
    },
    shorten(leftMs, others) {
      const nowMs = clock();
      for (const [digest, entry] of entries) {
        const left = leftMs.get(entry.keySha256) ?? (others === 'delete' ? 0 : Infinity);
        if (left <= 0) remove(digest, entry);
        else entry.expiresAtMs = Math.min(entry.expiresAtMs, nowMs + left);
      }
    },
    status: () => ({ status: 'ready', store: 'memory' }),
    close() {},
  };
}
