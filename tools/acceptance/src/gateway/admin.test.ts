import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AdminClient, type ApiProblem, createAdminClient } from '@rostergate/admin-client';
import { document } from '@rostergate/admin-spec';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pickFreePort } from '../../../workspace/free-ports.ts';
import { createEndings } from '../at-end.ts';
import type { OpenApiDocument } from '../contract-paths.ts';
import { type GatewayProcess, goodKey, makeGatewayFolder, runCommand, startGateway } from '../gateway-process.ts';
import { plainFetch } from '../plain-fetch.ts';
import { pollUntil } from '../poll-until.ts';
import { createResponseCheck } from '../response-check.ts';

const rootKey = 'acceptance-key-of-the-administrator';
const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
const keysFile = (...more: object[]) =>
  JSON.stringify({ keys: [{ name: 'root', owner: 'ops', sha256: sha256(rootKey), scopes: ['admin'] }, ...more] });
const endpoints = [{ path: '/api/reports', service: 'echo', requires_auth: true, scopes: ['reports'] }];
const plans = {
  free: { limits: [{ requests: 100, per: 'second' }] },
  gold: { limits: [{ requests: 1_000, per: 'second' }] },
};

const check = createResponseCheck(document as OpenApiDocument);
/** Every response of the admin API, to search it for keys. */
const texts: string[] = [];

async function checkedFetch(request: Request): Promise<Response> {
  const response = await fetch(request);
  const text = await response.clone().text();
  const { status, headers } = response;
  check({ method: request.method, path: new URL(request.url).pathname, status, headers, text });
  texts.push(text);
  return response;
}

const clientOf = (baseUrl: string, key = rootKey) =>
  createAdminClient({ baseUrl, key, fetch: checkedFetch, retries: 0 });
const problemOf = (call: Promise<unknown>): Promise<ApiProblem> =>
  call.then(
    () => expect.unreachable(),
    (error) => error,
  );

let gateway: GatewayProcess;
let adminUrl: string;
let admin: AdminClient;
const { atEnd, end } = createEndings();

beforeAll(async () => {
  const port = await pickFreePort();
  adminUrl = `http://127.0.0.1:${port}`;
  gateway = await startGateway(
    {
      endpoints,
      settings: { admin_port: port, plans, usage: { flush_seconds: 1 } },
      files: { 'keys.json': keysFile() },
    },
    atEnd,
  );
  admin = clientOf(adminUrl);
});
afterAll(end);

const statusOf = async (key: string, path = '/auth/status') => {
  const { status, body } = await gateway.call(path, { headers: { 'X-API-Key': key } });
  return status === 200 ? '200' : `${status} ${body.code}`;
};
const until = (key: string, wanted: string, path?: string) =>
  pollUntil(async () => (await statusOf(key, path)) === wanted, { withinMs: 10_000, describe: gateway.output });

test('setting admin_port: serves keys with the scope admin alone, and no other port serves the admin API', async () => {
  const statusesOf = async (base: string, headers: Record<string, string>) => {
    const paths = ['/keys', '/keys/root', '/owners', '/plans', '/configuration', '/audit'];
    const found = paths.map(async (path) => (await plainFetch(new URL(path, base), { headers })).status);
    return [...new Set(await Promise.all(found))];
  };
  expect(await statusesOf(adminUrl, {})).toEqual([401]);
  expect(await statusesOf(adminUrl, { 'X-API-Key': 'unknown' })).toEqual([401]);
  expect(await statusesOf(adminUrl, { 'X-API-Key': goodKey })).toEqual([403]);
  expect(await statusesOf(gateway.url, { 'X-API-Key': rootKey })).toEqual([404]);
  for (const path of ['/auth/status', '/health', '/metrics', '/docs', '/api/reports']) {
    expect((await plainFetch(new URL(path, adminUrl), { headers: { 'X-API-Key': rootKey } })).status).toBe(404);
  }
  expect(
    await problemOf(clientOf(adminUrl, goodKey).createKey({ body: { name: 'x', scopes: [] } as never })),
  ).toMatchObject({ status: 403, code: 'scope_missing' });
});

test('setting admin_port: validate explains how to create the first key, and rejects the public port', async () => {
  const settings = { port: 9_001, admin_port: 9_002 };
  const cwd = await makeGatewayFolder({ settings, endpoints: [{ ...endpoints[0], scopes: ['admin'] }] });
  const first = await runCommand(['validate'], { cwd });
  expect([first.exitCode, first.stdout + first.stderr]).toEqual([
    ...[0, expect.stringContaining('rostergate keys create --name admin --scope admin')],
  ]);
  expect(first.stdout + first.stderr).toContain('GET /api/reports requires the scope admin, which is also that of');
  const same = await makeGatewayFolder({ settings: { ...settings, admin_port: 9_001 } });
  const { exitCode, stderr } = await runCommand(['validate'], { cwd: same });
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/settings\.json:\d+:\d+ .*admin_port: must differ/)]);
});

test('setting admin_host: listens on that address alone, with workers too, and reports a port in use', async () => {
  const port = await pickFreePort();
  const settings = { workers: 2, admin_port: port, admin_host: '127.0.0.3' };
  const { url } = await startGateway({ endpoints, settings, files: { 'keys.json': keysFile() } });
  const there = clientOf(`http://127.0.0.3:${port}`);
  await expect(fetch(`http://127.0.0.1:${port}/keys`)).rejects.toThrow('fetch failed');
  const { key } = await there.createKey({ body: { name: 'app', scopes: ['reports'] } });
  const served = () => plainFetch(new URL('/api/reports', url), { headers: { 'X-API-Key': key } });
  const statuses = async () => (await Promise.all([served(), served(), served()])).map(({ status }) => status);
  await expect.poll(statuses).toEqual([200, 200, 200]);
  // A worker applies the edit before it hears of the outcome of all.
  await expect.poll(() => there.getConfigurationState()).toMatchObject({ status: 'ready', generation: 2 });
  expect(await problemOf(there.getUsage())).toMatchObject({ status: 501, code: 'not_implemented' });
  const other = await makeGatewayFolder({ settings: { ...settings, port: 0 } });
  const { exitCode, stderr } = await runCommand(['serve'], { cwd: other });
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining('set admin_port to another')]);
});

test('operation createKey: returns the key once; it is stored as a digest, valid at once, and in no log', async () => {
  const body = { name: 'created', owner: 'acme', scopes: ['reports', 'reports'], plan: 'gold', prefix: 'my' };
  const { key, ...facts } = await admin.createKey({ body });
  expect(key).toMatch(/^my_live_/);
  expect(facts).toMatchObject({ owner: 'acme', scopes: ['reports'], plan: 'gold', expires_at: null, state: 'active' });
  await until(key, '200', '/api/reports');
  expect(await readFile(join(gateway.folder, 'keys.json'), 'utf8')).toContain(sha256(key));
  await gateway.logged(({ msg, actor, key: name }) => msg === 'key changed' && actor === 'root' && name === 'created');
  await admin.listKeys();
  await admin.getKey({ path: { name: 'created' } });
  expect(gateway.output()).not.toContain(key);
  expect(texts.filter((text) => text.includes(key))).toHaveLength(1);
  expect(texts.join()).not.toContain(sha256(key));
});

test.each([
  ['a name that is taken', { name: 'root' }, 409, 'conflict'],
  ['a plan that does not exist', { name: 'x', plan: 'glod' }, 403, 'plan_unknown'],
  ['a plan that differs from that of the owner', { name: 'x', owner: 'acme', plan: 'free' }, 409, 'conflict'],
  ['a scope that no endpoint requires', { name: 'x', scopes: ['report'] }, 403, 'scope_unknown'],
  ['an expiry in the past', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 400, 'validation_failed'],
  ['a name with a line break', { name: 'x\n' }, 400, 'validation_failed'],
  ['a digest', { name: 'x', sha256: sha256('mine') }, 400, 'validation_failed'],
])('operation createKey: rejects a wrong body, and changes nothing (%s)', async (_, body, status, code) => {
  await admin
    .createKey({ body: { name: 'taken', owner: 'acme', plan: 'gold', scopes: [], prefix: 'rg' } })
    .catch(() => {});
  const before = await readFile(join(gateway.folder, 'keys.json'), 'utf8');
  expect(await problemOf(admin.createKey({ body: body as never }))).toMatchObject({ status, code });
  expect(await readFile(join(gateway.folder, 'keys.json'), 'utf8')).toBe(before);
});

test('operation rotateKey: the successor is valid, and the old key until the overlap ends', async () => {
  const first = await admin.createKey({ body: { name: 'turn', scopes: ['reports'], prefix: 'rg' } });
  const path = { name: 'turn' };
  const second = await admin.rotateKey({ path, body: { overlap_seconds: 3_600 } });
  expect(second).toMatchObject({ name: 'turn-2', scopes: ['reports'], replaces: { name: 'turn' } });
  await until(second.key, '200', '/api/reports');
  expect(await statusOf(first.key)).toBe('200');
  const third = await admin.rotateKey({ path: { name: 'turn-2' }, body: { overlap_seconds: 0 } });
  await until(third.key, '200');
  expect(await statusOf(second.key)).toBe('401 key_expired');
  const again = admin.rotateKey({ path: { name: 'turn-2' }, body: { overlap_seconds: 0 } });
  expect(await problemOf(again)).toMatchObject({ status: 409, code: 'conflict' });
  expect(gateway.output()).not.toMatch(new RegExp(`${second.key}|${third.key}`));
});

test('operation updateKey: replaces scopes and the plan, and knows no other', async () => {
  const { key } = await admin.createKey({ body: { name: 'changing', scopes: [], prefix: 'rg' } });
  await until(key, '403 scope_missing', '/api/reports');
  const path = { name: 'changing' };
  expect(await admin.updateKey({ path, body: { scopes: ['reports'], plan: 'free' } })).toMatchObject({ plan: 'free' });
  await until(key, '200', '/api/reports');
  for (const [body, status] of [
    [{ scopes: ['other'] }, 403],
    [{ plan: 'other' }, 403],
    [{}, 400],
  ] as const) {
    expect(await problemOf(admin.updateKey({ path, body: body as never }))).toMatchObject({ status });
  }
  const unknown = admin.updateKey({ path: { name: 'unknown' }, body: { scopes: [] } });
  expect(await problemOf(unknown)).toMatchObject({ status: 404, code: 'not_found' });
});

test('operation revokeKey: the key is rejected as revoked, and keeps its first time', async () => {
  const { key } = await admin.createKey({ body: { name: 'ending', scopes: [], prefix: 'rg' } });
  await until(key, '200');
  const revoked = await admin.revokeKey({ path: { name: 'ending' } });
  expect(revoked).toMatchObject({ state: 'revoked' });
  await until(key, '401 key_revoked');
  expect(await admin.revokeKey({ path: { name: 'ending' } })).toEqual(revoked);
  expect(await problemOf(admin.revokeKey({ path: { name: 'unknown' } }))).toMatchObject({ status: 404 });
});

test('operation getKey: returns what a key may do, and 404 for an unknown name', async () => {
  const found = await admin.getKey({ path: { name: 'root' } });
  expect(found).toMatchObject({ name: 'root', owner: 'ops', scopes: ['admin'], state: 'active' });
  expect(await problemOf(admin.getKey({ path: { name: 'unknown' } }))).toMatchObject({ status: 404 });
  expect(await problemOf(admin.getKey({ path: { name: '../root' } }))).toMatchObject({ status: 400 });
});

test('operation listKeys: returns every key once, page by page, or those of an owner', async () => {
  const names: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await admin.listKeys({ query: { limit: 2, ...(after === undefined ? {} : { after }) } });
    names.push(...page.keys.map(({ name }) => name));
    if (page.next === undefined) break;
    after = page.next;
  }
  const stored = JSON.parse(await readFile(join(gateway.folder, 'keys.json'), 'utf8')) as { keys: { name: string }[] };
  expect(names).toEqual(stored.keys.map(({ name }) => name).toSorted());
  expect((await admin.listKeys({ query: { owner: 'ops' } })).keys.map(({ name }) => name)).toEqual(['root']);
  expect(await problemOf(admin.listKeys({ query: { limit: 1_001 } }))).toMatchObject({ status: 400 });
});

test('operation listOwners: counts the keys of each owner', async () => {
  const { owners } = await admin.listOwners();
  expect(owners).toContainEqual({ owner: 'ops', keys: 1 });
  const first = await admin.listOwners({ query: { limit: 1 } });
  expect(first).toEqual({ owners: owners.slice(0, 1), next: owners[0]?.owner });
});

test('operation getUsage: returns the requests of all owners, or of one', async () => {
  await statusOf(rootKey);
  const query = { by: ['owner' as const, 'operation' as const] };
  const found = async () =>
    (await admin.getUsage({ query })).usage.find(
      ({ owner, operation }) => owner === 'ops' && operation === 'getAuthStatus',
    );
  await pollUntil(async () => (await found()) !== undefined, { withinMs: 20_000, describe: gateway.output });
  expect(await found()).toMatchObject({ requests: expect.any(Number) });
  expect(await admin.getUsage({ query: { owner: 'unknown' } })).toMatchObject({ total_requests: 0, usage: [] });
  const empty = { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' };
  expect(await problemOf(admin.getUsage({ query: empty }))).toMatchObject({ status: 400 });
  // PostgreSQL accepts no U+0000 in a text.
  expect(await problemOf(admin.getUsage({ query: { owner: 'ops\0' } }))).toMatchObject({ status: 400 });
});

test('operation listPlans: returns the plans of the running configuration', async () => {
  expect((await admin.listPlans()).plans).toEqual(plans);
});

test('operation listAuditEntries: says that the keys file records none, and where they are', async () => {
  expect(await problemOf(admin.listAuditEntries())).toMatchObject({
    ...{ status: 501, message: expect.stringContaining('Set key_store_url') },
  });
});

test('operation getConfigurationState: counts generations, and lists the faults of a rejected edit', async () => {
  const before = await admin.getConfigurationState();
  expect(before).toMatchObject({ status: 'ready', faults: [] });
  expect(before.sources).toContain(join(gateway.folder, 'endpoints.json'));
  await gateway.write('endpoints.json', { endpoints: [{ ...endpoints[0], service: 'ehco' }] });
  await pollUntil(async () => (await admin.getConfigurationState()).status === 'degraded', {
    ...{ withinMs: 10_000, describe: gateway.output },
  });
  const broken = await admin.getConfigurationState();
  expect(broken).toMatchObject({ generation: before.generation, revision: before.revision });
  expect(broken.faults).toEqual([
    {
      where: expect.stringMatching(/endpoints\.json:\d+:\d+/),
      field: 'endpoints[0].service',
      detail: expect.any(String),
    },
  ]);
  await gateway.write('endpoints.json', { endpoints: [{ ...endpoints[0], summary: 'Reports' }] });
  await pollUntil(async () => (await admin.getConfigurationState()).generation === before.generation + 1, {
    ...{ withinMs: 10_000, describe: gateway.output },
  });
  const after = await admin.getConfigurationState();
  expect(after).toMatchObject({ status: 'ready', faults: [] });
  expect(after.revision).not.toBe(before.revision);
});

test('operation getOpenapiDocument: returns the contract of the admin API', async () => {
  expect(await createAdminClient({ baseUrl: adminUrl }).getOpenapiDocument()).toEqual(document);
});

test('command keys create: works through the admin API with --admin-url, as do the other commands', async () => {
  const env = { ROSTERGATE_ADMIN_KEY: rootKey };
  const run = (...args: string[]) => runCommand(['keys', ...args, '--admin-url', adminUrl], { cwd: '/', env });
  const created = await run('create', '--name', 'far', '--scope', 'reports');
  expect([created.exitCode, created.stderr]).toEqual([0, expect.stringContaining(`Created far in ${adminUrl}`)]);
  const rotated = await run('rotate', 'far', '--overlap', '1h', '--json');
  expect(JSON.parse(rotated.stdout)).toMatchObject({ name: 'far-2', replaces: { name: 'far' } });
  expect((await run('scopes', 'far-2')).stdout).toBe('Changed the scopes of far-2.\n');
  expect((await run('plan', 'far-2', 'gold')).stdout).toBe('Changed the plan of far-2.\n');
  expect((await run('revoke', 'far')).stdout).toBe('Revoked far.\n');
  const [again, listed, unknown, keyless, away, open] = await Promise.all([
    run('revoke', 'far'),
    run('list'),
    run('revoke', 'unknown'),
    runCommand(['keys', 'list', '--admin-url', adminUrl], { cwd: '/' }),
    runCommand(['keys', 'list', '--admin-url', 'http://127.0.0.1:9'], { cwd: '/', env }),
    runCommand(['keys', 'list', '--admin-url', 'http://gateway.example:9001'], { cwd: '/', env }),
  ]);
  expect(again.stdout).toMatch(/^far is revoked already, since /);
  expect(listed.stdout).toMatch(/^far\tfar\t.*\trevoked$/m);
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('There is no key of that name.')]);
  expect([keyless.exitCode, keyless.stderr]).toEqual([2, expect.stringContaining('in ROSTERGATE_ADMIN_KEY')]);
  expect([away.exitCode, away.stderr]).toEqual([3, expect.stringContaining('cannot be reached')]);
  expect([open.exitCode, open.stderr]).toEqual([2, expect.stringContaining('Use https, or add --allow-http')]);
});

test('rule the admin API changes the keys of the running configuration: also after an edit of keys_file', async () => {
  await gateway.write('other-keys.json', JSON.parse(keysFile()));
  const settings = JSON.parse(await readFile(join(gateway.folder, 'settings.json'), 'utf8'));
  await gateway.write('settings.json', { ...settings, keys_file: 'other-keys.json' });
  const keysInUse = join(gateway.folder, 'other-keys.json');
  await pollUntil(async () => (await admin.getConfigurationState()).sources.includes(keysInUse), {
    ...{ withinMs: 10_000, describe: gateway.output },
  });
  expect((await admin.listKeys()).keys.map(({ name }) => name)).toEqual(['root']);
  const { key } = await admin.createKey({ body: { name: 'moved', scopes: [] } });
  await until(key, '200');
  await gateway.write('settings.json', settings);
});
