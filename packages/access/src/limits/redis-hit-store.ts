import { hash } from 'node:crypto';
import type { Hit, HitState, HitStore, Verdict } from './hit-store.ts';
import { createRedisConnection, createRedisScript, describeRedisError } from './redis-connection.ts';
import { RemoteCountError, type RemoteCounter } from './remote-counter.ts';
import { createRemoteHitStore, type RemoteHitStoreOptions } from './remote-hit-store.ts';

export interface RedisHitStoreOptions extends Omit<RemoteHitStoreOptions, 'counter'> {
  /** `redis://` or `rediss://`, with user, password and database where needed. */
  readonly url: string;
  /** The first part of the names of all keys. */
  readonly prefix: string;
}

/**
 * Returns a store for all processes and machines that share a Redis and the prefix. Starts to connect without waiting.
 */
export function createRedisHitStore({ url, prefix, ...options }: RedisHitStoreOptions): HitStore {
  const counter = createRedisCounter({ url, prefix, windowMs: options.windowMs });
  return createRemoteHitStore({ ...options, counter });
}

type RedisCounterOptions = Pick<RedisHitStoreOptions, 'url' | 'prefix' | 'windowMs'>;

/**
 * Returns a counter that sends all hits of a batch in one command and connects with the first batch.
 * @throws RangeError for an invalid URL
 */
function createRedisCounter({ url, prefix, windowMs }: RedisCounterOptions): RemoteCounter {
  const connection = createRedisConnection(url);
  const window = String(windowMs);

  async function run(hits: readonly Hit[]): Promise<Verdict[]> {
    const names: string[] = [];
    const args = [window];
    for (const { keys, limits } of hits) {
      args.push(String(keys.length));
      for (let i = 0; i < keys.length; i++) {
        names.push(nameOf(prefix, keys[i] as string));
        args.push(String(limits[i]));
      }
    }
    return readVerdicts(hits, (await connection.run(hitScript, names, args)) as number[]);
  }

  return {
    name: 'redis',
    async count(hits) {
      try {
        return await run(hits);
      } catch (error) {
        throw new RemoteCountError(describeRedisError(error));
      }
    },
    reset: connection.reset,
    close: async () => connection.close(),
  };
}

/** Returns a name by half a SHA-256, so that neither owners nor addresses are stored in Redis. */
function nameOf(prefix: string, key: string): string {
  return prefix + hash('sha256', key, 'base64url').slice(0, 22);
}

function readVerdicts(hits: readonly Hit[], reply: readonly number[]): Verdict[] {
  let at = 0;
  return hits.map(({ keys }) => {
    const verdict = new Array<HitState>(keys.length);
    for (let i = 0; i < keys.length; i++) {
      verdict[i] = { isAdmitted: reply[at] === 1, used: reply[at + 1] as number, resetMs: reply[at + 2] as number };
      at += 3;
    }
    return verdict;
  });
}

/**
 * Decides hits inside Redis, one after another, by the clock of Redis. A key holds the times of the hits in the window,
 * in whole milliseconds, oldest first.
 *
 * KEYS: the keys of all hits, one hit after another. ARGV: the window in milliseconds, then for each hit the number of
 * its keys and the limit of each. Returns three integers for each key: admitted (1 or 0), hits used, milliseconds until
 * the next is free. A rejected hit changes nothing, except that expired hits are dropped.
 */
export const hitScript = createRedisScript(`local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local window = tonumber(ARGV[1])
local reply, replies, first, argument = {}, 0, 1, 2
while first <= #KEYS do
  local size = tonumber(ARGV[argument])
  local counts, oldest, newest, admitted = {}, {}, {}, true
  for i = 1, size do
    local key = KEYS[first + i - 1]
    local count = redis.call('LLEN', key)
    if count > 0 then
      local last = tonumber(redis.call('LINDEX', key, -1))
      -- While the clock is behind the newest hit, the time of that hit applies, for one window at most.
      if last > now + window + 1 then
        redis.call('DEL', key)
        count = 0
      else
        local at = math.max(now, last - 1)
        newest[i] = last
        oldest[i] = tonumber(redis.call('LINDEX', key, 0))
        while count > 0 and oldest[i] + window <= at do
          local times = redis.call('LRANGE', key, 0, 63)
          local gone = 0
          while gone < #times and tonumber(times[gone + 1]) + window <= at do gone = gone + 1 end
          redis.call('LTRIM', key, gone, -1)
          count = count - gone
          oldest[i] = count > 0 and tonumber(times[gone + 1] or redis.call('LINDEX', key, 0))
        end
      end
    end
    counts[i] = count
    if count >= tonumber(ARGV[argument + i]) then admitted = false end
  end
  for i = 1, size do
    local key, limit, count = KEYS[first + i - 1], tonumber(ARGV[argument + i]), counts[i]
    local passes, reset = 1, 0
    if admitted then
      -- Rounded up: recorded too early, two hits could be admitted less than a window apart.
      local at = math.max(math.ceil(now), newest[i] or 0)
      redis.call('RPUSH', key, string.format('%.0f', at))
      redis.call('PEXPIRE', key, string.format('%.0f', math.ceil(at + window - now)))
      if count == 0 then oldest[i] = at end
      count = count + 1
      reset = oldest[i] + window - now
    elseif count < limit then
      if count > 0 then reset = oldest[i] + window - now end
    else
      passes = 0
      reset = window
      if limit > 0 then
        local freed = count == limit and oldest[i] or tonumber(redis.call('LINDEX', key, count - limit))
        reset = freed + window - now
      end
    end
    reply[replies + 1] = passes
    reply[replies + 2] = count
    reply[replies + 3] = math.ceil(reset)
    replies = replies + 3
  end
  first = first + size
  argument = argument + size + 1
end
return reply`);
