import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from '@rostergate/endpoints';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from './run-in-process.ts';
import { makeFolder } from './run-rostergate.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

const run = (...args: readonly string[]) => runInProcess(args, { cwd: folder });
const write = (path: string, content: unknown) =>
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

const response = { description: 'Yes.', content: { 'application/json': { schema: { type: 'object' } } } };
const pets = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1.0.0' },
  servers: [{ url: 'http://127.0.0.1:9/v1' }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        tags: ['pets'],
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: response },
      },
      post: { operationId: 'addPet', tags: ['admin'], responses: { 201: response } },
    },
  },
};

describe('rostergate import', () => {
  const reportSchema = z.strictObject({
    endpoints_file: z.string(),
    document_file: z.string(),
    is_written: z.boolean(),
    operations: z.array(
      z.strictObject({
        operation_id: z.string(),
        method: z.string(),
        path: z.string(),
        change: z.enum(['added', 'updated', 'unchanged', 'removed', 'disabled']),
        kept: z.array(z.string()),
      }),
    ),
    skipped: z.array(
      z.strictObject({ operation_id: z.string(), method: z.string(), path: z.string(), reason: z.string() }),
    ),
    warnings: z.array(z.string()),
  });

  it('creates valid endpoints, and changes nothing the second time', async () => {
    write('pets.json', pets);
    const { code, stdout } = await run('import', 'pets.json', '--prefix', '/shop', '--scope', 'admin=a,b', '--json');
    expect(code).toBe(0);
    const { operations, is_written } = reportSchema.parse(JSON.parse(stdout));
    expect({ is_written, changes: operations.map(({ path, change }) => [path, change]) }).toEqual({
      is_written: true,
      changes: [
        ['/shop/pets', 'added'],
        ['/shop/pets', 'added'],
      ],
    });
    expect(readdirSync(folder).sort()).toEqual(['endpoints.json', 'pets.json', 'pets.openapi.json']);
    expect((await run('routes')).stdout).toMatch(/^POST\t\/shop\/pets\thttp\tneeded\ta b\t/m);

    const before = [read('endpoints.json'), read('pets.openapi.json')];
    const again = await run('import', 'pets.json', '--json');
    const second = reportSchema.parse(JSON.parse(again.stdout));
    expect(second.operations.map(({ change }) => change)).toEqual(['unchanged', 'unchanged']);
    expect(second.is_written).toBe(false);
    expect((await run('import', 'pets.json')).stderr).toMatch(/^Nothing changed\.\n$/m);
    expect((await run('import', 'pets.json', '--dry-run')).stderr).toMatch(/^Nothing would change\.\n$/m);
    expect([read('endpoints.json'), read('pets.openapi.json')]).toEqual(before);
  });

  it('says in its help that only requests are validated', async () => {
    expect((await run('import', '--help')).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Requests are validated against the document; responses are passed through.',
    );
  });

  it('writes nothing in a dry run, and prints what would change', async () => {
    write('pets.json', pets);
    const { code, stdout, stderr } = await run('import', 'pets.json', '--dry-run', '--include', 'listPets');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^added\tGET\t\/pets\tlistPets\t/m);
    expect(stderr).toContain('Dry run: ');
    expect(readdirSync(folder)).toEqual(['pets.json']);
  });

  it.each([
    ['a missing file', ['nowhere.json'], 1, 'nowhere.json: There is no such file'],
    ['a file that is not a document', ['bad.json'], 1, 'bad.json'],
    ['an invalid target', ['pets.json', '--target', 'ftp://x'], 1, 'ftp://x'],
    ['an unknown name', ['pets.json', '--include', 'listPest'], 1, 'Did you mean listPets?'],
    ['scopes without a tag', ['pets.json', '--scope', 'a'], 2, '--scope takes'],
    ['no file', [], 2, "missing required argument 'file'"],
  ])('rejects %s and writes nothing', async (_, args, exitCode, message) => {
    write('pets.json', pets);
    write('bad.json', '{}');
    const { code, stdout, stderr } = await run('import', ...args);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain(message);
    expect(readdirSync(folder).sort()).toEqual(['bad.json', 'pets.json']);
  });
});

describe('rostergate import of operations that all collide', () => {
  const routes = [
    { path: '/pets', service: 'echo' },
    { path: '/pets', method: 'POST', service: 'echo' },
  ];

  it.each([
    ['other endpoints', pets, 'GET /pets is already served, by /endpoints/0'],
    ['built-in routes', { ...pets, paths: { '/health': pets.paths['/pets'] } }, 'collides with the built-in /health'],
    ['nothing at all', { ...pets, paths: {} }, 'it contains no operations'],
  ])('fails with the reason and writes nothing: %s', async (_, document, reason) => {
    write('pets.json', document);
    write('endpoints.json', { endpoints: routes });
    const { code, stdout, stderr } = await run('import', 'pets.json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('Nothing of pets.json was imported');
    expect(stderr).toContain(reason);
    expect(readdirSync(folder).sort()).toEqual(['endpoints.json', 'pets.json']);
    expect(JSON.parse(read('endpoints.json')).endpoints).toEqual(routes);
    write('pets.json', pets);
    const second = await run('import', 'pets.json', '--prefix', '/shop');
    expect([second.code, second.stdout]).toEqual([0, expect.stringMatching(/^added\tGET\t\/shop\/pets\t/m)]);
  });

  it('imports the others, and the colliding ones once their paths are free', async () => {
    write('pets.json', { ...pets, paths: { ...pets.paths, '/health': { get: { operationId: 'up', responses: {} } } } });
    write('endpoints.json', { endpoints: routes.slice(0, 1) });
    const first = await run('import', 'pets.json');
    expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^added\tPOST\t\/pets\taddPet\t/m)]);
    const again = await run('import', 'pets.json', '--prefix', '/shop');
    expect(again.stdout).toMatch(/^added\tGET\t\/shop\/pets\tlistPets\t/m);
    expect(again.stdout).toMatch(/^added\tGET\t\/shop\/health\tup\t/m);
  });

  it('reports the position of a fault in endpoints.json', async () => {
    write('pets.json', pets);
    write('endpoints.json', '{\n  "endpoints": []\n  "_a": 1\n}');
    const { code, stderr } = await run('import', 'pets.json');
    expect(code).toBe(1);
    expect(stderr).toContain('endpoints.json:2:18  A comma is missing here');
  });
});

describe('a credential that the upstream of an imported document requires', () => {
  it.each([
    [{ type: 'apiKey', in: 'query', name: 'token' }, 'as the query parameter token, which the gateway cannot add'],
    [{ type: 'apiKey', in: 'header', name: 'X-Token' }, 'set the header X-Token in upstream.headers'],
    [{ type: 'apiKey', in: 'cookie', name: 'sid' }, 'set the header Cookie, as sid=…, in upstream.headers'],
    [{ type: 'http', scheme: 'bearer' }, 'set the header Authorization in upstream.headers'],
    [{ type: 'oauth2', flows: {} }, 'set the header Authorization in upstream.headers'],
  ])('is reported with a remedy: %o', async (scheme, advice) => {
    write('pets.json', { ...pets, security: [{ key: [] }], components: { securitySchemes: { key: scheme } } });
    const { code, stderr } = await run('import', 'pets.json');
    expect(code).toBe(0);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(advice);
  });

  it('is not reported if it is declared as a query parameter', async () => {
    const [get] = [pets.paths['/pets'].get];
    const parameters = [...get.parameters, { name: 'token', in: 'query', schema: { type: 'string' } }];
    const scheme = { key: { type: 'apiKey', in: 'query', name: 'token' } };
    write('pets.json', {
      ...pets,
      security: [{ key: [] }],
      components: { securitySchemes: scheme },
      paths: { '/pets': { get: { ...get, parameters } } },
    });
    const { code, stderr } = await run('import', 'pets.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('Note') });
  });
});

describe('rostergate import --json', () => {
  it('reports each unknown name', async () => {
    write('pets.json', pets);
    const { stdout } = await run('import', 'pets.json', '--include', 'listPest', '--exclude', 'x', '--json');
    expect(JSON.parse(stdout).error.faults).toMatchObject([
      { where: 'pets.json', detail: expect.stringContaining('listPest') },
      { where: 'pets.json', detail: expect.stringContaining('--exclude x') },
    ]);
  });
});

describe('rostergate spec', () => {
  it('writes the served document to stdout or to a file, as JSON or YAML', async () => {
    write('endpoints.json', { endpoints: [{ path: '/mine', service: 'echo' }] });
    const { code, stdout } = await run('spec');
    expect(code).toBe(0);
    const document = JSON.parse(stdout);
    expect(document.openapi).toMatch(/^3\./);
    expect(Object.keys(document.paths)).toContain('/mine');
    expect(await run('spec', '--output', 'my.yaml')).toEqual({ code: 0, stdout: '', stderr: 'Written: my.yaml\n' });
    expect(read('my.yaml')).toMatch(/^openapi: 3\./);
    expect((await run('spec', '--format', 'yaml')).stdout).toBe(read('my.yaml'));
  });

  it('reports a missing folder', async () => {
    write('endpoints.json', { endpoints: [] });
    const { code, stderr } = await run('spec', '--output', 'nope/x.json');
    expect({ code, stderr }).toEqual({ code: 3, stderr: 'rostergate: nope: There is no such file or folder.\n' });
  });

  it('writes nothing if the configuration has faults', async () => {
    write('endpoints.json', '{ "endpoints": 5 }');
    const { code, stdout } = await run('spec', '--output', 'my.json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(readdirSync(folder)).toEqual(['endpoints.json']);
  });
});

describe('rostergate diff', () => {
  const diffSchema = z.strictObject({
    changes: z.array(
      z.strictObject({
        kind: z.enum(['breaking', 'policy', 'relaxation', 'addition', 'note']),
        rule: z.string(),
        operation: z.string(),
        part: z.string(),
        text: z.string(),
      }),
    ),
    summary: z.strictObject({
      breaking: z.int(),
      policy: z.int(),
      relaxation: z.int(),
      addition: z.int(),
      note: z.int(),
    }),
  });
  const { post: _, ...getOnly } = pets.paths['/pets'];
  const fewer = { ...pets, paths: { '/pets': getOnly } };

  it('rates scopes removed from an http endpoint as a relaxation, and scopes added as breaking', async () => {
    const upstream = { targets: ['http://127.0.0.1:9'] };
    const http = { path: '/h/{id}', service: 'http', requires_auth: true, upstream };
    for (const [name, entry] of Object.entries({ scoped: { ...http, scopes: ['a'] }, free: http })) {
      mkdirSync(join(folder, name));
      write(`${name}/settings.json`, {});
      write(`${name}/endpoints.json`, { endpoints: [entry] });
    }
    const removed = await run('diff', 'scoped', 'free', '--fail-on', 'policy');
    expect(removed).toEqual({
      code: 0,
      stdout: 'relaxation\tGET /h/{id}\t–\tno longer needs the scope a\n',
      stderr: '1 relaxation\n',
    });
    const added = await run('diff', 'free', 'scoped', '--fail-on', 'breaking');
    expect([added.code, added.stderr]).toEqual([1, '1 breaking\n']);
  });

  it('prints the changes, and fails only with --fail-on', async () => {
    write('old.json', pets);
    write('new.json', fewer);
    const { code, stdout, stderr } = await run('diff', 'old.json', 'new.json');
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'breaking\tPOST /pets\t–\tis gone\n',
      stderr: '1 breaking\n',
    });
    const ended = await Promise.all([
      run('diff', 'old.json', 'new.json', '--fail-on', 'breaking', '--json'),
      run('diff', 'new.json', 'old.json', '--fail-on', 'breaking', '--json'),
      run('diff', 'new.json', 'old.json', '--fail-on', 'addition', '--json'),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([1, 0, 1]);
    expect(ended.map((one) => diffSchema.parse(JSON.parse(one.stdout)).summary.breaking)).toEqual([1, 0, 0]);
  });

  it.each([
    [['diff', 'nope', '.']],
    [['diff', '.', 'nope.yaml']],
    [['validate', '--config', 'nope']],
    [['import', 'nope']],
  ])('exits with 1 for a missing file, like every command: %j', async (args) => {
    write('settings.json', {});
    const { code, stderr } = await run(...args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/nope.*There is no such file/) });
  });

  it('compares configurations with each other and with a contract', async () => {
    write('settings.json', { endpoints_file: 'a.json' });
    write('other.json', { endpoints_file: 'b.json' });
    write('a.json', { endpoints: [{ path: '/mine', service: 'echo' }] });
    write('b.json', { endpoints: [] });
    const gone = 'breaking\tGET /mine\t–\tis gone\n';
    expect((await run('diff', '.', 'other.json')).stdout).toBe(gone);
    await run('spec', '--output', 'served.json');
    expect((await run('diff', 'served.json', 'other.json')).stdout).toBe(gone);
    expect(await run('diff', 'served.json', '.')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No changes for callers.\n',
    });
  });

  it.each([
    ['a missing file', ['old.json', 'nowhere'], 1],
    ['a configuration with faults', ['old.json', 'bad.json'], 1],
    ['a missing argument', ['old.json'], 2],
    ['an unknown kind', ['old.json', 'old.json', '--fail-on', 'all'], 2],
  ])('reports %s by its exit code', async (_, args, exitCode) => {
    write('old.json', pets);
    write('bad.json', '{ "prot": 1 }');
    expect(await run('diff', ...args)).toMatchObject({ code: exitCode, stdout: '' });
  });
});
