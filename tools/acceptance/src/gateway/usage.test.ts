import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../at-end.ts';
import { type GatewayProcess, runCommand, startGateway } from '../gateway-process.ts';
import { pollUntil } from '../poll-until.ts';
import { withPunctualWorkers } from '../punctual-workers.ts';
import { whenTestEnds } from '../when-test-ends.ts';

const keys = ['shop-web', 'shop-app', 'other'].map((name) => ({
  ...{ name, owner: name.split('-')[0], scopes: [] },
  sha256: createHash('sha256').update(`key-of-${name}`).digest('hex'),
}));
const files = { 'keys.json': JSON.stringify({ keys }) };
const endpoints = [{ path: '/api/fixed', service: 'static', parameters: { answer: 'fixed' } }];
const keyOf = (name: string) => ({ headers: { 'X-API-Key': `key-of-${name}` } });

async function start(usage: object, settings: object = {}): Promise<GatewayProcess> {
  return startGateway({ endpoints, files, settings: { usage, ...settings } });
}

const callTimes = (gateway: GatewayProcess, times: number, name = 'shop-web') =>
  Promise.all(Array.from({ length: times }, () => gateway.call('/api/fixed', keyOf(name))));

interface UsageRow {
  readonly key: string;
  readonly operation: string;
  readonly requests: number;
}

/** Returns the requests to an operation. An hour may have begun between them. */
const requestsTo = (operation: string, rows: readonly UsageRow[]) =>
  rows.filter((row) => row.operation === operation).reduce((sum, { requests }) => sum + requests, 0);

/** Returns the stored requests of the endpoint, by the command. */
async function stored({ folder }: GatewayProcess): Promise<number> {
  const { stdout } = await runCommand(['usage', '--by', 'operation', '--json'], { cwd: folder });
  return requestsTo('getApiFixed', JSON.parse(stdout));
}

test('setting usage: kill -9 loses the counts of one flush at most, and a clean stop none', async () => {
  const folder = await makeTemporaryFolder('rostergate-usage-', whenTestEnds);
  const usage = { file: join(folder, 'usage.sqlite'), flush_seconds: 1 };
  const first = await start(usage);
  await callTimes(first, 40);
  const isStored = async () =>
    requestsTo('getApiFixed', (await first.call('/usage?by=operation', keyOf('shop-web'))).body.usage) === 40;
  await pollUntil(isStored, { withinMs: 20_000, everyMs: 200, describe: first.output });
  await callTimes(first, 30);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const left = await stored(first);
  expect(left).toBeGreaterThanOrEqual(40);
  expect(left).toBeLessThanOrEqual(70);

  const second = await start({ ...usage, flush_seconds: 3_600 });
  await callTimes(second, 20);
  expect(await second.stop()).toBe(0);
  expect(await stored(second)).toBe(left + 20);
});

test('setting usage: workers add to one store, exactly, across a reload and a clean stop', async () => {
  await withPunctualWorkers(
    () => start({ flush_seconds: 3_600 }, { workers: 2 }),
    async (gateway) => {
      await callTimes(gateway, 30);
      await gateway.write('endpoints.json', { endpoints: [{ ...endpoints[0], summary: 'Edited' }] });
      await gateway.logged(({ msg }) => msg === 'configuration applied');
      await callTimes(gateway, 31);
      const ready = await gateway.call('/health/ready');
      expect(ready.body.dependencies.usage.status).toBe('ready');
      expect((await gateway.call('/metrics', { headers: { Accept: 'text/plain' } })).text).toMatch(
        /^usage_requests_waiting [1-9]/m,
      );
      expect(await gateway.stop()).toBe(0);
      expect(await stored(gateway)).toBe(61);
    },
  );
});

test('setting usage: a file in a missing folder is a fault with its place', async () => {
  const gateway = await start({});
  await gateway.write('settings.json', { usage: { file: 'missing/usage.sqlite' } });
  const { faults } = await gateway.logged(({ msg }) => msg?.startsWith('configuration rejected') === true);
  expect(JSON.stringify(faults)).toMatch(/settings\.json:\d+:\d+.*usage\.file.*does not exist/);
  expect((await gateway.call('/usage', keyOf('other'))).status).toBe(200);
});

test('route GET /usage: shows each owner its own counts, as JSON or CSV', async () => {
  const gateway = await start({ flush_seconds: 1 }, { rate_limit_enabled: true });
  await Promise.all([callTimes(gateway, 3), callTimes(gateway, 2, 'shop-app'), callTimes(gateway, 5, 'other')]);
  // By day: an hour may begin meanwhile.
  const usageOf = (name: string, accept = 'application/json') =>
    gateway.call('/usage?by=key,operation&interval=day', { headers: { ...keyOf(name).headers, Accept: accept } });
  const ofEndpoint = async (name: string) => {
    const { usage }: { usage: readonly (UsageRow & { time: string })[] } = (await usageOf(name)).body;
    return usage.filter(({ operation }) => operation === 'getApiFixed').map(({ time: _, ...row }) => row);
  };
  await expect
    .poll(() => ofEndpoint('shop-web'), { interval: 200 })
    .toEqual([
      { key: 'shop-app', operation: 'getApiFixed', requests: 2 },
      { key: 'shop-web', operation: 'getApiFixed', requests: 3 },
    ]);
  const csv = await usageOf('shop-web', 'text/csv');
  expect(csv.headers.has('ratelimit')).toBe(true);
  expect(csv.headers.get('content-type')).toContain('text/csv');
  expect(csv.text).toMatch(/^time,key,operation,requests\r\n\d{4}-\d\d-\d\dT\d\d:00:00Z,shop-app,getApiFixed,2\r\n/);
  expect((await gateway.call('/usage')).status).toBe(401);
  expect((await gateway.call('/usage?owner=shop', keyOf('other'))).status).toBe(404);
  expect((await gateway.call('/usage?from=2020-01-01T00:00:00Z', keyOf('other'))).status).toBe(400);
});

test('command usage: shows the counts of all owners as a table, CSV or JSON, while the server runs', async () => {
  const gateway = await start({ flush_seconds: 1 });
  await Promise.all([callTimes(gateway, 3), callTimes(gateway, 5, 'other'), gateway.call('/api/fixed')]);
  await pollUntil(async () => (await stored(gateway)) === 9, {
    ...{ withinMs: 60_000, everyMs: 200, describe: gateway.output },
  });
  const metrics = () => gateway.call('/metrics', { headers: { Accept: 'text/plain' } });
  await expect.poll(async () => (await metrics()).text).toMatch(/^usage_requests_stored_total (9|\d{2,})/m);
  const run = async (...args: string[]) => {
    const { exitCode, stdout } = await runCommand(['usage', ...args], { cwd: gateway.folder });
    return [exitCode, stdout.replaceAll(/\d{4}-\d\d-\d\dT\d\d:00:00Z/g, 'T')];
  };
  // By day: an hour may begin meanwhile.
  const [, table] = await run('--interval', 'day');
  expect(table).toContain('T\tother\tother\tgetApiFixed\t2xx\t5\n');
  expect(table).toContain('T\t–\t–\tgetApiFixed\t2xx\t1\n');
  expect(await run('--csv', '--owner', 'shop', '--interval', 'day', '--from', '7d')).toEqual([
    ...[0, 'time,owner,key,operation,status,requests\r\nT,shop,shop-web,getApiFixed,2xx,3\r\n'],
  ]);
  const [, json] = await run('--json', '--by', 'owner', '--owner', 'other', '--interval', 'day');
  expect(JSON.parse(String(json))).toEqual([{ time: 'T', owner: 'other', requests: 5 }]);
});
