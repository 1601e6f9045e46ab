import { expect, onTestFinished, test } from 'vitest';
import { startRedis } from '../../../../../packages/access/test/start-redis.ts';
import { startGateway } from '../../gateway-process.ts';
import { openKeys, statusOf, storeOf, untilAll } from '../../key-store.ts';

test('setting key_store_url: keys in Redis are shared, outlive its restart, and an empty Redis counts as away', async () => {
  const redis = await startRedis({ more: { appendonly: 'yes', appendfsync: 'always' } });
  onTestFinished(() => redis.close());
  const settings = { key_store_url: redis.url, key_store_stale_seconds_max: 3_600 };
  const keys = await openKeys(redis.url);
  const [kept, revoked] = [await keys.create('kept'), await keys.create('revoked')];
  const gateways = await Promise.all([startGateway({ settings }), startGateway({ settings })]);
  await untilAll(gateways, revoked, '200');
  await redis.stop();
  await redis.start();
  expect((await keys.run('revoke', 'revoked')).stdout).toBe('Revoked revoked.\n');
  await untilAll(gateways, revoked, '401 key_revoked');
  expect(await Promise.all(gateways.map((gateway) => statusOf(gateway, kept)))).toEqual(['200', '200']);

  const empty = await startRedis();
  onTestFinished(() => empty.close());
  const restarted = await startGateway({ settings: { ...settings, key_store_url: empty.url } });
  expect(await statusOf(restarted, kept)).toBe('503 unavailable');
  expect(await storeOf(restarted)).toMatchObject({ reason: expect.stringContaining('no keys yet') });
});
