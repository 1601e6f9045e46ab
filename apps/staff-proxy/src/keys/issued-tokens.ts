import { hash } from 'node:crypto';
import type { DependencyStatus } from '@rostergate/runtime/lifecycle';
import { createMemoryTokenStore } from './memory-token-store.ts';
import { endOf, type StaffKey } from './proxy-keys.ts';
import { createRedisTokenStore } from './redis-token-store.ts';
import type { FoundToken, OtherTokens, TokenStore } from './token-store.ts';

/** The bearer tokens that the proxy's own login has issued, each bound to the key that asked for it. */
export interface IssuedTokens {
  /**
   * A new token for the holder of a key; undefined where the key has gone meanwhile.
   * @throws Problem 503 `unavailable` where it cannot be stored
   */
  issue(keySha256: string, lifetimeMs: number): Promise<string | undefined>;
  /**
   * The key behind a token; undefined for one that was never issued or has been deleted.
   * @throws Problem 503 `unavailable` where that cannot be known
   */
  find(token: string): FoundToken | undefined | Promise<FoundToken | undefined>;
  /** Stores tokens where these settings say. Tokens end no later than these keys, even when the keys return. */
  use(settings: TokenSettings, keys: readonly StaffKey[]): void;
  status(): DependencyStatus | Promise<DependencyStatus>;
  close(): void;
}

/** The settings that say where tokens are stored. */
export interface TokenSettings {
  /** Empty where they are stored in memory. */
  readonly redis_url: string;
  readonly redis_prefix: string;
}

export interface IssuedTokensOptions {
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  readonly createStore?: (settings: TokenSettings) => TokenStore;
}

/**
 * Stores tokens in memory, or in Redis when `redis_url` names one. An edit that removes a key, or moves its end forward in
 * time, ends the key's tokens then, and no later edit revives them. At the start, so does every key that is not given.
 */
export function createIssuedTokens(
  settings: TokenSettings,
  keys: readonly StaffKey[],
  options: IssuedTokensOptions,
): IssuedTokens {
  const { clock, randomBytes, createStore = (given) => storeOf(given, clock) } = options;
  let used = settings;
  let store = createStore(settings);
  let current = byDigest(keys);
  /** Ends that the store has not applied yet: no token is found or issued before. */
  let pending: Ends | undefined;
  let applying: Promise<void> | undefined;

  async function applyEnds(ends: Ends): Promise<void> {
    const nowMs = clock();
    // The tokens of a key that is gone are deleted; those of one that has ended expire, and so tell what became of it.
    const leftMs = new Map(
      [...ends.byKey].map(([key, endMs]) => [key, endMs === gone ? 0 : Math.max(1, endMs - nowMs)]),
    );
    await store.shorten(leftMs, ends.others);
    if (pending === ends) pending = undefined;
  }

  async function untilApplied(): Promise<void> {
    while (pending !== undefined) {
      applying ??= applyEnds(pending).finally(() => {
        applying = undefined;
      });
      await applying;
    }
  }

  function end(ends: Ends): void {
    pending = ends;
    // Where the store is away, the next request tries again.
    void untilApplied().catch(() => {});
  }

  end({ byKey: endsOf(keys), others: 'delete' });

  return {
    async issue(keySha256, lifetimeMs) {
      const key = current.get(keySha256);
      if (key === undefined) return undefined;
      await untilApplied();
      const token = randomBytes(32).toString('base64url');
      await store.save(digestOf(token), keySha256, lifetimeMs);
      const endMs = endIn(current, keySha256);
      if (endMs >= endOf(key)) return token;
      // An edit has ended the key earlier while the token was being stored.
      end(join(pending, new Map([[keySha256, endMs]])));
      await untilApplied();
      return endMs > clock() ? token : undefined;
    },
    find(token) {
      if (!isToken.test(token)) return undefined;
      const find = () => store.find(digestOf(token));
      return pending === undefined ? find() : untilApplied().then(find);
    },
    use(next, nextKeys) {
      const former = current;
      current = byDigest(nextKeys);
      const isSamePlace = placeOf(next) === placeOf(used);
      used = next;
      if (!isSamePlace) {
        store.close();
        store = createStore(next);
        end({ byKey: endsOf(nextKeys), others: 'delete' });
        return;
      }
      const earlier = new Map<string, number>();
      for (const [sha256, key] of former) {
        const endMs = endIn(current, sha256);
        if (endMs < endOf(key)) earlier.set(sha256, endMs);
      }
      if (earlier.size > 0) end(join(pending, earlier));
    },
    status: () => store.status(),
    close: () => store.close(),
  };
}

/** When the tokens of keys end at the latest, by the digests of the keys. */
interface Ends {
  readonly byKey: ReadonlyMap<string, number>;
  /** What becomes of the tokens of other keys: another process may have issued them by a later edit of the file. */
  readonly others: OtherTokens;
}

function join(pending: Ends | undefined, earlier: ReadonlyMap<string, number>): Ends {
  if (pending === undefined) return { byKey: earlier, others: 'keep' };
  const byKey = new Map(pending.byKey);
  const unnamedMs = pending.others === 'delete' ? gone : Infinity;
  for (const [key, endMs] of earlier) byKey.set(key, Math.min(endMs, byKey.get(key) ?? unnamedMs));
  return { byKey, others: pending.others };
}

const endsOf = (keys: readonly StaffKey[]) => new Map(keys.map((key) => [key.sha256, endOf(key)]));

/** The end of a key that is not there. */
const gone = 0;

function endIn(keys: ReadonlyMap<string, StaffKey>, sha256: string): number {
  const key = keys.get(sha256);
  return key === undefined ? gone : endOf(key);
}

/** What `issue` makes: 32 bytes in base64url. Nothing else need be looked up. */
const isToken = /^[\w-]{43}$/;

function storeOf({ redis_url: url, redis_prefix: prefix }: TokenSettings, clock: () => number): TokenStore {
  return url === '' ? createMemoryTokenStore(clock) : createRedisTokenStore({ url, prefix, clock });
}

function placeOf({ redis_url, redis_prefix }: TokenSettings): string {
  return redis_url === '' ? '' : JSON.stringify([redis_url, redis_prefix]);
}

function byDigest(keys: readonly StaffKey[]): ReadonlyMap<string, StaffKey> {
  return new Map(keys.map((key) => [key.sha256, key]));
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
