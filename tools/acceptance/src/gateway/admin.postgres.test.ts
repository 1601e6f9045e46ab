import { createAdminClient } from '@rostergate/admin-client';
import { expect, onTestFinished, test } from 'vitest';
import { pickFreePort } from '../../../workspace/free-ports.ts';
import { createPostgresDatabase } from '../database.ts';
import { makeGatewayFolder, runCommand, startGateway } from '../gateway-process.ts';
import { plainFetch } from '../plain-fetch.ts';
import { pollUntil } from '../poll-until.ts';
import { startGate } from '../start-gate.ts';
import { whenTestEnds } from '../when-test-ends.ts';

test('operation listAuditEntries: names the key that made each change, on a store that gateways share', async () => {
  const database = await createPostgresDatabase(process.env.TEST_POSTGRES_URL as string);
  onTestFinished(database.drop);
  const direct = Object.values(database.env)[0] as string;
  const cwd = await makeGatewayFolder({ settings: { key_store_url: direct } });
  const { stdout } = await runCommand(['keys', 'create', '--name', 'root', '--scope', 'admin'], { cwd });
  const root = stdout.trim();
  const gate = await startGate(direct, whenTestEnds);
  const settings = { key_store_url: gate.url, key_store_stale_seconds_max: 3_600 };
  const admin_port = await pickFreePort();
  const [there, elsewhere] = await Promise.all([
    startGateway({ settings: { ...settings, admin_port, workers: 2 } }),
    startGateway({ settings }),
  ]);
  const options = { baseUrl: `http://127.0.0.1:${admin_port}`, key: root, fetch: plainFetch, retries: 0 };
  const admin = createAdminClient(options);
  const statusOf = async (key: string) =>
    (await elsewhere.call('/auth/status', { headers: { 'X-API-Key': key } })).status;

  const app = await admin.createKey({ body: { name: 'app', owner: 'acme', scopes: [], prefix: 'rg' } });
  await pollUntil(async () => (await statusOf(app.key)) === 200, { withinMs: 10_000, describe: elsewhere.output });
  const successor = await admin.rotateKey({ path: { name: 'app' }, body: { overlap_seconds: 60 } });
  await admin.revokeKey({ path: { name: 'app' } });
  await pollUntil(async () => (await statusOf(app.key)) === 401, { withinMs: 10_000, describe: elsewhere.output });
  expect((await admin.listOwners()).owners).toEqual([
    { owner: 'acme', keys: 2 },
    { owner: 'root', keys: 1 },
  ]);
  const { entries } = await admin.listAuditEntries();
  expect(entries.map(({ actor, action, name }) => [actor, action, name]).slice(0, 4)).toEqual([
    ['root', 'revoke', 'app'],
    ['root', 'rotate', expect.stringMatching(/^app/)],
    ['root', 'rotate', expect.stringMatching(/^app/)],
    ['root', 'create', 'app'],
  ]);
  expect(entries.at(-1)?.actor).toContain('@');
  expect(JSON.stringify(entries)).not.toMatch(/sha256|_live_/);
  expect(there.output()).not.toMatch(new RegExp(`${app.key}|${successor.key}|${root}`));

  // The last known keys authenticate; nothing can be changed or listed.
  gate.shut();
  const calls = [
    () => admin.createKey({ body: { name: 'late', scopes: [], prefix: 'rg' } }),
    () => admin.listKeys(),
    () => admin.getKey({ path: { name: 'app' } }),
    () => admin.listAuditEntries(),
  ];
  for (const call of calls) {
    await expect(call()).rejects.toMatchObject({ status: 503, code: 'unavailable', retryAfterSeconds: 1 });
  }
  expect(await admin.getConfigurationState()).toMatchObject({ status: 'ready' });
});
