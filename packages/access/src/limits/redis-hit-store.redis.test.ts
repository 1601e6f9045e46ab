import { createClient } from 'redis';
import { expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../../test/start-redis.ts';
import { monotonicNow } from './clock.ts';
import { describeHitStore } from './hit-store.contract.ts';
import { periodEndLua } from './redis-hit-script.ts';
import { createRedisHitStore } from './redis-hit-store.ts';

/** Moves all recorded hits into the past, so that no test has to wait. */
const age = `for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
  local times, left = redis.call('LRANGE', key, 0, -1), redis.call('PTTL', key) - ARGV[2]
  redis.call('DEL', key)
  if left > 0 then
    for _, entry in ipairs(times) do
      local time, counts = string.match(entry, '^(%d+)(.*)$')
      redis.call('RPUSH', key, string.format('%.0f', time - ARGV[2]) .. counts)
    end
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
    deadlineMs: 30_000,
  });
  let passedMs = 0;
  return {
    store,
    nowMs: () => monotonicNow() + passedMs,
    utcMs: Date.now,
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

it('ends each month of 500 years at its first and last millisecond, as the platform does', async () => {
  const server = await startRedis();
  const admin = await createClient({ url: server.url, RESP: 2 }).connect();
  const script = `local day = 86400000 ${periodEndLua}
local ends = {}
for i, text in ipairs(ARGV) do ends[i] = string.format('%.0f', periodEnd('month', tonumber(text))) end
return ends`;
  const starts = Array.from({ length: 500 * 12 + 1 }, (_, i) => Date.UTC(1970, i));
  const times = starts.slice(1).flatMap((end, i) => [starts[i] as number, (end as number) - 1]);
  const found = await admin.eval(script, { keys: [], arguments: times.map(String) });
  expect((found as string[]).map(Number)).toEqual(starts.slice(1).flatMap((end) => [end, end]));
  admin.destroy();
  await server.close();
});

describeHitStore('a store in Redis', { numRuns: 20, open: async () => openStore(await startRedis()) });
