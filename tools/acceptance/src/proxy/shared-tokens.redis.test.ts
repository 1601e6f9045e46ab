import { setTimeout } from 'node:timers/promises';
import { createRedisConnection, createRedisScript } from '@rostergate/access/limits';
import { expect, onTestFinished, test } from 'vitest';
// The test helper of its package; tools may import files that packages do not export.
import { startRedis } from '../../../../packages/access/test/start-redis.ts';
import { pollUntil } from '../poll-until.ts';
import { accounts, arrival, entryOf, keyOf, type RecordedProxy, startRecordedProxy } from './recorded-proxy.ts';

async function startStore() {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  return redis;
}

const keys = [entryOf('ops'), entryOf('web')];
const start = (redis_url: string, settings: object = {}, entries: readonly object[] = keys) =>
  startRecordedProxy({ keys: entries, settings: { redis_url, ...settings } });

async function logIn({ call }: RecordedProxy, name = 'ops') {
  const { status, body } = await call('/v2/login', { method: 'POST', json: { email: name, password: keyOf(name) } });
  return { status, code: body.code, token: body.access_token as string };
}
const use = async ({ call }: RecordedProxy, token: string) => {
  const { status, body } = await call('/v2/staffmember/S-1', { headers: { Authorization: `Bearer ${token}` } });
  return { status, code: body.code };
};
const keysFileOf = (entries: readonly object[]) => ({ 'proxy-keys.json': { accounts, keys: entries } });
const rejected = (code: string) => ({ status: 401, code });

test('setting redis_url: two proxies on one Redis accept each other’s tokens, also after a restart', async () => {
  const redis = await startStore();
  const [first, second] = [await start(redis.url), await start(redis.url)];
  const { token } = await logIn(first);
  expect([await use(first, token), await use(second, token)]).toEqual([arrival, arrival]);
  await first.stop();
  const restarted = await start(redis.url);
  expect([await use(restarted, token), await use(second, token)]).toEqual([arrival, arrival]);
  const alone = await start(redis.url, { redis_prefix: 'other:' });
  expect(await use(alone, token)).toEqual(rejected('key_invalid'));
});

test('getStaffMember 401: a removed key ends its tokens at both proxies for good', async () => {
  const redis = await startStore();
  const [first, second] = [await start(redis.url), await start(redis.url)];
  const [ops, web] = [await logIn(first), await logIn(first, 'web')];
  for (const proxy of [first, second]) await proxy.edit(keysFileOf([entryOf('web')]));
  expect([await use(first, ops.token), await use(second, ops.token)]).toEqual([
    rejected('key_invalid'),
    rejected('key_invalid'),
  ]);
  for (const proxy of [first, second]) await proxy.edit(keysFileOf(keys));
  expect([await use(first, ops.token), await use(second, ops.token)]).toEqual([
    rejected('key_invalid'),
    rejected('key_invalid'),
  ]);
  expect([await use(first, web.token), await use(second, web.token)]).toEqual([arrival, arrival]);
});

test('getStaffMember 401: an expired token is rejected as expired by both proxies', async () => {
  const redis = await startStore();
  const settings = { token_lifetime_s: 6 };
  const [first, second] = [await start(redis.url, settings), await start(redis.url, settings)];
  const { token } = await logIn(first);
  // It is distinguished from an unknown one for that long again.
  await pollUntil(async () => (await use(second, token)).code === 'token_expired', {
    withinMs: 30_000,
    everyMs: 50,
    describe: second.output,
  });
});

test('getStaffMember 401: a key removed while the proxy is stopped does not restore its tokens', async () => {
  const redis = await startStore();
  const proxy = await start(redis.url);
  const [ops, web] = [await logIn(proxy), await logIn(proxy, 'web')];
  await proxy.stop();
  const without = await start(redis.url, {}, [entryOf('web')]);
  expect(await use(without, ops.token)).toEqual(rejected('key_invalid'));
  await without.edit(keysFileOf(keys));
  expect([await use(without, ops.token), await use(without, web.token)]).toEqual([rejected('key_invalid'), arrival]);
});

test('getStaffMember 401: a key removed while Redis is unavailable does not restore its tokens', async () => {
  const redis = await startStore();
  const proxy = await start(redis.url);
  const { token } = await logIn(proxy);
  await proxy.stop();
  redis.freeze();
  const without = await start(redis.url, {}, [entryOf('web')]);
  await without.edit(keysFileOf(keys));
  redis.thaw();
  await pollUntil(async () => (await use(without, token)).status !== 503, {
    withinMs: 10_000,
    everyMs: 100,
    describe: without.output,
  });
  expect(await use(without, token)).toEqual(rejected('key_invalid'));
  expect(await use(without, (await logIn(without)).token)).toEqual(arrival);
});

test('getStaffMember 401: a key with a temporarily earlier expiry ends its tokens for good', async () => {
  const redis = await startStore();
  const proxy = await start(redis.url);
  const { token } = await logIn(proxy);
  const expires_at = new Date(Date.now() + 10_000).toISOString();
  await proxy.edit(keysFileOf([entryOf('ops', { expires_at })]));
  expect(await use(proxy, token)).toEqual(arrival);
  await pollUntil(async () => (await use(proxy, token)).code === 'key_expired', {
    withinMs: 30_000,
    everyMs: 50,
    describe: proxy.output,
  });
  await proxy.stop();
  const restarted = await start(redis.url);
  expect(await use(restarted, token)).toMatchObject({ status: 401 });
});

test('getStaffMember 200: a proxy that reads an edit later does not end the tokens issued since by another', async () => {
  const redis = await startStore();
  const [first, second] = [await start(redis.url), await start(redis.url)];
  const revoked = [entryOf('ops', { revoked_at: new Date().toISOString() }), entryOf('web')];
  for (const proxy of [first, second]) await proxy.edit(keysFileOf(revoked));
  await first.edit(keysFileOf(keys));
  const { token } = await logIn(first);
  await second.edit(keysFileOf(keys));
  expect([await use(first, token), await use(second, token)]).toEqual([arrival, arrival]);
  // The same with new keys.
  for (const proxy of [first, second]) await proxy.edit(keysFileOf([entryOf('web')]));
  await first.edit(keysFileOf(keys));
  const again = await logIn(first);
  await second.edit(keysFileOf(keys));
  expect([await use(first, again.token), await use(second, again.token)]).toEqual([arrival, arrival]);
});

test('getStaffMember 200: a pause of the proxy beyond the deadline of Redis fails no request with a token', async () => {
  const redis = await startStore();
  const proxy = await start(redis.url);
  const { token } = await logIn(proxy);
  const statuses: number[] = [];
  let isOver = false;
  const load = Array.from({ length: 8 }, async () => {
    while (!isOver) statuses.push((await use(proxy, token)).status);
  });
  const served = () => {
    const wanted = statuses.length + 50;
    return pollUntil(async () => statuses.length >= wanted, { withinMs: 10_000, everyMs: 10, describe: proxy.output });
  };
  await served();
  for (let pause = 1; pause <= 2; pause++) {
    proxy.child.kill('SIGSTOP');
    // The duration of the pause.
    await setTimeout(1_500);
    proxy.child.kill('SIGCONT');
    await served();
  }
  isOver = true;
  await Promise.all(load);
  expect(new Set(statuses)).toEqual(new Set([arrival.status]));
});

/** The name, the time to live and the content of every stored entry. */
const readAll = createRedisScript(`local all = {}
for _, name in ipairs(redis.call('KEYS', '*')) do
  local kind = redis.call('TYPE', name).ok
  local content
  if kind == 'string' then content = redis.call('GET', name)
  elseif kind == 'set' then content = table.concat(redis.call('SMEMBERS', name), ' ')
  else content = table.concat(redis.call('LRANGE', name, 0, -1), ' ') end
  all[#all + 1] = { name, redis.call('PTTL', name), content }
end
return all`);

test('Redis stores only digests, each with an expiry', async () => {
  const redis = await startStore();
  const proxy = await start(redis.url);
  const { token } = await logIn(proxy);
  const client = createRedisConnection(redis.url);
  onTestFinished(client.close);
  const stored = (await client.run(readAll, [], [])) as [name: string, leftMs: number, content: string][];
  expect(stored.map(([name]) => name.split(':').slice(0, 2).join(':')).sort()).toEqual([
    'rostergate-proxy:keys-with-tokens',
    'rostergate-proxy:token',
    'rostergate-proxy:tokens-of',
  ]);
  for (const [name, leftMs, content] of stored) {
    expect(leftMs).toBeGreaterThan(3_600_000);
    expect(leftMs).toBeLessThanOrEqual(7_200_000);
    for (const secret of [token, keyOf('ops')]) expect(name + content).not.toContain(secret);
  }
});

test('login 503: while Redis is unavailable tokens are neither issued nor accepted, but keys are accepted', async () => {
  const redis = await startStore();
  const proxy = await start(redis.url);
  const { token } = await logIn(proxy);
  redis.freeze();
  expect(await use(proxy, token)).toEqual({ status: 503, code: 'unavailable' });
  expect(await logIn(proxy)).toMatchObject({ status: 503, code: 'unavailable' });
  const withKey = await proxy.call('/v2/staffmember/S-1', { headers: { 'X-API-Key': keyOf('ops') } });
  expect(withKey.status).toBe(arrival.status);
  const readiness = await proxy.call('/health/ready');
  expect([readiness.status, readiness.body.dependencies.tokens]).toMatchObject([
    200,
    { status: 'degraded', store: 'redis' },
  ]);
  redis.thaw();
  await pollUntil(async () => (await use(proxy, token)).status === arrival.status, {
    withinMs: 10_000,
    everyMs: 100,
    describe: proxy.output,
  });
  const after = await proxy.call('/health/ready');
  expect(after.body.dependencies.tokens).toEqual({ status: 'ready', store: 'redis' });
  expect(proxy.output()).not.toContain(redis.url);
});
