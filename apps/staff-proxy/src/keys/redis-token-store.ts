import { createRedisConnection, describeRedisError, FairTimer, type RedisConnection } from '@rostergate/runtime/limits';
import { Problem } from '@rostergate/runtime/problem';
import { findScript, pingScript, saveScript, shortenScript } from './redis-token-scripts.ts';
import { type TokenStore, tokensPerKeyMax } from './token-store.ts';

export interface RedisTokenStoreOptions {
  readonly url: string;
  /** What the names of all keys in Redis begin with. */
  readonly prefix: string;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  /** How long a request waits for Redis. */
  readonly deadlineMs?: number;
  /** How long requests fail at once after Redis has failed. */
  readonly restMs?: number;
}

/**
 * Stores tokens in Redis, for all processes that share it and the prefix: by digest, with an expiry, and at most
 * `tokensPerKeyMax` a key. A call that Redis does not answer in time rejects with 503, and so does every call while Redis is
 * away.
 */
export function createRedisTokenStore(options: RedisTokenStoreOptions): TokenStore {
  const { url, prefix, clock, deadlineMs = 1_000, restMs = 500 } = options;
  const connection = createRedisConnection(url);
  const tokenName = (digest: string) => `${prefix}token:${digest}`;
  const listsPrefix = `${prefix}tokens-of:`;
  const keysName = `${prefix}keys-with-tokens`;
  /** Why Redis failed last; undefined while it answers. */
  let fault: string | undefined;
  let restsUntilMs = Number.NEGATIVE_INFINITY;
  let isProbing = false;

  async function ask(...command: Command): Promise<unknown> {
    if (clock() < restsUntilMs) throw unavailable();
    try {
      return await answerTo(command);
    } catch (error) {
      // One late reply may be that command's alone: the connection is given up once it does not answer a probe either.
      if (error instanceof LateError) void probe();
      else rest();
      throw unavailable();
    }
  }

  async function answerTo(command: Command): Promise<unknown> {
    const late = Promise.withResolvers<never>();
    const timer = new FairTimer({ clock }, () => late.reject(new LateError())).set(deadlineMs);
    try {
      const reply = await Promise.race([connection.run(...command), late.promise]);
      fault = undefined;
      return reply;
    } catch (error) {
      // During a rest the error is that the connection was given up, and not why.
      if (clock() >= restsUntilMs) {
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
    await answerTo([pingScript, [], []]).catch(rest);
    isProbing = false;
  }

  function rest(): void {
    restsUntilMs = clock() + restMs;
    connection.reset();
  }

  function unavailable(): Problem {
    return new Problem('unavailable', 'Tokens cannot be checked now. Send the request again in a moment.', {
      headers: { 'Retry-After': String(Math.ceil(restMs / 1_000)) },
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
    async save(digest, keySha256, lifetimeMs) {
      const args = [String(lifetimeMs), `${lifetimeMs} ${keySha256}`, String(tokensPerKeyMax), keySha256];
      await ask(saveScript, [tokenName(digest), listsPrefix + keySha256, keysName], args);
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
      await ask(shortenScript, [keysName], args);
    },
    status,
    close: connection.close,
  };
}

class LateError extends Error {}

type Command = Parameters<RedisConnection['run']>;
