import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseKey } from '@rostergate/access/keys';
import { z } from '@rostergate/endpoints';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from './run-in-process.ts';
import { makeFolder, runRostergate, startRostergate } from './run-rostergate.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

const run = (...args: readonly string[]) => runInProcess(args, { cwd: folder });
const runProgram = (...args: readonly string[]) => runRostergate(args, { cwd: folder });
const write = (path: string, content: unknown) =>
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

const fromRoot = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `node_modules/${name}`]));

const faultSchema = z.strictObject({
  where: z.string().min(1),
  field: z.string(),
  detail: z.string().min(1),
  file: z.string().nullable(),
  line: z.int().positive().nullable(),
  column: z.int().positive().nullable(),
});

describe('rostergate init', () => {
  it('writes a working configuration with a key that is shown once', async () => {
    const { code, stdout, stderr } = await runProgram('init', 'gate');
    expect(code).toBe(0);
    const key = stdout.trimEnd();
    expect(stdout).toBe(`${key}\n`);
    expect(parseKey(key)).not.toBeNull();
    expect(stderr).toContain('cd gate');
    expect(stderr).toContain('curl ');
    expect(stderr).not.toContain(key);
    expect(statSync(join(folder, 'gate/keys.json')).mode & 0o777).toBe(0o600);
    for (const file of readdirSync(join(folder, 'gate'), { recursive: true, withFileTypes: true })) {
      if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain(key);
    }

    expect(await runProgram('validate', '--config', 'gate')).toMatchObject({ code: 0, stderr: '' });
    const server = startRostergate(['serve', '--port', '0'], { cwd: join(folder, 'gate') });
    const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
    const { port } = JSON.parse((await lines.next()).value as string) as { port: number };
    const call = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
    expect(await (await call('/api/hello?name=Ada')).json()).toEqual({ greeting: 'Hello, Ada!' });
    expect((await call('/api/hello/Ada')).status).toBe(401);
    const opened = await call('/api/hello/Ada', { headers: { 'X-API-Key': key } });
    expect([opened.status, await opened.json()]).toEqual([200, { greeting: 'Hello, Ada!' }]);
  });

  it.each([
    [{}, '  cd gate\n  npm install      (for editors and npx tsc: the types of services)\n  rostergate serve\n'],
    [{ npm_command: 'exec' }, '\n  npx rostergate serve\n'],
    [{ npm_lifecycle_event: 'rostergate' }, 'Next:\n  npm run -s rostergate -- serve --config gate\n'],
  ])('prints the command that works as it was run: %o', async (env, command) => {
    const { stderr } = await runInProcess(['init', 'gate'], { cwd: folder, env });
    expect(stderr).toContain(command);
  });

  it('writes a project whose services type-check once its packages are installed', async () => {
    const { stderr } = await run('init', 'gate');
    expect(stderr).toMatch(/Next:\n {2}cd gate\n {2}npm install /);
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    const { name, dependencies, devDependencies, type } = JSON.parse(read('gate/package.json'));
    expect({ name, type, dependencies }).toEqual({
      ...{ name: 'gate', type: 'module', dependencies: { rostergate: `^${version}` } },
    });
    // Links the packages as npm install does, without a registry.
    const root = join(import.meta.dirname, '../../..');
    const places = { rostergate: 'apps/gateway', ...fromRoot(Object.keys(devDependencies)) };
    for (const [name, place] of Object.entries(places)) {
      const link = join(folder, 'gate/node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, place), link);
    }
    const compile = () => {
      // Here the packages are compiled from source, by their own rules; published packages contain declarations.
      const args = ['--customConditions', 'source', '--exactOptionalPropertyTypes'];
      const cwd = join(folder, 'gate');
      return spawnSync(join(root, 'node_modules/.bin/tsc'), args, { cwd, encoding: 'utf8' }).stdout;
    };
    expect(compile()).toBe('');
    write('gate/services/hello.ts', read('gate/services/hello.ts').replace('${name}', '${nam}'));
    expect(compile()).toMatch(/^services\/hello\.ts.*TS2552/m);
  }, 300_000);

  it('does not change an existing project, even with --force', async () => {
    for (const file of ['package.json', 'tsconfig.json']) write(file, '{ "mine": true }');
    const { code, stderr } = await run('init');
    expect(code).toBe(0);
    expect(stderr).toContain('  npm install rostergate ');
    await run('init', '--force');
    expect([read('package.json'), read('tsconfig.json')]).toEqual(['{ "mine": true }', '{ "mine": true }']);
  });

  it.runIf(process.platform === 'linux')('reports a folder that cannot be created', async () => {
    for (const path of ['/proc/none', '/proc/none/deeper']) {
      const { code, stderr } = await run('init', path);
      expect([code, stderr], path).toEqual([3, expect.stringContaining('/proc/none')]);
    }
  });

  it('refers each file to an existing schema', async () => {
    await run('init');
    for (const file of ['settings.json', 'endpoints.json', 'keys.json']) {
      const { $schema } = JSON.parse(read(file));
      expect(JSON.parse(read($schema)).title).toContain(file);
    }
  });

  it('overwrites nothing, and lists the existing files', async () => {
    write('settings.json', '{}');
    write('endpoints.json', '{}');
    const { code, stdout, stderr } = await run('init');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/settings\.json\n {2}endpoints\.json\n/);
    const { error } = JSON.parse((await run('init', '--json')).stdout);
    expect(error.faults.map(({ where }: { where: string }) => where)).toEqual(['settings.json', 'endpoints.json']);
    expect(error.faults[0].detail).toContain('--force');
    expect(readdirSync(folder).sort()).toEqual(['endpoints.json', 'settings.json']);
    expect(read('settings.json')).toBe('{}');
  });

  it('replaces files with --force, but preserves keys', async () => {
    await run('init');
    write('settings.json', '{}');
    const { code, stdout } = await run('init', '--force', '--json');
    expect(code).toBe(0);
    const report = z
      .object({ key: z.string(), name: z.literal('first-2'), folder: z.literal('.'), files: z.array(z.string()) })
      .parse(JSON.parse(stdout));
    expect(report.files).toContain('settings.json');
    expect(JSON.parse(read('settings.json')).port).toBe(8000);
    expect(JSON.parse(read('keys.json')).keys.map(({ name }: { name: string }) => name)).toEqual(['first', 'first-2']);
  });

  it('replaces nothing with --force if a key has a plan, because the new settings have none', async () => {
    await run('init');
    const plans = { gold: { quota: { requests: 1, per: 'day' } } };
    write('settings.json', { plans });
    const { keys } = JSON.parse(read('keys.json'));
    write('keys.json', { keys: [{ ...keys[0], plan: 'gold' }] });
    const { code, stderr } = await run('init', '--force');
    expect([code, stderr]).toEqual([1, expect.stringContaining('keys.json have plans: first.')]);
    expect(JSON.parse(read('settings.json'))).toEqual({ plans });
    write('keys.json', { keys: [{ ...keys[0], plan: 'gold', revoked_at: '2026-01-01T00:00:00Z' }] });
    expect((await run('init', '--force')).code).toBe(0);
  });
});

describe('rostergate validate', () => {
  it('reports every fault of every file with its position and source line', async () => {
    write('settings.json', '{\n  "prot": 8000,\n  "log_level": "loud"\n}\n');
    write('endpoints.json', '{\n  "endpoints": [\n    { "path": "/a", "service": "ecko" }\n  ]\n}\n');
    const { code, stdout, stderr } = await run('validate');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('The configuration has 3 faults:');
    expect(stderr).toContain('settings.json:2:3  prot: There is no such field. Did you mean port?\n');
    expect(stderr).toContain('    2 |   "prot": …,\n      |   ^\n');
    expect(stderr).toContain('    3 |   "log_level": "loud"\n      |                ^\n');
    expect(stderr).toContain('endpoints.json:3:32');
    expect(stderr).toContain('Did you mean echo?');
  });

  it.each([
    ['rate_limit', 'Did you mean rate_limit_per_minute?'],
    ['cache', 'Did you mean cache_seconds or cache_default_seconds?'],
    ['cache_ttl', 'Did you mean cache_seconds or cache_default_seconds?'],
    ['timeout', 'Did you mean upstream.timeout_ms?'],
    ['auths', 'Did you mean auth?'],
    ['url', 'Use one of: path, method, methods, service, enabled, requires_auth, auth, api_keys, scopes,'],
  ])('suggests only related names for the unknown field %s', async (field, hint) => {
    write('endpoints.json', { endpoints: [{ path: '/a', service: 'echo', [field]: 5 }] });
    const { code, stderr } = await run('validate');
    expect(code).toBe(1);
    expect(stderr).toContain(`endpoints[0].${field}: There is no such field. ${hint}`);
    expect(stderr).not.toContain('Remove');
  });

  it('explains how to write a value of the wrong type', async () => {
    write('settings.json', { port: '8000', enable_docs: 'true', cors_origins: '*' });
    const parameters = { symbol: { from: 'path', key: 'x' } };
    write('endpoints.json', { endpoints: [{ path: '/a', service: 'crypto', parameters }] });
    const { stderr } = await run('validate');
    expect(stderr).toContain('Given: "8000". Write it without quotes.');
    expect(stderr).toContain('Given: "true". Write it without quotes.');
    expect(stderr).toContain('Given: "*". Write a list, as in ["…"].');
    write('settings.json', {});
    expect((await run('validate')).stderr).toContain(
      'Expected string, received object. To take it from the request, write { "source": "path", "query", "header" or "cookie", "key": "symbol" }.',
    );
  });

  it('suggests {id} for :id', async () => {
    const upstream = { targets: ['http://127.0.0.1:9'], path: '/b/:id' };
    write('settings.json', {});
    write('endpoints.json', {
      endpoints: [
        { path: '/a/:id', service: 'echo' },
        { path: '/b/{id}', service: 'http', upstream },
      ],
    });
    const { code, stderr } = await run('validate');
    expect(code).toBe(1);
    expect(stderr).toContain('endpoints[0].path: has the segment ":id": write a parameter as {id}');
    expect(stderr).toContain('endpoints[1].upstream.path: has the segment ":id": write a parameter as {id}');
  });

  it.each(['settings.json', 'endpoints.json', 'keys.json'])(
    'shows the line of %s with a missing comma',
    async (file) => {
      write('settings.json', {});
      write(file, '{\n  "_a": true\n\n  "_b": true\n}\n');
      const { code, stderr } = await run('validate');
      expect(code).toBe(1);
      expect(stderr).toContain(`${file}:2:13  A comma is missing here`);
      expect(stderr).toContain('    2 |   "_a": true\n      |             ^\n');
    },
  );

  it('prints the result as JSON', async () => {
    write('settings.json', { port: -1 });
    const bad = await run('validate', '--json');
    expect({ code: bad.code, stderr: bad.stderr }).toEqual({ code: 1, stderr: '' });
    const verdict = z.strictObject({ valid: z.literal(false), faults: z.array(faultSchema).min(1) });
    expect(verdict.parse(JSON.parse(bad.stdout)).faults[0]).toMatchObject({ field: 'port', line: 2 });
    write('settings.json', { port: 1 });
    write('endpoints.json', { endpoints: [] });
    const good = await run('validate', '--json');
    expect(good.code).toBe(0);
    z.strictObject({
      valid: z.literal(true),
      settings_file: z.literal('settings.json'),
      endpoints: z.literal(0),
      services: z.int(),
      keys: z.literal(0),
      faults: z.tuple([]),
    }).parse(JSON.parse(good.stdout));
  });

  it('warns about expensive schemas of an imported contract, as import does', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } };
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Name' } } };
    write('costly.json', {
      openapi: '3.0.3',
      info: { title: 'Costly', version: '1' },
      servers: [{ url: 'https://api.example' }],
      paths: {
        '/a': { post: { operationId: 'a', requestBody: { content }, responses: { 200: { description: 'x' } } } },
      },
      components: { schemas: { Name: schema } },
    });
    write('settings.json', {});
    write('endpoints.json', { endpoints: [] });
    const imported = await run('import', 'costly.json');
    expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining('/properties/name has the pattern') });
    expect(await run('validate')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Note: .*\/properties\/name has the pattern .*give it a maxLength/),
    });
    const { warnings } = JSON.parse((await run('validate', '--json')).stdout) as { warnings: string[] };
    expect(warnings).toHaveLength(1);
  });

  it('reports that endpoints.json is missing', async () => {
    write('settings.json', {});
    const note = /endpoints\.json is not there: no endpoints are served/;
    expect(await run('validate')).toMatchObject({ code: 0, stdout: expect.stringMatching(note) });
    const { stdout } = await run('validate', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, endpoints: 0, warnings: [expect.stringMatching(note)] });
    write('endpoints.json', { endpoints: [] });
    expect((await run('validate')).stdout).not.toMatch(note);
  });

  it.each([
    ['validate', '--json'],
    ['routes', '--json'],
    ['spec', '--json'],
    ['spec'],
    ['diff', '--json', 'before', '.'],
  ])('%s %s prints only JSON; console output of a service goes to stderr', async (...args) => {
    mkdirSync(join(folder, 'services'));
    mkdirSync(join(folder, 'before'));
    const files = { 'settings.json': {}, 'endpoints.json': { endpoints: [{ path: '/loud', service: 'loud' }] } };
    for (const [name, content] of Object.entries(files)) write(name, content);
    for (const name of ['settings.json', 'endpoints.json'])
      write(`before/${name}`, name === 'settings.json' ? {} : { endpoints: [] });
    write(
      'services/loud.ts',
      `import { defineService, z } from 'rostergate';
for (const how of ['log', 'info', 'debug', 'dir', 'table'] as const) console[how](\`loud \${how}\`);
export default defineService({
  name: 'loud', summary: 'x', parameters: z.object({}), response: z.string(), handle: () => '',
});
`,
    );
    const { stdout, stderr } = await runProgram(...args);
    expect(() => JSON.parse(stdout)).not.toThrow();
    for (const how of ['log', 'info', 'debug', 'dir', 'table']) expect(stderr).toContain(`loud ${how}`);
  });

  it('never shows a key of an invalid file', async () => {
    const canary = 'canary-of-the-test';
    const faulty = [
      `{ "api_keys": "${canary}", "prot": 1 }`,
      `{ "api_key": "${canary}" }`,
      `{ "api_keys": "${canary} }`,
      `{ "api_keys": ${canary} }`,
      `{ "api_keys": ["${canary}"] }`,
      `{ "redis_url": "http://:${canary}@redis" }`,
    ];
    for (const text of faulty) {
      write('settings.json', text);
      for (const { code, stdout, stderr } of await Promise.all([
        run('validate'),
        run('validate', '--json'),
        runProgram('serve', '--port', '0'),
      ])) {
        expect(code).toBe(1);
        expect(stdout + stderr).not.toContain(canary);
      }
    }
  });

  it.each([
    ['settings.json', '{ "workers": 70 }'],
    ['settings.json', '[]'],
    ['settings.json', ''],
    ['settings.json', '{ "port": 8000, }'],
    ['settings.json', '{ "endpoints_file": "nowhere.json" }'],
    ['settings.json', '{ "tls_certificate_file": "nowhere.pem" }'],
    ['settings.json', '{ "trusted_proxies": ["everywhere"] }'],
    ['endpoints.json', '{ "endpoints": [{ "path": "/health", "service": "echo", "method": "POST" }] }'],
    ['endpoints.json', '{ "endpoints": [{ "path": "/a", "service": "nobody" }] }'],
    [
      'endpoints.json',
      '{ "endpoints": [{ "path": "/a", "service": "http", "upstream": { "targets": ["http://a"], "headers": { "X": "${NOBODY_SET_THIS}" } } }] }',
    ],
    [
      'endpoints.json',
      '{ "endpoints": [{ "path": "/a", "service": "http", "upstream": { "targets": ["http://a"], "headers": { "X-A": "1", "x-a": "2" } } }] }',
    ],
    [
      'endpoints.json',
      '{ "endpoints": [{ "path": "/a", "service": "http", "upstream": { "targets": ["http://a:0"] } }] }',
    ],
    ['keys.json', '{ "keys": [{ "name": "a" }] }'],
    ['services/broken.ts', 'export default 5;'],
    ['services/broken.ts', 'export default {'],
    ['services/broken.ts', 'process.exit(0);'],
    ['services/broken.ts', 'setTimeout(() => process.exit(0));'],
    ['services/broken.ts', 'setTimeout(() => { throw null; });'],
    ['services/broken.ts', 'throw Object.create(null);'],
    ['services/broken.ts', "import { defineService } from 'rostergate';\nexport default defineService({});"],
  ])('rejects what serve rejects, with the same text: %s with %s', async (path, text) => {
    mkdirSync(join(folder, 'services'));
    writeFileSync(join(folder, path), text, { mode: 0o600 });
    const validate = path.startsWith('services/') ? runProgram : run;
    const [validated, served] = await Promise.all([validate('validate'), runProgram('serve', '--port', '0')]);
    expect(validated.code).toBe(1);
    expect(served).toEqual(validated);
  });
});

describe('in a folder without a configuration', () => {
  it.each([
    [['serve', '--port', '0']],
    [['validate']],
    [['routes']],
    [['spec']],
    [['keys', 'list']],
    [['keys', 'create', '--name', 'ops']],
  ])('%j fails and names the remedy', async (args) => {
    const { code, stdout, stderr } = await (args[0] === 'serve' ? runProgram : run)(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/There is no settings\.json or endpoints\.json here or in \.\/config.* rostergate init$/m);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('succeeds if the environment names the files', async () => {
    const elsewhere = makeFolder();
    writeFileSync(join(elsewhere, 'mine.json'), '{ "endpoints": [{ "path": "/a", "service": "echo" }] }');
    const env = { ROSTERGATE_ENDPOINTS_FILE: join(elsewhere, 'mine.json') };
    const { stdout } = await runInProcess(['validate'], { cwd: folder, env });
    expect(stdout).toContain('with 1 endpoint');
  });
});

describe('a raw service that cannot be opened', () => {
  it.each([
    ['new Error("no such table")', 'services/bytes.ts:4:27', 'no such table'],
    ['null', 'service bytes', 'null was thrown'],
    ['nothing, yet returning no handler', 'service bytes', 'it returned no object with a handle function'],
  ])('is reported with its endpoint if it throws %s', async (thrown, where, why) => {
    mkdirSync(join(folder, 'services'));
    write('settings.json', {});
    write('endpoints.json', { endpoints: [{ path: '/a', service: 'bytes' }] });
    write(
      'services/bytes.ts',
      `import { defineRawService } from 'rostergate';
export default defineRawService({
  name: 'bytes', summary: 'x',
  open: () => { ${thrown.startsWith('nothing') ? '' : `throw     ${thrown}`}; },
});
`,
    );
    const [validated, served] = await Promise.all([
      runProgram('validate', '--json'),
      runProgram('serve', '--port', '0'),
    ]);
    const { faults } = JSON.parse(validated.stdout);
    expect(faults).toMatchObject([{ where, detail: expect.stringContaining(`failed for GET /a: ${why}`) }]);
    expect([validated.code, served.code, served.stderr]).toEqual([1, 1, expect.stringContaining(where)]);
  });
});

describe('a service whose definition is incomplete', () => {
  it('is reported once per member, without faults of its endpoints', async () => {
    mkdirSync(join(folder, 'services'));
    write('endpoints.json', { endpoints: [{ path: '/a', service: 'nameless' }] });
    write(
      'services/nameless.ts',
      "import { defineService, z } from 'rostergate';\n\nexport default defineService({ summary: 'x', parameters: z.object({}), response: z.string() });\n",
    );
    const { code, stdout } = await runProgram('validate', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).faults).toMatchObject([
      {
        where: 'services/nameless.ts:3:16',
        field: 'name',
        detail: 'It is missing. Give the service a name.',
        file: 'services/nameless.ts',
        line: 3,
      },
      { file: 'services/nameless.ts', field: 'handle', line: 3 },
    ]);
  });
});

describe('rostergate routes', () => {
  const routeSchema = z.strictObject({
    method: z.string(),
    path: z.string().startsWith('/'),
    operation_id: z.string().min(1),
    summary: z.string(),
    service: z.string().nullable(),
    requires_key: z.boolean(),
    auth: z.array(z.string()),
    has_own_keys: z.boolean(),
    scopes: z.array(z.string()),
    rate_limit_per_minute: z.int().nullable(),
    upstream: z.array(z.string()),
    policies: z.array(z.string()),
    is_rate_limited: z.boolean(),
    cache_seconds: z.int(),
  });

  it('lists the served routes without disabled ones', async () => {
    const corp = { name: 'corp', issuer: 'https://id.example', audiences: ['a'] };
    write('settings.json', { enable_docs: false, enabled_routers: ['health', 'auth'], jwt_issuers: [corp] });
    write('endpoints.json', {
      endpoints: [
        { path: '/a/{message}', service: 'echo', requires_auth: true, scopes: ['x', 'y'], rate_limit_per_minute: 5 },
        { path: '/live', service: 'http', upstream: { targets: ['http://a'], websocket: { connections_max: 9 } } },
        { path: '/off', service: 'echo', enabled: false },
        { path: '/tokens', service: 'echo', auth: ['jwt:corp'] },
        { path: '/both', service: 'echo', auth: ['key', 'jwt:corp'] },
      ],
    });
    const { code, stdout } = await run('routes', '--json');
    expect(code).toBe(0);
    const routes = z.array(routeSchema).parse(JSON.parse(stdout));
    expect(routes.find(({ path }) => path === '/a/{message}')).toMatchObject({
      method: 'GET',
      service: 'echo',
      requires_key: true,
      auth: ['key'],
      scopes: ['x', 'y'],
      rate_limit_per_minute: 5,
    });
    expect(routes.find(({ path }) => path === '/live')).toMatchObject({
      service: 'http',
      upstream: ['websocket'],
    });
    const paths = routes.map(({ path }) => path);
    expect(paths).toContain('/health');
    for (const path of ['/off', '/docs', '/metrics', '/endpoints']) expect(paths).not.toContain(path);

    const lines = (await run('routes')).stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(routes.length);
    expect(lines).toContain('GET\t/a/{message}\techo\tneeded\tx y\t5\t–\t–');
    expect(lines).toContain('GET\t/tokens\techo\tjwt:corp\t–\t60/300\t–\t–');
    expect(lines).toContain('GET\t/both\techo\tneeded jwt:corp\t–\t60/300\t–\t–');
    expect(lines).toContain('GET\t/auth/status\t(built in)\tneeded jwt:corp\t–\t60/300\t–\t–');
    expect(routes.find(({ path }) => path === '/tokens')).toMatchObject({ requires_key: false, auth: ['jwt:corp'] });
  });

  it('reports an invalid configuration', async () => {
    write('endpoints.json', '{');
    const { code, stdout } = await run('routes', '--json');
    expect(code).toBe(1);
    const failure = z.strictObject({
      exit_code: z.literal(1),
      message: z.string(),
      faults: z.array(faultSchema).min(1),
    });
    expect(failure.parse(JSON.parse(stdout).error).faults[0]).toMatchObject({ file: 'endpoints.json', line: 1 });
  });
});
