import { expect, onTestFinished, test } from 'vitest';
// The test helper of its package; tools may import files that packages do not export.
import { startRedis } from '../../../../../packages/access/test/start-redis.ts';
import { pollUntil } from '../../poll-until.ts';
import { type StandInProxy, startStandInProxy, withKey } from '../stand-in-proxy.ts';

async function startStore() {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  return redis;
}

const ask = async ({ url }: StandInProxy) => (await fetch(`${url}/v2/staffmember`, withKey)).status;
const limitsOf = async ({ url }: StandInProxy) => {
  const response = await fetch(`${url}/health/ready`);
  return ((await response.json()) as { dependencies: { limits: { status: string; store: string } } }).dependencies
    .limits;
};

test('setting redis_url, redis_prefix: two proxies share one count, and a reload joins and leaves it', async () => {
  const count = async () => {
    const redis = await startStore();
    const limited = { rate_limit_enabled: true, rate_limit_per_minute_authenticated: 4 };
    const first = await startStandInProxy({ settings: { ...limited, redis_url: redis.url } });
    const second = await startStandInProxy({ settings: limited });
    expect([(await limitsOf(first)).store, (await limitsOf(second)).store]).toEqual(['redis', 'memory']);
    const statuses = [await ask(first), await ask(first), await ask(first)];
    await second.applied(() => second.writeSettings({ ...limited, redis_url: redis.url }));
    await pollUntil(async () => (await limitsOf(second)).store === 'redis', {
      withinMs: 20_000,
      describe: second.output,
    });
    statuses.push(await ask(second), await ask(second), await ask(first));
    await second.applied(() => second.writeSettings({ ...limited, redis_url: redis.url, redis_prefix: 'other:' }));
    statuses.push(await ask(second));
    const wasLate = [first, second].some(({ log }) => log.some(({ msg }) => msg === 'limits are not counted in redis'));
    return { statuses, wasLate };
  };
  let counted = await count();
  // A busy machine delays Redis beyond its deadline, and then each proxy counts for itself.
  for (let tries = 1; counted.wasLate && tries < 3; tries++) counted = await count();
  expect(counted.statuses).toEqual([200, 200, 200, 200, 429, 429, 200]);
});

test('setting rate_limit_on_store_failure: closed rejects with 503 while Redis is unavailable, and readiness reports it', async () => {
  const redis = await startStore();
  const proxy = await startStandInProxy({
    settings: { rate_limit_enabled: true, redis_url: redis.url, rate_limit_on_store_failure: 'closed' },
  });
  // A busy machine delays Redis beyond its deadline.
  await expect.poll(() => ask(proxy)).toBe(200);
  redis.freeze();
  await pollUntil(async () => (await limitsOf(proxy)).status !== 'ready', { withinMs: 20_000, describe: proxy.output });
  expect(await ask(proxy)).toBe(503);
  redis.thaw();
  await pollUntil(async () => (await limitsOf(proxy)).status === 'ready', { withinMs: 10_000, describe: proxy.output });
  await expect.poll(() => ask(proxy)).toBe(200);
  expect(proxy.output()).not.toContain(redis.url);
});
