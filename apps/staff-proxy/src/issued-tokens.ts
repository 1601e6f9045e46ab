import { createHash } from 'node:crypto';

/** The bearer tokens that our own login has given out: in memory, by digest, each bound to the key that asked. */
export interface IssuedTokens {
  /** A new token for the holder of a key. */
  issue(keySha256: string): { readonly token: string; readonly lifetimeS: number };
  /** The digest of the key behind a token; `expired` for one that was good, undefined for one never given. */
  find(token: string): { readonly keySha256: string } | 'expired' | undefined;
}

export interface IssuedTokensOptions {
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  readonly lifetimeS: number;
  /** Beyond this, a key's newest token ends its oldest: a caller that logs in for each request harms itself alone. */
  readonly tokensPerKeyMax?: number;
}

interface Entry {
  readonly keySha256: string;
  readonly expiresAtMs: number;
}

export function createIssuedTokens(options: IssuedTokensOptions): IssuedTokens {
  const { clock, randomBytes, lifetimeS, tokensPerKeyMax = 1_000 } = options;
  const entries = new Map<string, Entry>();
  const digestsByKey = new Map<string, Set<string>>();

  function remove(digest: string, entry: Entry): void {
    entries.delete(digest);
    const digests = digestsByKey.get(entry.keySha256);
    digests?.delete(digest);
    if (digests?.size === 0) digestsByKey.delete(entry.keySha256);
  }

  /** One lifetime for all, so the map is in order of expiry. An expired token is remembered one lifetime more. */
  function sweep(nowMs: number): void {
    for (const [digest, entry] of entries) {
      if (entry.expiresAtMs + lifetimeS * 1_000 > nowMs) return;
      remove(digest, entry);
    }
  }

  return {
    issue(keySha256) {
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
      entries.set(digest, { keySha256, expiresAtMs: nowMs + lifetimeS * 1_000 });
      return { token, lifetimeS };
    },
    find(token) {
      const entry = entries.get(digestOf(token));
      if (entry === undefined) return undefined;
      return entry.expiresAtMs > clock() ? entry : 'expired';
    },
  };
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
