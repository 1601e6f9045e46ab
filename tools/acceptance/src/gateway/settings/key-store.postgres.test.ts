import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createPostgresDatabase, runSql } from '../../database.ts';
import { goodKey, makeGatewayFolder, runCommand, startGateway } from '../../gateway-process.ts';
import { busyMs, inForceMs, openKeys, statusOf, storeOf, untilAll } from '../../key-store.ts';
import { leastMs } from '../../least-ms.ts';
import { pollUntil } from '../../poll-until.ts';
import { startGate } from '../../start-gate.ts';
import { whenTestEnds } from '../../when-test-ends.ts';

async function createStore(): Promise<string> {
  const database = await createPostgresDatabase(process.env.TEST_POSTGRES_URL as string);
  onTestFinished(database.drop);
  return Object.values(database.env)[0] as string;
}

test('setting key_store_url: keys are valid, changed and revoked on every gateway and worker, under load', async () => {
  const key_store_url = await createStore();
  const plans = { gold: { quota: { requests: 1_000_000, per: 'month' } } };
  const keys = await openKeys(key_store_url, { plans });
  const own = await keys.create('own', '--owner', 'acme', '--scope', 'read');
  const settings = { key_store_url, plans };
  const gateways = await Promise.all([
    ...[1, 1, 1].map(() => startGateway({ settings })),
    startGateway({ settings: { ...settings, workers: 2 } }),
  ]);
  await untilAll(gateways, own, '200');
  for (const gateway of gateways) {
    expect(await statusOf(gateway, goodKey)).toBe('200');
    expect(await statusOf(gateway, 'unknown')).toBe('401 key_invalid');
    await expect
      .poll(() => storeOf(gateway), { timeout: busyMs })
      .toEqual({ httpStatus: 200, status: 'ready', keys: 1, age_seconds: expect.any(Number) });
    expect((await gateway.call('/metrics')).text).toMatch(/^key_store_up 1$/m);
  }

  expect((await keys.run('scopes', 'own', 'read', 'write')).stdout).toBe('Changed the scopes of own.\n');
  expect((await keys.run('plan', 'own', 'gold')).stdout).toBe('Changed the plan of own.\n');
  const rotated = JSON.parse((await keys.run('rotate', 'own', '--overlap', '1h', '--json')).stdout) as { key: string };
  await untilAll(gateways, rotated.key, '200');
  for (const gateway of gateways) {
    const { body } = await gateway.call('/auth/status', { headers: { 'X-API-Key': rotated.key } });
    expect(body).toMatchObject({ name: 'own-2', scopes: ['read', 'write'] });
  }

  // Each worker gets some of the requests.
  const revokeUnderLoad = async (name: string, key: string) => {
    let revokedMs = Infinity;
    const late = [0];
    const load = gateways.map(async (gateway) => {
      while (performance.now() < revokedMs + inForceMs + 500) {
        const startedMs = performance.now();
        const response = await fetch(`${gateway.url}/auth/status`, { headers: { 'X-API-Key': key } });
        await response.arrayBuffer();
        if (response.status === 200) late.push(startedMs - revokedMs);
        await wait(2);
      }
    });
    expect((await keys.run('revoke', name)).stdout).toBe(`Revoked ${name}.\n`);
    revokedMs = performance.now();
    await Promise.all(load);
    return Math.max(...late);
  };
  let revoked = 0;
  const revokeNext = async () => {
    const name = revoked++ === 0 ? 'own' : `own-again-${revoked}`;
    const key = name === 'own' ? own : await keys.create(name);
    await untilAll(gateways, key, '200');
    return revokeUnderLoad(name, key);
  };
  expect(await leastMs(revokeNext, { msMax: inForceMs })).toBeLessThan(inForceMs);
  await untilAll(gateways, own, '401 key_revoked');
  await untilAll(gateways, rotated.key, '200');

  const trail = JSON.parse((await keys.run('audit', '--json')).stdout) as readonly { action: string; actor: string }[];
  expect(trail.map(({ action }) => action)).toEqual(['revoke', 'rotate', 'rotate', 'plan', 'scopes', 'create']);
  expect(new Set(trail.map(({ actor }) => actor)).size).toBe(1);
  expect(JSON.stringify(trail)).not.toContain(own.slice(8));
  const listed = (await keys.run('list')).stdout.trimEnd().split('\n');
  expect(listed.map((line) => line.split('\t').at(-1))).toEqual(['revoked', 'active']);

  const other = await keys.create('other');
  await untilAll(gateways, other, '200');
  await runSql(
    key_store_url,
    `WITH head AS (UPDATE rostergate_key_head SET revision = revision + 1 RETURNING revision)
     UPDATE rostergate_keys SET entry = entry - 'sha256', revision = head.revision FROM head WHERE name = 'own-2'`,
  );
  await untilAll(gateways, rotated.key, '401 key_invalid');
  for (const gateway of gateways) {
    expect(await statusOf(gateway, other)).toBe('200');
    // Each of its workers follows the store for itself.
    await expect
      .poll(() => storeOf(gateway), { timeout: busyMs })
      .toMatchObject({ status: 'degraded', keys: 2, invalid: 1 });
    expect((await gateway.call('/metrics')).text).toMatch(/^key_store_invalid_keys 1$/m);
    await gateway.logged(({ msg, invalid }) => msg === 'stored keys are invalid and not accepted' && invalid === 1);
  }
});

test('setting key_store_stale_seconds_max: the last known keys are valid for that time while the store is away, then 503', async () => {
  const url = await createStore();
  const keys = await openKeys(url);
  const key = await keys.create('ops');
  const gate = await startGate(url, whenTestEnds);
  gate.shut();
  const gateway = await startGateway({ settings: { key_store_url: gate.url, key_store_stale_seconds_max: 3_600 } });
  // Down at the start: its keys may be valid, those of the settings are.
  expect(await statusOf(gateway, key)).toBe('503 unavailable');
  expect(await statusOf(gateway, goodKey)).toBe('200');
  expect(await storeOf(gateway)).toMatchObject({ httpStatus: 200, status: 'degraded', keys: 0, age_seconds: null });

  gate.open();
  await untilAll([gateway], key, '200');
  gate.shut();
  await pollUntil(async () => ((await storeOf(gateway)) as { status?: string }).status === 'degraded', {
    withinMs: 20_000,
    describe: gateway.output,
  });
  expect(await statusOf(gateway, key)).toBe('200');
  expect(await statusOf(gateway, 'created-since')).toBe('503 unavailable');

  await gateway.write('settings.json', {
    ...{ api_keys: goodKey, rate_limit_enabled: false, key_store_url: gate.url, key_store_stale_seconds_max: 1 },
  });
  await untilAll([gateway], key, '503 unavailable', 20_000);
  expect(await statusOf(gateway, goodKey)).toBe('200');
  expect((await gateway.call('/metrics')).text).toMatch(/^key_store_up 0$/m);
  expect(gateway.output()).not.toContain(new URL(url).password);

  gate.open();
  await untilAll([gateway], key, '200', 20_000);
  expect(await statusOf(gateway, 'unknown')).toBe('401 key_invalid');
});

test('setting key_store_url: a store without keys, or with damaged ones, is reported and admits no one', async () => {
  const url = await createStore();
  const gateway = await startGateway({ settings: { key_store_url: url } });
  expect(await statusOf(gateway, 'unknown')).toBe('503 unavailable');
  expect(await storeOf(gateway)).toMatchObject({ reason: expect.stringContaining('no keys yet') });
  const keys = await openKeys(url);
  const [good, damaged] = [await keys.create('good'), await keys.create('damaged')];
  await untilAll([gateway], damaged, '200');
  const sql = `UPDATE rostergate_keys SET revision = revision + 1000000, entry = entry || '{"revoked_at": "no time"}' WHERE name = 'damaged'`;
  await runSql(url, sql);
  const restarted = await startGateway({ settings: { key_store_url: url } });
  expect([await statusOf(restarted, good), await statusOf(restarted, damaged)]).toEqual(['200', '401 key_invalid']);
  expect(await storeOf(restarted)).toMatchObject({ status: 'degraded', invalid: 1 });
});

test('setting key_store_url: a wrong address is reported without its password', async () => {
  const cwd = await makeGatewayFolder({ settings: { key_store_url: 'postgres://ops:canary@db.example' } });
  const { exitCode, stderr } = await runCommand(['validate'], { cwd });
  expect(exitCode).toBe(1);
  expect(stderr).toContain('Write postgres://user:password@host:5432/database');
  expect(stderr).not.toContain('canary');
  const folder = await makeGatewayFolder({ settings: { key_store_url: 'postgres://ops:canary@127.0.0.1:9/keys' } });
  const listed = await runCommand(['keys', 'list'], { cwd: folder });
  expect([listed.exitCode, listed.stderr]).toEqual([3, expect.stringContaining('cannot be reached')]);
  expect(listed.stderr).not.toContain('canary');
});
