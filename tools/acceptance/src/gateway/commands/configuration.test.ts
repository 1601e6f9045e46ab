import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeGatewayFolder, runCommand, startGateway } from '../../gateway-process.ts';
import { startListener } from '../../start-listener.ts';

const fixed = { path: '/api/fixed', service: 'static', parameters: { answer: 'fixed' } };

test('command serve: serves the configuration until SIGTERM and exits with 0', async () => {
  const gateway = await startGateway({ endpoints: [fixed] });
  expect((await gateway.call('/api/fixed')).body).toBe('fixed');
  expect(await gateway.stop()).toBe(0);
});

test('command serve: accepts no secret on the command line, where other users could read it', async () => {
  const { exitCode, stderr } = await runCommand(['serve', '--api-keys', 'canary-key'], {
    cwd: await makeGatewayFolder({}),
  });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/ROSTERGATE_API_KEYS|settings\.json/);
});

test('command init: writes a configuration that serve accepts, prints its key once, and overwrites nothing', async () => {
  const cwd = await makeGatewayFolder({ files: { 'empty/.keep': '' } });
  const made = await runCommand(['init', 'new'], { cwd });
  expect(made.exitCode).toBe(0);
  const key = /rg_live_[0-9A-Za-z]+_[0-9a-f]{8}/.exec(made.stdout + made.stderr)?.[0] ?? '';
  expect(key).not.toBe('');
  const files = ['settings.json', 'endpoints.json', 'keys.json', 'services/hello.ts'];
  const texts = Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(join(cwd, 'new', file), 'utf8')] as const)),
  );
  expect(Object.values(texts).join()).not.toContain(key);
  expect(JSON.parse(texts['settings.json'] ?? '').$schema).toMatch(/settings\.schema\.json$/);
  expect((await runCommand(['validate', '--config', 'new'], { cwd })).exitCode).toBe(0);

  const gateway = await startGateway({ files: texts });
  const { endpoints } = (await gateway.call('/endpoints')).body;
  expect(endpoints.length).toBeGreaterThan(0);
  const status = await gateway.call('/auth/status', { headers: { 'X-API-Key': key } });
  expect(status.status).toBe(200);

  const again = await runCommand(['init', 'new'], { cwd });
  expect([again.exitCode, await readFile(join(cwd, 'new/keys.json'), 'utf8')]).toEqual([1, texts['keys.json']]);
  expect(again.stderr).toContain('settings.json');
});

test('command validate: accepts the configurations that serve accepts, and prints each fault with its line', async () => {
  const good = await makeGatewayFolder({ endpoints: [fixed] });
  expect((await runCommand(['validate'], { cwd: good })).exitCode).toBe(0);
  const bad = await makeGatewayFolder({
    settings: { enable_doc: true },
    endpoints: [fixed, { ...fixed, service: 'nosuch', path: '/api/b' }],
  });
  const { exitCode, stdout, stderr } = await runCommand(['validate'], { cwd: bad });
  expect(exitCode).toBe(1);
  expect(stdout + stderr).toMatch(/settings\.json:\d+:\d+[\s\S]*endpoints\.json:\d+:\d+/);
  const json = await runCommand(['validate', '--json'], { cwd: bad });
  expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([1, expect.anything()]);
  expect(json.stdout).toContain('nosuch');
});

test('command routes: lists every route with its rules, as a table or as JSON', async () => {
  const cwd = await makeGatewayFolder({ endpoints: [{ ...fixed, requires_auth: true, rate_limit_per_minute: 7 }] });
  const { exitCode, stdout } = await runCommand(['routes'], { cwd });
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/GET\s+\/api\/fixed\s+static/)]);
  const json = JSON.parse((await runCommand(['routes', '--json'], { cwd })).stdout);
  expect(JSON.stringify(json)).toContain('/api/fixed');
  expect(JSON.stringify(json)).toContain('7');
});

test('command import: creates endpoints that forward and validate; a second import changes nothing', async () => {
  const upstream = await startListener((req, res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ asked: req.url }));
  });
  onTestFinished(upstream.stop);
  const document = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
servers: [{ url: '${upstream.url}/v1' }]
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 10 } }
      responses:
        '200': { description: Pets., content: { application/json: { schema: { type: object } } } }
`;
  const cwd = await makeGatewayFolder({ endpoints: [fixed], files: { 'pets.yaml': document } });
  expect((await runCommand(['import', 'pets.yaml', '--no-auth', '--prefix', '/api'], { cwd })).exitCode).toBe(0);
  const endpointsFile = join(cwd, 'endpoints.json');
  const imported = await readFile(endpointsFile, 'utf8');
  expect((await runCommand(['import', 'pets.yaml'], { cwd })).exitCode).toBe(0);
  expect(await readFile(endpointsFile, 'utf8')).toBe(imported);

  const { url } = await startGateway({ args: ['--config', cwd] });
  const get = async (path: string) => {
    const response = await fetch(url + path);
    return [response.status, await response.json()] as const;
  };
  expect(await get('/api/pets?limit=3')).toEqual([200, { asked: '/v1/pets?limit=3' }]);
  expect(await get('/api/pets?limit=11')).toMatchObject([400, { errors: [{ parameter: 'limit' }] }]);
  expect(await get('/api/pets?page=1')).toMatchObject([400, { errors: [{ parameter: 'page' }] }]);
  expect(await get('/api/fixed')).toEqual([200, 'fixed']);
});

test('command spec: writes exactly the contract that the gateway serves', async () => {
  const gateway = await startGateway({ endpoints: [fixed] });
  const { exitCode, stdout } = await runCommand(['spec'], { cwd: gateway.folder });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual((await gateway.call('/openapi.json')).body);
  expect((await runCommand(['spec', '--format', 'yaml'], { cwd: gateway.folder })).stdout).toMatch(/^openapi: /m);
});

test('command diff: reports the changes for clients and fails only with --fail-on', async () => {
  const cwd = await makeGatewayFolder({ endpoints: [fixed, { ...fixed, path: '/api/gone' }] });
  const next = await makeGatewayFolder({ endpoints: [{ ...fixed, requires_auth: true }] });
  const { exitCode, stdout } = await runCommand(['diff', cwd, next], { cwd });
  expect(exitCode).toBe(0);
  for (const part of ['/api/gone', '/api/fixed', 'breaking']) expect(stdout).toContain(part);
  expect((await runCommand(['diff', cwd, next, '--fail-on', 'breaking'], { cwd })).exitCode).toBe(1);
  const same = await runCommand(['diff', cwd, cwd, '--json', '--fail-on', 'note'], { cwd });
  expect(same.exitCode).toBe(0);
  await writeFile(join(cwd, 'old.json'), (await runCommand(['spec'], { cwd })).stdout);
  expect((await runCommand(['diff', 'old.json', cwd, '--fail-on', 'breaking'], { cwd })).exitCode).toBe(0);
});

test('an unknown command suggests a similar one and exits with 2', async () => {
  const { exitCode, stderr } = await runCommand(['serv'], { cwd: await makeGatewayFolder({}) });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('serve')]);
});
