import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { folderReader } from '../program.ts';
import { renameOver } from './edit-styles.ts';
import { fixed, makeFolder, put, spawnGateway, startGateway, until } from './gateway-process.ts';

const run = promisify(execFile);
const settings = { rate_limit_enabled: false };

/** Written as by a user, in a folder without installed packages. */
const greet = (greeting: string) => `import { defineService, z } from 'rostergate';
import { mark } from './lib/mark.ts';

interface Counted {
  loads?: number;
}
const counted = globalThis as Counted;
counted.loads = (counted.loads ?? 0) + 1;
const loads: number = counted.loads;

export default defineService({
  name: 'greet',
  summary: 'A greeting',
  parameters: z.object({
    name: z.string().min(2).meta({ description: 'Name to greet.' }),
    times: z.int().min(1).max(3).default(1),
  }),
  response: z.object({ message: z.string(), loads: z.int() }),
  handle: ({ name, times }) => ({ message: \`${greeting}, \${name}\${mark.repeat(times)}\`, loads }),
});
`;
const mark = (text: string) => `export const mark: string = '${text}';\n`;
const minimal = (name: string) => `import { defineService, z } from 'rostergate';
export const service = defineService({
  name: '${name}', summary: 'x', parameters: z.object({}), response: z.string(), handle: () => '${name}',
});
`;
const files = {
  'settings.json': settings,
  'endpoints.json': { endpoints: [{ path: '/greet/{name}', service: 'greet' }] },
  'services/greet.ts': greet('Hello'),
  'services/lib/mark.ts': mark('.'),
};

describe('a custom service', () => {
  it('is validated, documented and measured by its own schemas', async () => {
    const gateway = await startGateway(await makeFolder(files));
    expect(await (await gateway.fetch('/greet/Ann?times=2')).json()).toMatchObject({ message: 'Hello, Ann..' });
    const rejected = await gateway.fetch('/greet/A?times=9');
    expect(rejected.status).toBe(400);
    expect(await rejected.json()).toMatchObject({ errors: [{ parameter: 'times' }, { parameter: 'name' }] });
    const { paths } = (await (await gateway.fetch('/openapi.json')).json()) as { paths: Record<string, unknown> };
    expect(paths['/greet/{name}']).toMatchObject({
      get: {
        summary: 'A greeting',
        parameters: [
          { name: 'name', in: 'path', description: 'Name to greet.', schema: { type: 'string', minLength: 2 } },
          { name: 'times', in: 'query', schema: { type: 'integer', maximum: 3, default: 1 } },
        ],
      },
    });
    expect(await (await gateway.fetch('/endpoints')).json()).toMatchObject({
      services: expect.arrayContaining(['greet']),
    });
    expect(await (await gateway.fetch('/metrics')).text()).toContain('route="/greet/{name}"');
  });

  it('is loaded again only when it, or a module that it imports, has changed', async () => {
    const gateway = await startGateway(await makeFolder(files));
    const at = (name: string) => join(gateway.folder, name);
    const ask = async () => (await (await gateway.fetch('/greet/Ann')).json()) as { message: string; loads: number };
    expect(await ask()).toEqual({ message: 'Hello, Ann.', loads: 1 });

    await put(at('endpoints.json'), {
      endpoints: [...files['endpoints.json'].endpoints, { path: '/e', service: 'echo', method: 'POST' }],
    });
    await put(at('services/other.ts'), minimal('other'));
    await until(async () => (await (await gateway.fetch('/endpoints')).text()).includes('"other"'));
    expect(await ask()).toEqual({ message: 'Hello, Ann.', loads: 1 });

    await put(at('services/greet.ts'), greet('Good day'));
    await until(async () => (await ask()).message === 'Good day, Ann.');
    await put(at('services/lib/mark.ts'), mark('!'));
    await until(async () => (await ask()).message === 'Good day, Ann!');
    expect((await ask()).loads).toBe(3);

    await put(at('services/lib/mark.ts'), mark('.'));
    await until(async () => (await ask()).message === 'Good day, Ann.');
    expect((await ask()).loads, 'a module that was loaded before').toBe(2);

    await rm(at('services/other.ts'));
    await until(async () => !(await (await gateway.fetch('/endpoints')).text()).includes('"other"'));
  });

  /** Faults of modules that end no process are found together. */
  const together: readonly [string, Record<string, string>, string][] = [
    [
      'that does not parse',
      { 'unparsed.ts': 'const a = 1;\nconst b = ;\n' },
      'unparsed.ts:2:11  It does not load: Expression expected',
    ],
    [
      'whose helper does not parse',
      { 'helped.ts': "import './lib/x.mjs';\n", 'lib/x.mjs': '\n\n  }' },
      'lib/x.mjs:3:3  It does not load',
    ],
    ['with syntax that cannot be stripped', { 'enum.ts': '\nenum A { b }\n' }, 'enum.ts:2:1  It does not load'],
    [
      'that throws',
      { 'throws.mjs': "\n\nthrow new Error('not today');\n" },
      'throws.mjs:3:7  It does not load: not today',
    ],
    [
      'that imports a missing package',
      { 'package.ts': "\nimport x from 'nowhere';\nexport default x;" },
      'package.ts:2:16  It does not load: Cannot find package',
    ],
    [
      'that imports a missing file',
      { 'file.ts': "import './lib/gone.ts';" },
      'file.ts:1:15  It does not load: Cannot find module',
    ],
    ['that exports none', { 'none.js': 'export const a = 1;' }, 'none.js:1:1  It exports no service'],
    [
      'without defineService',
      { 'undefined.js': 'export default { name: "x", handle() {} };' },
      'undefined.js:1:1  It exports a definition without defineService',
    ],
    [
      'with an invalid name',
      { 'words.ts': minimal('two words') },
      'services/words.ts:2:24  name: "two words" is not a valid name',
    ],
    ['that throws null', { 'null.ts': 'throw null;' }, 'null.ts:1:1  It does not load: null was thrown'],
    [
      'that throws an object without a prototype',
      { 'bare.ts': 'throw Object.create(null);' },
      'bare.ts:1:1  It does not load: [Object: null prototype] {} was thrown',
    ],
    [
      'whose lazy import does not parse',
      {
        'lazy.ts': `${minimal('lazy')}export const late = () => import('./lib/late.ts');`,
        'lib/late.ts': '\nconst a = ;',
      },
      'lib/late.ts:2:11  It does not load: Expression expected',
    ],
    [
      'with an existing name',
      { 'twice-a.ts': minimal('twice'), 'twice-b.ts': minimal('Twice') },
      'services/twice-b.ts:3:3  Twice: Another service with this name is in',
    ],
    [
      'with a built-in name',
      { 'built-in.ts': minimal('echo') },
      'services/built-in.ts:3:3  echo: Another service with this name is built in',
    ],
    [
      'that ends the process',
      { 'ends.ts': '\nprocess.exit(0);' },
      'ends.ts:2:9  It does not load: It calls process.exit()',
    ],
  ];
  /** Each of these ends a process that loads them, or has to be ended. */
  const ending: typeof together = [
    [
      'that crashes the process',
      { 'a.ts': minimal('a'), 'crashes.ts': '// No report of its own.\n(process as any).reallyExit(7);' },
      'crashes.ts:1:1  It ends the process that loads it (7)',
    ],
    ['that loops', { 'loops.ts': '\nfor (;;) {}' }, 'loops.ts:2:'],
    [
      'with a top-level await that never ends',
      { 'stalls.ts': '\nconst a = await new Promise(() => {});' },
      'stalls.ts:2:11  It does not load: a top-level await never ends',
    ],
    [
      'with a top-level await that never ends, and a timer',
      { 'waits.ts': 'setInterval(() => {}, 9);\nawait new Promise(() => {});' },
      'waits.ts:2:1  It does not finish loading within 3 s',
    ],
  ];
  /** Faults after all modules are loaded are found in a folder with one module. */
  const alone: typeof together = [
    [
      'with a timer that throws',
      { 'bad.ts': `${minimal('bad')}setTimeout(() => {\n  throw new Error('later');\n});` },
      'bad.ts:6:9  It does not load: later',
    ],
    [
      'with an unhandled rejection',
      { 'bad.ts': `${minimal('bad')}void Promise.reject(new Error('forgotten'));` },
      'bad.ts:5:21  It does not load: forgotten',
    ],
    [
      'with an unhandled connection error',
      { 'bad.ts': `import net from 'node:net';\n${minimal('bad')}net.connect(1, '127.0.0.1');` },
      'bad.ts:1:1  It does not load: connect ECONNREFUSED',
    ],
  ];
  it('that is invalid is reported with file, line and remedy', async () => {
    const all: Record<string, string> = {};
    const folders = [together, ending, ...alone.map((fault) => [fault])];
    folders.forEach((faults, i) => {
      for (const [, files] of faults)
        for (const [name, text] of Object.entries(files)) all[`conf${i}/services/${name}`] = text;
    });
    const root = await makeFolder(all);
    const { stdout } = await run(process.execPath, [
      '--conditions=source',
      '--max-old-space-size=300',
      folderReader,
      ...folders.map((_, i) => join(root, `conf${i}`)),
    ]);
    const faultLines = JSON.parse(stdout) as string[][];
    expect(faultLines.map(({ length }) => length)).toEqual(folders.map(({ length }) => length));
    folders.forEach((faults, i) => {
      for (const [title, , expected] of faults)
        expect.soft(faultLines[i], title).toContainEqual(expect.stringContaining(expected));
    });
  });

  it('that needs more than half of the free memory is rejected', async () => {
    const text = 'export const all = new Array(3e7).fill(0.5);';
    const folder = await makeFolder({ 'services/bad.ts': text });
    const { stdout } = await run(
      process.execPath,
      ['--conditions=source', '--max-old-space-size=300', folderReader, folder],
      {
        env: { ...process.env, LOAD_MS: '60000' },
      },
    );
    expect(JSON.parse(stdout)).toEqual([
      [expect.stringMatching(/bad\.ts:1:1 {2}It needs more than 1\d\d MiB of memory/)],
    ]);
  });

  it('is loaded, with its lazy imports, from texts instead of disk', async () => {
    const reader = join(import.meta.dirname, 'read-texts.ts');
    const { stdout } = await run(process.execPath, ['--conditions=source', reader]);
    expect(stdout).toBe('from texts');
  });

  it('that does not load is reported once, without faults of its endpoints', async () => {
    const { ended, output } = spawnGateway(
      await makeFolder({ ...files, 'services/lib/mark.ts': 'export const mrk = 1;' }),
    );
    expect(await ended).toBe(1);
    expect(output()).toContain('a fault');
    expect(output()).toContain('services/greet.ts:2:10');
  });

  it('that becomes invalid leaves the previous version serving', async () => {
    const gateway = await startGateway(await makeFolder(files));
    // In one step: half of it would be rejected for another reason.
    const bad = `${greet('Bad')}\nthrow new Error('not today');`;
    await renameOver(join(gateway.folder, 'services/greet.ts'), bad);
    const { reason } = await until(async () => {
      const status = await gateway.configurationStatus();
      return status.status === 'degraded' ? status : undefined;
    });
    expect(reason).toContain('services/greet.ts:22:7');
    expect(await (await gateway.fetch('/greet/Ann')).json()).toMatchObject({ message: 'Hello, Ann.' });
  });

  /** Responds, and fails after the response. */
  const stray = (how: string, name = 'stray') => `import { defineService, z } from 'rostergate';
export default defineService({
  name: '${name}', summary: 'x', parameters: z.object({}), response: z.string(),
  handle: () => { setTimeout(() => { ${how} }, 1); return String(process.pid); },
});
`;
  const strays = (how: string, settings = {}) => ({
    'settings.json': { rate_limit_enabled: false, ...settings },
    'endpoints.json': { endpoints: [{ path: '/stray', service: 'stray' }] },
    'services/stray.ts': stray(how),
  });

  it('that fails after its response is logged with its file, and the server continues', async () => {
    const uncatchable: readonly [name: string, how: string, place: RegExp][] = [
      ['timer', "throw new Error('astray')", /timer\.ts:4:\d+/],
      ['exit', 'process.exit(0)', /exit\.ts:4:\d+/],
      ['abort', 'process.abort()', /abort\.ts:4:\d+/],
      ['socket', "process.getBuiltinModule('node:net').connect(1, '127.0.0.1')", /socket\.ts/],
    ];
    const all = [['rejection', "void Promise.reject(new Error('forgotten'))"] as const, ...uncatchable];
    const gateway = await startGateway(
      await makeFolder({
        'settings.json': settings,
        'endpoints.json': { endpoints: all.map(([name]) => ({ path: `/${name}`, service: name })) },
        ...Object.fromEntries(all.map(([name, how]) => [`services/${name}.ts`, stray(how, name)])),
      }),
    );
    /** Returns the first line about an error after a request to this service, which then responds again. */
    const errorOf = async (name: string) => {
      const from = gateway.log.length;
      expect((await gateway.fetch(`/${name}`)).status, name).toBe(200);
      const line = await until(() => gateway.log.slice(from).find(({ level }) => level === 'error'), name);
      expect((await gateway.fetch(`/${name}`)).status, name).toBe(200);
      await until(() => gateway.log.slice(from).filter(({ level }) => level === 'error').length === 2, name);
      return line;
    };
    const rejection = await errorOf('rejection');
    expect(rejection).toMatchObject({ err: { message: 'forgotten', stack: expect.stringContaining('rejection.ts') } });
    for (const [name, , place] of uncatchable) {
      const { msg } = await errorOf(name);
      expect(msg, name).toMatch(/^service code threw an uncaught error/);
      expect(msg, name).toMatch(place);
    }
    expect(await gateway.stop()).toBe(0);
  });

  it('does not prevent the server from stopping, after requests in flight, for an error of unknown origin', async () => {
    const slow = minimal('slow').replace("'slow',\n", "new Promise<string>((r) => setTimeout(r, 600, 'slow')),\n");
    const folder = await makeFolder({
      'settings.json': settings,
      'endpoints.json': { endpoints: [{ path: '/slow', service: 'slow' }] },
      'services/slow.ts': slow,
      'preload.mjs': "process.on('SIGUSR2', () => { throw new Error('astray'); });",
    });
    const gateway = await startGateway(folder, { env: { NODE_OPTIONS: `--import ${join(folder, 'preload.mjs')}` } });
    const inFlight = gateway.fetch('/slow');
    await gateway.fetch('/health/live');
    gateway.child.kill('SIGUSR2');
    expect(await (await inFlight).json()).toBe('slow');
    expect(await gateway.ended).toBe(3);
    expect(gateway.log.find(({ level }) => level === 'error')).toMatchObject({ err: { message: 'astray' } });
    expect(gateway.log.at(-1)).toMatchObject({ msg: 'stopped', signal: 'uncaughtException' });
  });

  it('that throws an uncatchable error leaves its worker serving', async () => {
    const gateway = await startGateway(await makeFolder(strays("throw new Error('astray')", { workers: 2 })));
    const pid = await (await gateway.fetch('/stray')).json();
    await until(() => gateway.log.find(({ err }) => err !== undefined));
    const pids = await Promise.all(Array.from({ length: 20 }, async () => (await gateway.fetch('/stray')).json()));
    expect(pids).toContain(pid);
    expect(gateway.log.filter(({ msg }) => msg?.startsWith('worker ended'))).toEqual([]);
    expect(await gateway.stop()).toBe(0);
  });

  it('that fails to close does not prevent a reload or the closing of others', async () => {
    const closing = (name: string, close: string) => `import { appendFileSync } from 'node:fs';
import { defineRawService } from 'rostergate';
export default defineRawService({
  name: '${name}', summary: 'x',
  open: () => ({ handle: () => ({ status: 200, raw: '${name}', contentType: 'text/plain' }), close: () => { ${close} } }),
});
`;
    const endpoints = ['first', 'second'].map((name) => ({ path: `/${name}`, service: name }));
    const gateway = await startGateway(
      await makeFolder({
        'settings.json': settings,
        'endpoints.json': { endpoints },
        'services/first.ts': closing('first', "throw new Error('not closed');"),
        'services/second.ts': closing('second', "appendFileSync(new URL('closed', import.meta.url), 'x');"),
      }),
    );
    await put(join(gateway.folder, 'endpoints.json'), { endpoints: [...endpoints, fixed('new')] });
    await until(async () => (await gateway.fetch('/answer')).status === 200);
    const line = await until(() => gateway.log.find(({ level }) => level === 'error'));
    expect(line).toMatchObject({ msg: expect.stringContaining('first.ts'), err: { message: 'not closed' } });
    await until(() => gateway.log.find(({ msg }) => msg === 'configuration applied'));
    await until(() => existsSync(join(gateway.folder, 'services/closed')));
    expect(gateway.log.filter(({ msg }) => msg?.startsWith('configuration rejected'))).toEqual([]);
  });

  it('lazily imports the accepted version of a module, not that of a rejected edit on disk', async () => {
    const lazy = (text: string) => `import { defineService, z } from 'rostergate';
export default defineService({
  name: 'lazy', summary: 'x', parameters: z.object({ file: z.string().default('') }), response: z.string(),
  handle: async ({ file }) => (file === '' ? await import('./lib/late.ts') : await import(\`./lib/\${file}\`)).text,
});
// ${text}
`;
    const late = (text: string) => `export const text: string = '${text}';\n`;
    const gateway = await startGateway(
      await makeFolder({
        'settings.json': settings,
        'endpoints.json': { endpoints: [{ path: '/lazy', service: 'lazy' }] },
        'services/lazy.ts': lazy('1'),
        'services/lib/late.ts': late('one'),
        'services/lib/other.ts': late('other'),
      }),
    );
    const at = (name: string) => join(gateway.folder, 'services', name);
    const ask = async (query = '') => (await gateway.fetch(`/lazy${query}`)).json();
    // In one step: an empty file would be accepted.
    await renameOver(at('lib/late.ts'), `${late('two')}const broken = ;`);
    await until(() => gateway.log.find(({ faults }) => /late\.ts:2:16/.test(String(faults))), 'a rejection');
    expect(await ask()).toBe('one');
    expect(await ask('?file=late.ts'), 'a computed specifier of a file that was accepted').toBe('one');
    await put(at('lib/late.ts'), late('three'));
    await until(async () => (await ask()) === 'three');
    expect((await gateway.fetch('/lazy?file=other.ts')).status, 'a file that nothing has checked').toBe(500);
    const line = await until(() => /Cannot find module '[^']+other\.ts'.* literal import/.exec(gateway.output()));
    expect(line[0]).toContain('services/lazy.ts');
  });

  it('type-checks, and fails to if it violates its own schemas', async () => {
    const folder = await makeFolder({
      ...files,
      'services/wrong.ts': greet('Hello').replace('loads }),', "loads: 'three' }),"),
      'services/typo.ts': greet('Hello').replace('({ name, times })', '({ nam, times })').replace('{name}', '{nam}'),
      'package.json': { type: 'module' },
    });
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(import.meta.dirname, '../..'), join(folder, 'node_modules/rostergate'));
    const top = join(import.meta.dirname, '../../../..');
    const { stdout } = await run(join(top, 'node_modules/.bin/tsc'), [
      ...['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck'],
      ...['--target', 'esnext', '--module', 'nodenext', '--customConditions', 'source', '--resolveJsonModule'],
      ...['--allowImportingTsExtensions', '--typeRoots', join(top, 'node_modules/@types'), '--types', 'node'],
      ...['greet', 'wrong', 'typo'].map((name) => join(folder, `services/${name}.ts`)),
    ]).catch((error: { stdout: string }) => error);
    const faults = stdout.split('\n').filter((line) => /^\S/.test(line) && line.includes('error TS'));
    expect(faults).toEqual([
      expect.stringMatching(/typo\.ts.*error TS2339/),
      expect.stringMatching(/wrong\.ts.*error TS2769/),
    ]);
  });
});
