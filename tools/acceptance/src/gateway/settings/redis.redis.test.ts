import { expect, onTestFinished, test } from 'vitest';
// The test helper of its package; tools may import files that packages do not export.
import { type RedisServer, startRedis } from '../../../../../packages/access/test/start-redis.ts';
import { type GatewayProcess, goodKey, startGateway } from '../../gateway-process.ts';
import { pollUntil } from '../../poll-until.ts';

async function startStore(options?: Parameters<typeof startRedis>[0]): Promise<RedisServer> {
  const redis = await startRedis(options);
  onTestFinished(() => redis.close());
  return redis;
}

const withKey = { 'X-API-Key': goodKey };

const limited = (redis: RedisServer, settings: Record<string, unknown> = {}) =>
  startGateway({ settings: { rate_limit_enabled: true, redis_url: redis.url, ...settings } });

async function ask(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(`${url}/endpoints`, { headers });
  await response.arrayBuffer();
  return response;
}

/** Returns how many requests got each status, with 250 in progress. */
async function statuses(urls: readonly string[], count: number, headers?: Record<string, string>) {
  const found: Record<number, number> = {};
  let next = 0;
  const askOn = async () => {
    while (next < count) {
      const { status } = await ask(urls[next++ % urls.length] as string, headers);
      found[status] = (found[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 250 }, askOn));
  return found;
}

async function limitsOf({
  url,
}: GatewayProcess): Promise<{ httpStatus: number; status: string; [more: string]: unknown }> {
  const reply = await fetch(`${url}/health/ready`);
  const { dependencies } = (await reply.json()) as { dependencies: { limits: { status: string } } };
  return { httpStatus: reply.status, ...dependencies.limits };
}

async function untilLimitsAre(gateway: GatewayProcess, status: string): Promise<void> {
  await pollUntil(async () => (await limitsOf(gateway)).status === status, {
    withinMs: 20_000,
    everyMs: 20,
    describe: () => `limits are not ${status}:\n${gateway.output()}`,
  });
}

test('setting redis_url: four gateways admit exactly 60 and 300 of 2,000 requests', async () => {
  const countAll = async () => {
    const redis = await startStore();
    const gateways = await Promise.all(Array.from({ length: 4 }, () => limited(redis)));
    const urls = gateways.map(({ url }) => url);
    await expect
      .poll(() => Promise.all(gateways.map(limitsOf)))
      .toEqual(gateways.map(() => ({ httpStatus: 200, status: 'ready', store: 'redis' })));
    const [anonymous, authenticated] = await Promise.all([statuses(urls, 1_000), statuses(urls, 1_000, withKey)]);
    const wasLate = gateways.some(({ log }) => log.some(({ msg }) => msg === 'limits are not counted in redis'));
    return { anonymous, authenticated, wasLate, url: urls[0] as string };
  };
  let counted = await countAll();
  // A busy machine delays Redis beyond its deadline, and then each gateway counts for itself.
  for (let tries = 1; counted.wasLate && tries < 3; tries++) counted = await countAll();
  expect(counted.anonymous).toEqual({ 200: 60, 429: 940 });
  expect(counted.authenticated).toEqual({ 200: 300, 429: 700 });
  const rejected = await ask(counted.url);
  const [, t] = /^"default";r=0;t=(\d+)$/.exec(rejected.headers.get('RateLimit') ?? '') ?? [];
  expect(rejected.headers.get('Retry-After')).toBe(t);
});

test('setting redis_prefix: gateways with different prefixes count separately', async () => {
  const redis = await startStore();
  const settings = { rate_limit_per_minute: 1 };
  const [a, b] = [await limited(redis, settings), await limited(redis, { ...settings, redis_prefix: 'other:' })];
  const [first, other, rejected] = [await ask(a.url), await ask(b.url), await ask(a.url)];
  expect([first.status, other.status, rejected.status]).toEqual([200, 200, 429]);
  const [, t] = /^"default";r=0;t=(\d+)$/.exec(rejected.headers.get('RateLimit') ?? '') ?? [];
  expect(rejected.headers.get('Retry-After')).toBe(t);
});

test('setting rate_limit_on_store_failure: local continues from the last count, reports degraded, and recovers', async () => {
  const redis = await startStore();
  const gateway = await limited(redis, { rate_limit_per_minute: 5 });
  for (let i = 0; i < 3; i++) expect((await ask(gateway.url)).status).toBe(200);
  redis.freeze();
  const replies = [];
  for (let i = 0; i < 4; i++) replies.push(await ask(gateway.url));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
  expect(replies.map(({ headers }) => headers.get('RateLimit')?.slice(0, 14))).toEqual([
    '"default";r=1;',
    '"default";r=0;',
    '"default";r=0;',
    '"default";r=0;',
  ]);
  expect(await limitsOf(gateway)).toMatchObject({ httpStatus: 200, status: 'degraded', store: 'redis' });
  await gateway.logged(({ msg }) => msg === 'limits are not counted in redis');
  redis.thaw();
  await untilLimitsAre(gateway, 'ready');
  await gateway.logged(({ msg }) => msg === 'limits are counted in redis again');
});

test('setting rate_limit_on_store_failure: open admits every request, without limit headers', async () => {
  const redis = await startStore();
  const gateway = await limited(redis, { rate_limit_per_minute: 1, rate_limit_on_store_failure: 'open' });
  await untilLimitsAre(gateway, 'ready');
  const limit = async () => (await ask(gateway.url)).headers.get('RateLimit');
  await expect.poll(limit).toMatch(/^"default";r=0;t=(60|5\d)$/);
  await redis.stop();
  for (let i = 0; i < 5; i++) {
    const { status, headers } = await ask(gateway.url);
    expect(status).toBe(200);
    expect([...headers.keys()].filter((name) => /ratelimit|retry/.test(name))).toEqual([]);
  }
  expect(await limitsOf(gateway)).toMatchObject({ httpStatus: 200, status: 'degraded' });
});

test('setting rate_limit_on_store_failure: closed rejects with 503 and Retry-After, and is not ready', async () => {
  const redis = await startStore();
  const gateway = await limited(redis, { rate_limit_on_store_failure: 'closed' });
  await redis.stop();
  await untilLimitsAre(gateway, 'unavailable');
  const rejected = await gateway.call('/endpoints');
  expect(rejected).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await gateway.call('/health')).status).toBe(200);
  // The first reason may be that the connection was lost.
  await expect
    .poll(() => limitsOf(gateway))
    .toMatchObject({
      httpStatus: 503,
      reason: 'Redis cannot be reached (ECONNREFUSED).',
      meanwhile: 'Every request is rejected.',
    });
  await redis.start();
  await untilLimitsAre(gateway, 'ready');
  expect((await ask(gateway.url)).status).toBe(200);
});

test('setting rate_limit_on_store_failure: each decision is counted in /metrics with every policy', async () => {
  for (const [policy, counted, expected] of [
    ['local', { admitted: 3, refused: 2 }, [200, 200, 200, 429, 429]],
    ['open', { uncounted: 5 }, [200, 200, 200, 200, 200]],
    ['closed', { unavailable: 5 }, [503, 503, 503, 503, 503]],
  ] as const) {
    const redis = await startStore();
    const gateway = await limited(redis, { rate_limit_per_minute: 3, rate_limit_on_store_failure: policy });
    await redis.stop();
    await untilLimitsAre(gateway, policy === 'closed' ? 'unavailable' : 'degraded');
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await ask(gateway.url)).status);
    expect(statuses, policy).toEqual(expected);
    await redis.start();
    await untilLimitsAre(gateway, 'ready');
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    const outcomes = [...metrics.matchAll(/^rate_limit_decisions_total\{outcome="(\w+)"\} ([1-9]\d*)$/gm)];
    // The request for the metrics is admitted before they are written.
    const admitted = 'admitted' in counted ? counted.admitted + 1 : 1;
    expect(Object.fromEntries(outcomes.map(([, outcome, count]) => [outcome, Number(count)])), policy).toEqual({
      ...counted,
      admitted,
    });
  }
});

test('setting redis_url: starts without Redis and uses it once it is available', async () => {
  const redis = await startStore();
  await redis.stop();
  const gateway = await limited(redis);
  expect((await ask(gateway.url)).status).toBe(200);
  expect(await limitsOf(gateway)).toMatchObject({ httpStatus: 200, status: 'degraded' });
  await redis.start();
  await untilLimitsAre(gateway, 'ready');
});

test('setting redis_url: its password is in no log, response or readiness report', async () => {
  const redis = await startStore({ password: 'the right one' });
  const wrong = `redis://someone:canary-of-redis@127.0.0.1:${redis.port}`;
  const gateway = await startGateway({
    settings: { rate_limit_enabled: true, rate_limit_on_store_failure: 'closed', log_level: 'trace' },
    env: { ROSTERGATE_REDIS_URL: wrong },
  });
  await untilLimitsAre(gateway, 'unavailable');
  const reason = async () => (await limitsOf(gateway)).reason;
  await expect.poll(reason).toBe('Redis rejects the user, the password or the permissions (WRONGPASS).');
  const texts = [JSON.stringify(await limitsOf(gateway)), (await gateway.call('/endpoints')).text];
  await gateway.stop();
  texts.push(gateway.output());
  for (const text of texts) expect(text).not.toContain('canary');
});

test('setting redis_url: a reload adds and removes it', async () => {
  const redis = await startStore();
  const settings = { api_keys: goodKey, rate_limit_enabled: true, rate_limit_per_minute: 3 };
  const gateway = await startGateway({ settings });
  expect(await limitsOf(gateway)).toMatchObject({ status: 'ready', store: 'memory' });
  await ask(gateway.url);
  await gateway.write('settings.json', { ...settings, redis_url: redis.url });
  await pollUntil(async () => (await limitsOf(gateway)).store === 'redis', {
    withinMs: 20_000,
    describe: gateway.output,
  });
  await untilLimitsAre(gateway, 'ready');
  expect((await ask(gateway.url)).headers.get('RateLimit')).toMatch(/^"default";r=2;/);
  await gateway.write('settings.json', settings);
  await pollUntil(async () => (await limitsOf(gateway)).store === 'memory', {
    withinMs: 20_000,
    describe: gateway.output,
  });
  expect((await ask(gateway.url)).status).toBe(200);
});
