import { createClient } from 'redis';
import { type RedisServer, startRedis } from '../../test/start-redis.ts';
import { monotonicNow } from './clock.ts';
import { describeHitStore } from './hit-store.contract.ts';
import { createRedisHitStore } from './redis-hit-store.ts';

/** Moves all recorded hits into the past, so that no test has to wait. */
const age = `for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
  local times, left = redis.call('LRANGE', key, 0, -1), redis.call('PTTL', key) - ARGV[2]
  redis.call('DEL', key)
  if left > 0 then
    for _, time in ipairs(times) do redis.call('RPUSH', key, string.format('%.0f', time - ARGV[2])) end
    redis.call('PEXPIRE', key, string.format('%.0f', left))
  end
end`;

async function openStore(server: RedisServer) {
  const admin = createClient({ url: server.url, RESP: 2 });
  await admin.connect();
  const store = createRedisHitStore({
    url: server.url,
    prefix: 'test:',
    windowMs: 60_000,
    onFailure: 'closed',
    clock: monotonicNow,
    deadlineMs: 5_000,
  });
  let passedMs = 0;
  return {
    store,
    nowMs: () => monotonicNow() + passedMs,
    async pass(ms: number) {
      passedMs += Math.ceil(ms);
      await admin.eval(age, { keys: [], arguments: ['test:', String(Math.ceil(ms))] });
    },
    async close() {
      await store.close();
      admin.destroy();
      await server.close();
    },
  };
}

describeHitStore('a store in Redis', { numRuns: 20, open: async () => openStore(await startRedis()) });
