import { expect, onTestFinished, test } from 'vitest';
// The test helper of its package; tools may import files that packages do not export.
import { startRedis } from '../../../../../packages/access/test/start-redis.ts';
import { pollUntil } from '../../poll-until.ts';
import { startGate } from '../../start-gate.ts';
import { whenTestEnds } from '../../when-test-ends.ts';
import { accounts, arrival, entryOf, keyOf, type RecordedProxy, startRecordedProxy } from '../recorded-proxy.ts';
import { logIn, openProxyKeys, outcomeOf, storeOf, untilAll, untilInForce } from '../stored-keys.ts';

test('setting key_store_url: two proxies share keys and tokens in Redis, and a revoked key ends its tokens on both', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const settings = {
    ...{ key_store_url: redis.url, redis_url: redis.url, key_store_stale_seconds_max: 3_600 },
    pass_through: [{ name: 'schedule', path: '/v2/schedule/{rest*}', methods: ['GET'] }],
  };
  const keys = await openProxyKeys(redis.url, settings);
  const proxies = await Promise.all([1, 2].map(() => startRecordedProxy({ keys: [entryOf('local')], settings })));
  const [first, second] = proxies as [RecordedProxy, RecordedProxy];
  expect(await outcomeOf(first, 'unknown')).toBe('503 unavailable');
  await expect
    .poll(() => storeOf(first), { timeout: 20_000 })
    .toMatchObject({ reason: expect.stringContaining('no keys yet') });
  const key = await keys.create('ops', '--account', 'admin', '--allow', 'listStaffMembers');
  const arrived = `${arrival.status} ${arrival.code}`;
  await untilAll(proxies, key, arrived);
  const token = await logIn(first, 'ops', key);
  expect(await outcomeOf(second, token)).toBe(arrived);
  const ofFile = await logIn(first, 'local', keyOf('local'));
  expect(await outcomeOf(first, ofFile)).toBe(arrived);
  // A restart deletes no tokens of stored keys, and those of a key that was removed from the file.
  await first.stop();
  const gate = await startGate(redis.url, whenTestEnds);
  const restarted = await startRecordedProxy({ keys: [], settings: { ...settings, key_store_url: gate.url } });
  await untilAll([restarted, second], token, arrived);
  await restarted.edit({ 'proxy-keys.json': { accounts, keys: [entryOf('local')] } });
  expect([await outcomeOf(restarted, keyOf('local')), await outcomeOf(restarted, ofFile)]).toEqual([
    arrived,
    '401 key_invalid',
  ]);
  expect((await keys.run('revoke', 'ops')).stdout).toBe('Revoked ops.\n');
  await untilInForce([restarted, second], token, '401 key_revoked');
  await untilAll([restarted, second], key, '401 key_revoked');

  const usual = await keys.create('usual', '--account', 'reader');
  const board = await keys.create('board', '--account', 'reader', '--pass-through', 'schedule');
  await untilInForce([restarted, second], board, arrived);
  const passed = [board, usual].map(async (each) => (await second.callWith(each, '/v2/schedule/or-3')).body.code);
  expect(await Promise.all(passed)).toEqual([arrival.code, 'operation_forbidden']);

  gate.shut();
  await pollUntil(async () => (await storeOf(restarted)).status === 'degraded', {
    withinMs: 20_000,
    describe: restarted.output,
  });
  expect([await outcomeOf(restarted, board), await outcomeOf(restarted, key)]).toEqual([arrived, '401 key_revoked']);
  expect(await outcomeOf(restarted, 'created-since')).toBe('503 unavailable');
});
