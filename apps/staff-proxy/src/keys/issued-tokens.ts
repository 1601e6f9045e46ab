import { createHash } from 'node:crypto';

/** The bearer tokens that our own login has given out: in memory, by digest, each bound to the key that asked. */
export interface IssuedTokens {
  /** A new token for the holder of a key. */
  issue(keySha256: string, lifetimeS: number): string;
  /** The digest of the key behind a token; `expired` for one that was good, undefined for one never given. */
  find(token: string): { readonly keySha256: string } | 'expired' | undefined;
  /** Forgets the tokens of all keys but these: one that comes back later is another. */
  keepOnly(keySha256s: ReadonlySet<string>): void;
}

export interface IssuedTokensOptions {
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  /** Beyond this, a key's newest token ends its oldest: a caller that logs in for each request harms itself alone. */
  readonly tokensPerKeyMax?: number;
}

interface Entry {
  readonly keySha256: string;
  readonly expiresAtMs: number;
  /** Until then an expired token is told from one that was never given. */
  readonly forgetAtMs: number;
}

export function createIssuedTokens(options: IssuedTokensOptions): IssuedTokens {
  const { clock, randomBytes, tokensPerKeyMax = 1_000 } = options;
  const entries = new Map<string, Entry>();
  const digestsByKey = new Map<string, Set<string>>();

  function remove(digest: string, entry: Entry): void {
    entries.delete(digest);
    const digests = digestsByKey.get(entry.keySha256);
    digests?.delete(digest);
    if (digests?.size === 0) digestsByKey.delete(entry.keySha256);
  }

  /** The oldest end first; after a change of the lifetime some stay a little longer than they need. */
  function sweep(nowMs: number): void {
    for (const [digest, entry] of entries) {
      if (entry.forgetAtMs > nowMs) return;
      remove(digest, entry);
    }
  }

  return {
    issue(keySha256, lifetimeS) {
      const nowMs = clock();
      sweep(nowMs);
      const token = randomBytes(32).toString('base64url');
      const digest = digestOf(token);
      const digests = digestsByKey.get(keySha256) ?? new Set();
      const [oldest] = digests;
      const oldestEntry = oldest === undefined ? undefined : entries.get(oldest);
      if (oldest !== undefined && oldestEntry !== undefined && digests.size >= tokensPerKeyMax) {
        remove(oldest, oldestEntry);
      }
      digestsByKey.set(keySha256, digests.add(digest));
      const lifetimeMs = lifetimeS * 1_000;
      entries.set(digest, { keySha256, expiresAtMs: nowMs + lifetimeMs, forgetAtMs: nowMs + 2 * lifetimeMs });
      return token;
    },
    find(token) {
      const entry = entries.get(digestOf(token));
      if (entry === undefined) return undefined;
      return entry.expiresAtMs > clock() ? entry : 'expired';
    },
    keepOnly(keySha256s) {
      for (const [keySha256, digests] of digestsByKey) {
        if (keySha256s.has(keySha256)) continue;
        for (const digest of digests) entries.delete(digest);
        digestsByKey.delete(keySha256);
      }
    },
  };
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
