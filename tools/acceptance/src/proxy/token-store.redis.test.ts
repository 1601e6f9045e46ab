import { createRedisConnection, createRedisScript, monotonicNow } from '@rostergate/access/limits';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRedisTokenStore } from '../../../../apps/staff-proxy/src/keys/redis-token-store.ts';
import { describeTokenStore } from '../../../../apps/staff-proxy/src/keys/token-store.contract.ts';
import { startRedis } from '../../../../packages/access/test/start-redis.ts';

/** Makes every stored entry older, so that no test waits. */
const age = createRedisScript(`for _, key in ipairs(redis.call('KEYS', '*')) do
  local left = redis.call('PTTL', key) - ARGV[1]
  if left > 0 then redis.call('PEXPIRE', key, string.format('%.0f', left)) else redis.call('DEL', key) end
end`);

describeTokenStore('a store of tokens in Redis', async () => {
  const redis = await startRedis();
  const admin = createRedisConnection(redis.url);
  const store = createRedisTokenStore({ url: redis.url, prefix: 'test:', clock: monotonicNow, deadlineMs: 10_000 });
  return {
    store,
    async pass(ms) {
      await admin.run(age, [], [String(ms)]);
    },
    async close() {
      store.close();
      admin.close();
      await redis.close();
    },
  };
});

describe('a token store with an unavailable Redis', () => {
  async function start() {
    const redis = await startRedis();
    const time = { nowMs: 0 };
    // Longer than by default: on a busy machine Redis may be late.
    const options = { url: redis.url, prefix: 'test:', clock: () => time.nowMs, deadlineMs: 4_000 };
    const store = createRedisTokenStore(options);
    onTestFinished(async () => {
      store.close();
      await redis.close();
    });
    await store.save('one', 'key-a', 60_000, false);
    return { redis, time, store };
  }
  const unavailable = { status: 503, code: 'unavailable', headers: { 'Retry-After': '1' } };

  test('rejects a late response with 503, and serves the next call at once', async () => {
    const { redis, store } = await start();
    redis.freeze();
    await expect(store.find('one')).rejects.toMatchObject(unavailable);
    redis.thaw();
    expect(await store.find('one')).toEqual({ keySha256: 'key-a', isExpired: false });
  });

  test('rejects with 503 while it is frozen, then every call for half a second, and serves again', async () => {
    const { redis, time, store } = await start();
    redis.freeze();
    await expect(store.find('one')).rejects.toMatchObject(unavailable);
    await expect(store.find('one')).rejects.toMatchObject(unavailable);
    redis.thaw();
    await expect(store.find('one')).rejects.toMatchObject(unavailable);
    await expect(store.save('two', 'key-a', 1, false)).rejects.toMatchObject(unavailable);
    expect(await store.status()).toEqual({ status: 'degraded', store: 'redis', reason: 'No answer within 4000 ms.' });
    time.nowMs += 500;
    expect(await store.find('one')).toEqual({ keySha256: 'key-a', isExpired: false });
    expect(await store.status()).toEqual({ status: 'ready', store: 'redis' });
  });

  test('rejects old tokens after Redis has lost its data, and accepts new ones', async () => {
    const { redis, time, store } = await start();
    await redis.stop();
    await expect(store.find('one')).rejects.toMatchObject(unavailable);
    await redis.start();
    time.nowMs += 500;
    expect(await store.find('one')).toBeUndefined();
    await store.save('two', 'key-a', 60_000, false);
    expect(await store.find('two')).toEqual({ keySha256: 'key-a', isExpired: false });
  });
});
