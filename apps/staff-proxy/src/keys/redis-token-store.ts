import {
  createRedisConnection,
  createRedisScript,
  describeRedisError,
  PauseTolerantTimer,
  type RedisConnection,
  type RedisScript,
} from '@rostergate/access/limits';
import { Problem } from '@rostergate/server/problem';
import { type TokenStore, tokensPerKeyMax } from './token-store.ts';

export interface RedisTokenStoreOptions {
  readonly url: string;
  /** Prefix of all key names in Redis. */
  readonly prefix: string;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** How long a request waits for Redis. */
  readonly deadlineMs?: number;
  /** How long requests fail at once after a failure of Redis. */
  readonly pauseMs?: number;
}

/**
 * Stores tokens in Redis, for all processes that share it and the prefix. Rejects with 503 when Redis does not reply in
 * time, and at once while Redis is unreachable.
 */
export function createRedisTokenStore(options: RedisTokenStoreOptions): TokenStore {
  const { url, clock, deadlineMs = 1_000, pauseMs = 500 } = options;
  const connection = createRedisConnection(url);
  // The scripts use several keys, which a cluster must store on one node.
  const prefix = connection.isCluster ? `${options.prefix}{tokens}:` : options.prefix;
  const tokenName = (digest: string) => `${prefix}token:${digest}`;
  const listsPrefix = `${prefix}tokens-of:`;
  const keysName = `${prefix}keys-with-tokens`;
  const storedKeysName = `${prefix}stored-keys-with-tokens`;
  /** The last failure of Redis; undefined while it replies. */
  let fault: string | undefined;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let isProbing = false;

  async function ask(...command: Command): Promise<unknown> {
    if (clock() < pausedUntilMs) throw unavailable();
    try {
      return await run(command);
    } catch (error) {
      // A single command may be slow: the connection is reset only when a probe fails too.
      if (error instanceof LateError) void probe();
      else pause();
      throw unavailable();
    }
  }

  async function run(command: Command): Promise<unknown> {
    const late = Promise.withResolvers<never>();
    const timer = new PauseTolerantTimer({ clock }, () => late.reject(new LateError())).set(deadlineMs);
    try {
      const reply = await Promise.race([connection.run(...command), late.promise]);
      fault = undefined;
      return reply;
    } catch (error) {
      // During a pause the error only says that the connection was reset.
      if (clock() >= pausedUntilMs) {
        fault = error instanceof LateError ? `No answer within ${deadlineMs} ms.` : describeRedisError(error);
      }
      throw error;
    } finally {
      timer.clear();
    }
  }

  async function probe(): Promise<void> {
    if (isProbing) return;
    isProbing = true;
    await run([pingScript, [], []]).catch(pause);
    isProbing = false;
  }

  function pause(): void {
    pausedUntilMs = clock() + pauseMs;
    connection.reset();
  }

  function unavailable(): Problem {
    return new Problem('unavailable', 'Tokens cannot be checked now. Send the request again in a moment.', {
      headers: { 'Retry-After': String(Math.ceil(pauseMs / 1_000)) },
      cause: new Error(fault),
    });
  }

  async function status() {
    await ask(pingScript, [], []).catch(() => {});
    return fault === undefined
      ? ({ status: 'ready', store: 'redis' } as const)
      : ({ status: 'degraded', store: 'redis', reason: fault } as const);
  }

  return {
    async save(digest, keySha256, lifetimeMs, isStored) {
      const args = [String(lifetimeMs), `${lifetimeMs} ${keySha256}`, String(tokensPerKeyMax), keySha256];
      const keys = isStored ? storedKeysName : keysName;
      await ask(saveScript, [tokenName(digest), listsPrefix + keySha256, keys], args);
    },
    async find(digest) {
      const [value, leftMs] = (await ask(findScript, [tokenName(digest)], [])) as [string | null, number];
      if (value === null) return undefined;
      const [lifetimeMs, keySha256 = ''] = value.split(' ');
      return { keySha256, isExpired: leftMs <= Number(lifetimeMs) };
    },
    async shorten(leftMs, others) {
      const args = [others, listsPrefix];
      for (const [key, left] of leftMs) args.push(key, String(left === Infinity ? -1 : Math.max(0, Math.ceil(left))));
      await ask(shortenScript, [keysName, storedKeysName], args);
    },
    status,
    close: connection.close,
  };
}

class LateError extends Error {}

type Command = Parameters<RedisConnection['run']>;

/**
 * KEYS: the token, the list of its key's tokens, oldest first, and the set of keys with tokens. ARGV: the token's lifetime
 * in milliseconds, its value, the limit of tokens per key, the digest of its key. Redis deletes a token after twice its
 * lifetime, so only the clock of Redis matters.
 */
const saveScript: RedisScript = createRedisScript(`local keep = 2 * tonumber(ARGV[1])
redis.call('SET', KEYS[1], ARGV[2], 'PX', string.format('%.0f', keep))
redis.call('RPUSH', KEYS[2], KEYS[1])
while redis.call('LLEN', KEYS[2]) > tonumber(ARGV[3]) do redis.call('DEL', redis.call('LPOP', KEYS[2])) end
redis.call('SADD', KEYS[3], ARGV[4])
for i = 2, 3 do
  if redis.call('PTTL', KEYS[i]) < keep then redis.call('PEXPIRE', KEYS[i], string.format('%.0f', keep)) end
end`);

/** KEYS: the token. Returns its value, and the milliseconds until Redis deletes it. */
const findScript: RedisScript = createRedisScript(`return { redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1]) }`);

/**
 * KEYS: the sets of keys with tokens, second that of the key store. ARGV: `delete` to delete the tokens of all keys of the
 * first that are not named, the name prefix of the lists, then pairs of a key's digest and the milliseconds after which its
 * tokens expire, -1 for no change.
 */
const shortenScript: RedisScript = createRedisScript(`local left = {}
for i = 3, #ARGV, 2 do left[ARGV[i]] = tonumber(ARGV[i + 1]) end
for i, keys in ipairs(KEYS) do for _, key in ipairs(redis.call('SMEMBERS', keys)) do
  local list, ms = ARGV[2] .. key, left[key] or (ARGV[1] == 'delete' and i == 1 and 0 or -1)
  local tokens = ms < 0 and {} or redis.call('LRANGE', list, 0, -1)
  for _, token in ipairs(tokens) do
    local value = ms > 0 and redis.call('GET', token)
    if ms == 0 then
      redis.call('DEL', token)
    elseif value then
      local keep = ms + tonumber(string.match(value, '^%d+'))
      if redis.call('PTTL', token) > keep then redis.call('PEXPIRE', token, string.format('%.0f', keep)) end
    end
  end
  if ms == 0 then
    redis.call('DEL', list)
    redis.call('SREM', keys, key)
  end
end end`);

const pingScript: RedisScript = createRedisScript(`return redis.call('PING')`);
