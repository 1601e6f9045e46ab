import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPostgresDatabase, runSql } from '../../database.ts';
import { startGateway } from '../../gateway-process.ts';
import { openKeys, statusOf, untilAll as untilAllGateways } from '../../key-store.ts';
import { pollUntil } from '../../poll-until.ts';
import { makeProxyFolder, runProxyCommand } from '../../proxy-process.ts';
import { startGate } from '../../start-gate.ts';
import { whenTestEnds } from '../../when-test-ends.ts';
import { accounts, arrival, entryOf, keyOf, type RecordedProxy, startRecordedProxy } from '../recorded-proxy.ts';
import { logIn, openProxyKeys, outcomeOf, storeOf, untilAll, untilInForce } from '../stored-keys.ts';

async function createStore(): Promise<string> {
  const database = await createPostgresDatabase(process.env.TEST_POSTGRES_URL as string);
  onTestFinished(database.drop);
  return Object.values(database.env)[0] as string;
}

const arrived = `${arrival.status} ${arrival.code}`;
const start = (settings: object) => startRecordedProxy({ keys: [entryOf('local')], settings: { ...settings } });

test('setting key_store_url: keys and their tokens are valid and revoked on every proxy within 2 s, apart from those of gateways', async () => {
  const key_store_url = await createStore();
  const keys = await openProxyKeys(key_store_url);
  const read = await keys.create('wall', '--account', 'reader', '--read-only', '--deny', 'getStaffMember');
  const proxies = await Promise.all([start({ key_store_url }), start({ key_store_url })]);
  const [first, second] = proxies as [RecordedProxy, RecordedProxy];
  const ops = await keys.create('ops', '--account', 'admin', '--owner', 'team');
  await untilInForce(proxies, ops, arrived);
  for (const proxy of proxies) {
    expect([await outcomeOf(proxy, keyOf('local')), await outcomeOf(proxy, 'unknown')]).toEqual([
      arrived,
      '401 key_invalid',
    ]);
    expect(await outcomeOf(proxy, read)).toBe(arrived);
    const denied = await proxy.callWith(read, '/v2/staffmember/S-1');
    expect([denied.status, denied.body.code]).toEqual([403, 'operation_forbidden']);
    // Data of accounts with `admin`.
    const hidden = await proxy.callWith(read, '/v2/staffmember?$filter=Tags/any()');
    expect([hidden.status, hidden.body.code]).toEqual([403, 'scope_missing']);
    expect(await storeOf(proxy)).toEqual({
      httpStatus: 200,
      status: 'ready',
      keys: 2,
      age_seconds: expect.any(Number),
    });
    expect((await proxy.call('/metrics')).text).toMatch(/^key_store_up 1$/m);
  }
  const [token, foreign] = [await logIn(first, 'ops', ops), await logIn(second, 'ops', ops)] as [string, string];
  expect([await outcomeOf(first, token), await outcomeOf(second, foreign)]).toEqual([arrived, arrived]);

  const gatewayKeys = await openKeys(key_store_url);
  const ofGateway = await gatewayKeys.create('ops', '--owner', 'team');
  const gateway = await startGateway({ settings: { key_store_url } });
  await untilAllGateways([gateway], ofGateway, '200');
  await untilAllGateways([gateway], ops, '401 key_invalid');
  for (const proxy of proxies) expect(await outcomeOf(proxy, ofGateway)).toBe('401 key_invalid');

  expect((await keys.run('revoke', 'ops')).stdout).toBe('Revoked ops.\n');
  await untilInForce(proxies, ops, '401 key_revoked');
  expect([await outcomeOf(first, token), await outcomeOf(second, foreign)]).toEqual([
    '401 key_revoked',
    '401 key_revoked',
  ]);
  expect(await logIn(first, 'ops', ops)).toBe('login_failed');
  expect(await statusOf(gateway, ofGateway)).toBe('200');

  const trail = JSON.parse((await keys.run('audit', '--json')).stdout) as readonly object[];
  expect(trail).toMatchObject([
    { action: 'revoke', name: 'ops' },
    { action: 'create', name: 'ops', owner: 'team', changes: { account: 'admin' } },
    { action: 'create', name: 'wall', changes: { read_only: true, operations: { deny: ['getStaffMember'] } } },
  ]);
  expect(JSON.parse(await readFile(join(keys.folder, 'proxy-keys.json'), 'utf8'))).toEqual({ accounts });
});

test('setting key_store_stale_seconds_max: the last known keys and their tokens are valid for that time, then 503', async () => {
  const url = await createStore();
  const keys = await openProxyKeys(url);
  const key = await keys.create('ops', '--account', 'admin');
  const gate = await startGate(url, whenTestEnds);
  gate.shut();
  const settings = { key_store_url: gate.url, key_store_stale_seconds_max: 3_600 };
  const proxy = await start(settings);
  // Down at the start: its keys may be valid, those of the file are.
  expect([await outcomeOf(proxy, key), await outcomeOf(proxy, keyOf('local'))]).toEqual(['503 unavailable', arrived]);
  expect(await logIn(proxy, 'ops', key)).toBe('unavailable');
  expect(await storeOf(proxy)).toMatchObject({ httpStatus: 200, status: 'degraded', keys: 0, age_seconds: null });

  gate.open();
  await untilAll([proxy], key, arrived);
  const token = await logIn(proxy, 'ops', key);
  gate.shut();
  await pollUntil(async () => (await storeOf(proxy)).status === 'degraded', {
    withinMs: 20_000,
    describe: proxy.output,
  });
  expect([await outcomeOf(proxy, key), await outcomeOf(proxy, token)]).toEqual([arrived, arrived]);
  expect(await outcomeOf(proxy, 'created-since')).toBe('503 unavailable');
  expect((await proxy.callWith('created-since', '/v2/staffmember')).status).toBe(503);

  const file = join(proxy.folder, 'staff-proxy.json');
  const stale = { ...JSON.parse(await readFile(file, 'utf8')), key_store_stale_seconds_max: 1 };
  await proxy.applied(() => writeFile(file, JSON.stringify(stale)));
  await untilAll([proxy], key, '503 unavailable', 20_000);
  expect([await outcomeOf(proxy, token), await outcomeOf(proxy, keyOf('local'))]).toEqual(['503 unavailable', arrived]);
  expect(await storeOf(proxy)).toMatchObject({ reason: expect.stringContaining('rejected with 503') });
  expect((await proxy.call('/metrics')).text).toMatch(/^key_store_up 0$/m);
  expect(proxy.output()).not.toContain(new URL(url).password);

  gate.open();
  await untilAll([proxy], key, arrived, 20_000);
  expect([await outcomeOf(proxy, token), await outcomeOf(proxy, 'unknown')]).toEqual([arrived, '401 key_invalid']);
});

test('setting key_store_url: keys without a service account, and damaged ones, are rejected and reported', async () => {
  const key_store_url = await createStore();
  const keys = await openProxyKeys(key_store_url);
  const [orphan, damaged] = [
    await keys.create('orphan', '--account', 'reader'),
    await keys.create('damaged', '--account', 'admin'),
  ];
  await runSql(
    key_store_url,
    `UPDATE rostergate_proxy_keys SET entry = entry || '{"operations": {"allow": ["no-such-operation"]}}' WHERE name = 'damaged'`,
  );
  const { admin } = accounts;
  const proxy = await startRecordedProxy({ accounts: { admin }, keys: [], settings: { key_store_url } });
  await untilAll([proxy], orphan, '401 key_invalid');
  const refused = await proxy.callWith(orphan, '/v2/staffmember');
  expect(refused.body).toMatchObject({
    status: 401,
    code: 'key_invalid',
    detail: expect.stringContaining('service account'),
  });
  expect(await logIn(proxy, 'orphan', orphan)).toBe('login_failed');
  expect(await outcomeOf(proxy, damaged)).toBe('401 key_invalid');
  expect(await storeOf(proxy)).toMatchObject({ status: 'degraded', invalid: 1 });
  expect(proxy.log).toContainEqual(expect.objectContaining({ account: 'reader', level: 'warn' }));
  await proxy.edit({ 'proxy-keys.json': { accounts, keys: [] } });
  expect(await outcomeOf(proxy, orphan)).toBe(arrived);

  const without = await makeProxyFolder({ keysFile: { accounts: { admin } }, settings: { key_store_url } });
  const rotated = await runProxyCommand(['keys', 'rotate', 'orphan'], { cwd: without });
  expect([rotated.exitCode, rotated.stderr]).toEqual([2, expect.stringContaining('There is no such account')]);
  expect((await runProxyCommand(['keys', 'revoke', 'orphan'], { cwd: without })).exitCode).toBe(0);
});

test('setting key_store_url: a wrong address is reported without its password', async () => {
  const wrong = await makeProxyFolder({
    keysFile: { accounts },
    settings: { key_store_url: 'mysql://ops:canary@db.example/keys' },
  });
  const { exitCode, stderr } = await runProxyCommand(['validate'], { cwd: wrong });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('key_store_url')]);
  expect(stderr).not.toContain('canary');
  const settings = { key_store_url: 'postgres://ops:canary@127.0.0.1:9/keys' };
  const cwd = await makeProxyFolder({ keysFile: { accounts }, settings });
  const listed = await runProxyCommand(['keys', 'list'], { cwd });
  expect([listed.exitCode, listed.stderr]).toEqual([3, expect.stringContaining('cannot be reached')]);
  expect(listed.stderr).not.toContain('canary');
});
