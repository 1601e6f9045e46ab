import { hash } from 'node:crypto';
import type { KeyRecord, SharedKeys } from '@rostergate/access/keys';
import type { DependencyStatus } from '@rostergate/server/lifecycle';
import { endOf, type StaffKey } from './proxy-keys.ts';
import { createRedisTokenStore } from './redis-token-store.ts';
import { createMemoryTokenStore, type FoundToken, type OtherTokens, type TokenStore } from './token-store.ts';

/** The bearer tokens issued by the proxy's login, each bound to the key that it was issued to. */
export interface IssuedTokens {
  /**
   * Returns a new token for a key; undefined when the key has been removed or has ended meanwhile.
   * @throws Problem 503 `unavailable` when it cannot be stored
   */
  issue(keySha256: string, lifetimeMs: number): Promise<string | undefined>;
  /**
   * Returns the key behind a token; undefined for an unknown or deleted token.
   * @throws Problem 503 `unavailable` when the store is unreachable
   */
  find(token: string): FoundToken | undefined | Promise<FoundToken | undefined>;
  /** Applies new settings and keys. Tokens end with these keys, even when a key is added again. */
  use(settings: TokenSettings, keys: readonly StaffKey[]): void;
  status(): DependencyStatus | Promise<DependencyStatus>;
  close(): void;
}

/** The settings of the token store. */
export interface TokenSettings {
  /** Empty for a store in memory. */
  readonly redis_url: string;
  readonly redis_prefix: string;
}

export interface IssuedTokensOptions {
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  readonly createStore?: (settings: TokenSettings) => TokenStore;
  /** The keys of the key store, if there is one. */
  readonly stored?: SharedKeys | undefined;
}

/**
 * Stores tokens in memory, or in Redis if `redis_url` is set. An edit that removes a key or ends it sooner ends its tokens
 * as well, and no later edit revives them. At the start the tokens of all unknown keys are deleted, except those of the key
 * store: its keys are known later, and are checked with each request.
 */
export function createIssuedTokens(
  settings: TokenSettings,
  keys: readonly StaffKey[],
  options: IssuedTokensOptions,
): IssuedTokens {
  const { clock, randomBytes, createStore = (given) => storeOf(given, clock), stored } = options;
  let used = settings;
  let store = createStore(settings);
  let current = byDigest(keys);
  /** Ends that the store has not applied yet; no token is found or issued before. */
  let pending: Ends | undefined;
  let applying: Promise<void> | undefined;

  async function applyEnds(ends: Ends): Promise<void> {
    const nowMs = clock();
    // Tokens of a removed key are deleted; those of an ended key expire, so that the error can say so.
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

  /** Returns the current record of a key, of the store first. */
  function recordOf(sha256: string): KeyRecord | undefined {
    const local = current.get(sha256);
    return stored === undefined ? local : stored.find(sha256, local);
  }

  function end(ends: Ends): void {
    pending = ends;
    // If the store is unreachable, the next request tries again.
    void untilApplied().catch(() => {});
  }

  end({ byKey: endsOf(keys), others: 'delete' });

  return {
    async issue(keySha256, lifetimeMs) {
      const key = recordOf(keySha256);
      if (key === undefined) return undefined;
      // A reload meanwhile creates new records.
      const isStored = key !== current.get(keySha256);
      await untilApplied();
      const token = randomBytes(32).toString('base64url');
      await store.save(digestOf(token), keySha256, lifetimeMs, isStored);
      const endMs = endIfAny(recordOf(keySha256));
      if (endMs >= endOf(key)) return token;
      // An edit has ended the key sooner while the token was being stored.
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
      const isSameStore = placeOf(next) === placeOf(used);
      used = next;
      if (!isSameStore) {
        store.close();
        store = createStore(next);
        end({ byKey: endsOf(nextKeys), others: 'delete' });
        return;
      }
      const earlier = new Map<string, number>();
      for (const [sha256, key] of former) {
        const endMs = endIfAny(current.get(sha256));
        if (endMs < endOf(key)) earlier.set(sha256, endMs);
      }
      if (earlier.size > 0) end(join(pending, earlier));
    },
    status: () => store.status(),
    close: () => store.close(),
  };
}

/** The latest end of tokens, by the digests of their keys. */
interface Ends {
  readonly byKey: ReadonlyMap<string, number>;
  /** What happens to the tokens of other keys, which a process with a newer file may have issued. */
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

/** The end of a removed key. */
const gone = 0;

function endIfAny(key: KeyRecord | undefined): number {
  return key === undefined ? gone : endOf(key);
}

/** The format of issued tokens: 32 bytes in base64url. Other texts are not looked up. */
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
