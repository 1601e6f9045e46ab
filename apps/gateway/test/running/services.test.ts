import { execFile } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeFolder, put, spawnGateway, startGateway, until } from './gateway-process.ts';

const run = promisify(execFile);
const settings = { rate_limit_enabled: false };

/** Written as a user would, in a folder far from any installed package. */
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
    name: z.string().min(2).meta({ description: 'Whom to greet.' }),
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

describe("a service of the user's own", () => {
  it('is validated, documented and measured by its own schemas', async () => {
    const gateway = await startGateway(await makeFolder(files));
    expect(await (await gateway.fetch('/greet/Ann?times=2')).json()).toMatchObject({ message: 'Hello, Ann..' });
    const refused = await gateway.fetch('/greet/A?times=9');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ errors: [{ parameter: 'times' }, { parameter: 'name' }] });
    const { paths } = (await (await gateway.fetch('/openapi.json')).json()) as { paths: Record<string, unknown> };
    expect(paths['/greet/{name}']).toMatchObject({
      get: {
        summary: 'A greeting',
        parameters: [
          { name: 'name', in: 'path', description: 'Whom to greet.', schema: { type: 'string', minLength: 2 } },
          { name: 'times', in: 'query', schema: { type: 'integer', maximum: 3, default: 1 } },
        ],
      },
    });
    expect(await (await gateway.fetch('/endpoints')).json()).toMatchObject({
      services: expect.arrayContaining(['greet']),
    });
    expect(await (await gateway.fetch('/metrics')).text()).toContain('route="/greet/{name}"');
  });

  it('is loaded anew when it, or what it imports, has changed, and at no other time', async () => {
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

  const faults: [string, Record<string, string>, string][] = [
    [
      'that does not parse',
      { 'bad.ts': 'const a = 1;\nconst b = ;\n' },
      'bad.ts:2:11  It does not load: Expression expected',
    ],
    [
      'whose helper does not parse',
      { 'bad.ts': "import './lib/x.mjs';\n", 'lib/x.mjs': '\n\n  }' },
      'lib/x.mjs:3:3  It does not load',
    ],
    ['with syntax that cannot be stripped', { 'bad.ts': '\nenum A { b }\n' }, 'bad.ts:2:1  It does not load'],
    ['that throws', { 'bad.mjs': "\n\nthrow new Error('not today');\n" }, 'bad.mjs:3:7  It does not load: not today'],
    [
      'that imports what is not there',
      { 'bad.ts': "\nimport x from 'nowhere';\nexport default x;" },
      'bad.ts:2:16  It does not load: Cannot find package',
    ],
    [
      'that imports a file that is not there',
      { 'bad.ts': "import './lib/gone.ts';" },
      'bad.ts:1:15  It does not load: Cannot find module',
    ],
    ['that exports none', { 'bad.js': 'export const a = 1;' }, 'bad.js:1:1  It exports no service'],
    [
      'without defineService',
      { 'bad.js': 'export default { name: "x", handle() {} };' },
      'bad.js:1:1  What it exports was not made by defineService',
    ],
    [
      'of a name that is taken',
      { 'a.ts': minimal('twice'), 'b.ts': minimal('Twice') },
      'services/b.ts:3:3  Twice: Another service of that name is in',
    ],
    [
      'of a built-in name',
      { 'a.ts': minimal('echo') },
      'services/a.ts:3:3  echo: Another service of that name is built in',
    ],
    [
      'of a name that cannot be',
      { 'a.ts': minimal('two words') },
      'services/a.ts:2:24  name: A service cannot be called',
    ],
  ];
  it('that is faulty is named with its file and line, and what to do', async () => {
    const all: Record<string, string> = {};
    faults.forEach(([, each], i) => {
      for (const [name, text] of Object.entries(each)) all[`conf${i}/services/${name}`] = text;
    });
    const root = await makeFolder(all);
    const reader = join(import.meta.dirname, 'read-folders.ts');
    const folders = faults.map((_, i) => join(root, `conf${i}`));
    const { stdout } = await run(process.execPath, ['--conditions=source', reader, ...folders]);
    const told = JSON.parse(stdout) as string[][];
    faults.forEach(([title, , expected], i) => {
      expect.soft(told[i], title).toEqual([expect.stringContaining(expected)]);
    });
  });

  it('says why an endpoint has no service only once: at the service', async () => {
    const { ended, said } = spawnGateway(
      await makeFolder({ ...files, 'services/lib/mark.ts': 'export const mrk = 1;' }),
    );
    expect(await ended).toBe(1);
    expect(said()).toContain('a fault');
    expect(said()).toContain('services/greet.ts:2:10');
  });

  it('that goes bad leaves the good one at work', async () => {
    const gateway = await startGateway(await makeFolder(files));
    await put(join(gateway.folder, 'services/greet.ts'), `${greet('Bad')}\nthrow new Error('not today');`);
    const { reason } = await until(async () => {
      const status = await gateway.configurationStatus();
      return status.status === 'degraded' ? status : undefined;
    });
    expect(reason).toContain('services/greet.ts:22:7');
    expect(await (await gateway.fetch('/greet/Ann')).json()).toMatchObject({ message: 'Hello, Ann.' });
  });

  /** Answers, and leaves behind what goes wrong once the answer is out. */
  const stray = (how: string) => `import { defineService, z } from 'rostergate';
export default defineService({
  name: 'stray', summary: 'x', parameters: z.object({}), response: z.string(),
  handle: () => { setTimeout(() => { ${how} }, 1); return String(process.pid); },
});
`;
  const strays = (how: string, settings = {}) => ({
    'settings.json': { rate_limit_enabled: false, ...settings },
    'endpoints.json': { endpoints: [{ path: '/stray', service: 'stray' }] },
    'services/stray.ts': stray(how),
  });

  it('that forgets a promise is told of in the log, and the server goes on', async () => {
    const gateway = await startGateway(await makeFolder(strays("void Promise.reject(new Error('forgotten'))")));
    expect((await gateway.fetch('/stray')).status).toBe(200);
    const line = await until(() => gateway.log.find(({ level }) => level === 'error'));
    expect(line).toMatchObject({ err: { message: 'forgotten', stack: expect.stringContaining('stray.ts') } });
    expect((await gateway.fetch('/stray')).status).toBe(200);
    expect(await gateway.stop()).toBe(0);
  });

  it('that throws where nobody can catch it ends the server only after what is in flight, and says so', async () => {
    const slow = minimal('slow').replace("'slow',\n", "new Promise<string>((r) => setTimeout(r, 600, 'slow')),\n");
    const files = strays("throw new Error('astray')");
    const gateway = await startGateway(
      await makeFolder({
        ...files,
        'endpoints.json': { endpoints: [...files['endpoints.json'].endpoints, { path: '/slow', service: 'slow' }] },
        'services/slow.ts': slow,
      }),
    );
    const inFlight = gateway.fetch('/slow');
    await gateway.fetch('/health/live');
    await gateway.fetch('/stray');
    expect(await (await inFlight).json()).toBe('slow');
    expect(await gateway.ended).toBe(3);
    expect(gateway.log.find(({ level }) => level === 'error')).toMatchObject({ err: { message: 'astray' } });
    expect(gateway.log.at(-1)).toMatchObject({ msg: 'stopped', signal: 'uncaughtException' });
  });

  it('that throws where nobody can catch it costs one worker, which is replaced', async () => {
    const gateway = await startGateway(await makeFolder(strays("throw new Error('astray')", { workers: 2 })));
    const pid = await (await gateway.fetch('/stray')).json();
    await until(() => gateway.log.find(({ msg }) => msg?.startsWith('worker ended')));
    await until(() => gateway.log.filter(({ msg }) => msg === 'worker serves').length === 3);
    expect(gateway.log.find(({ err }) => err !== undefined)).toMatchObject({ err: { message: 'astray' } });
    expect(String(pid)).not.toBe(String(gateway.child.pid));
    expect(await gateway.stop()).toBe(0);
  });

  it('compiles as it stands, and not where it breaks its own schemas', async () => {
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
      expect.stringMatching(/wrong\.ts.*error TS2322/),
    ]);
  });
});
