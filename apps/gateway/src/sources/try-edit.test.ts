import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createTextReader } from '../configuration-reader.ts';
import { readModuleGraph } from './service-modules.ts';
import { createEditTrial, type EditTrialOptions } from './try-edit.ts';

const execArgv = ['--conditions=source'];

/** An edit with these modules and other files, and its trial. */
async function setUp(files: Readonly<Record<string, string>>, others: Readonly<Record<string, string>> = {}) {
  const top = await mkdtemp(join(tmpdir(), 'rostergate-'));
  onTestFinished(() => rm(top, { recursive: true, force: true }));
  const folder = join(top, 'services');
  await mkdir(folder);
  const entries = Object.keys(files).map((name) => join(folder, name));
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(folder, name), text]));
  const graph = await readModuleGraph(entries, folder, async (path) => texts.get(path));
  for (const [name, text] of Object.entries(others)) texts.set(join(top, name), text);
  const reader = createTextReader(
    (path) => texts.get(path),
    (path) => (path === folder ? Object.keys(files) : undefined),
  );
  for (const path of [folder, ...texts.keys()]) await reader.read(path);
  const edit = {
    ...{ settingsFile: join(top, 'settings.json'), env: {}, there: [], states: await reader.states() },
    ...{ folder, entries, graph },
  };
  const trial = async (options: Partial<EditTrialOptions> = {}) => {
    const { faults, rejected } = await createEditTrial({ version: '0', execArgv, ...options })(edit);
    return { faults: faults.map(({ detail }) => detail), rejected: [...rejected.keys()] };
  };
  return { folder, entries, trial };
}

const service = (name: string) => `import { defineService, z } from 'rostergate';
export default defineService({
  name: '${name}', summary: 'x', parameters: z.object({}), response: z.string(), handle: () => '',
});
`;

const countLoads =
  "import { appendFileSync } from 'node:fs';\nappendFileSync(new URL('loads', import.meta.url), 'x');\n";

it('loads the modules again in each trial', async () => {
  const { folder, entries, trial } = await setUp({ 'good.mjs': countLoads + service('good') });
  for (let i = 0; i < 2; i++) expect(await trial()).toEqual({ faults: [], rejected: [] });
  expect(await readFile(join(folder, 'loads'), 'utf8')).toBe('xx');

  const bad = await setUp({ 'bad.mjs': 'process.exit(0);' });
  expect(await bad.trial()).toMatchObject({ faults: [expect.stringContaining('It calls process.exit()')] });
  expect(entries).toHaveLength(1);
});

it('checks the other files of the edit if a module ends the process', async () => {
  const end = 'process.reallyExit(3);';
  const { entries, trial } = await setUp(
    { 'a.mjs': end, 'b.mjs': service('good'), 'c.mjs': end },
    { 'endpoints.json': '{', 'settings.json': '{ "port": "none" }' },
  );
  const { faults, rejected } = await trial();
  expect(rejected).toEqual([entries[0], entries[2]]);
  expect(faults).toEqual([
    expect.stringContaining('Expected number'),
    expect.stringContaining('It ends the process that loads it (3)'),
    expect.stringContaining('It ends the process that loads it (3)'),
    expect.stringContaining('A closing }'),
  ]);
});

it('does not blame a module when the process does not start in time', async () => {
  const { entries, trial } = await setUp({ 'good.mjs': service('good') });
  const slow = 'data:text/javascript,setInterval(() => {}, 1000); await new Promise(() => {});';
  expect(await trial({ startMs: 200, execArgv: [...execArgv, '--import', slow] })).toEqual({
    faults: [expect.stringContaining('did not start within 0.2 s: the machine is too busy')],
    rejected: entries,
  });
});

it('rejects modules that end the process only together', async () => {
  const part = (name: string) => `globalThis.count = (globalThis.count ?? 0) + 1;
if (globalThis.count === 2) setTimeout(() => process.reallyExit(3), 30);
${service(name)}`;
  const { entries, trial } = await setUp({ 'a.mjs': part('a'), 'b.mjs': part('b') });
  expect((await trial()).rejected).toEqual(entries);
});

it('ignores output of a module in the reports', async () => {
  const text = "import { writeSync } from 'node:fs';\nwriteSync(3, '{ no report\\nnull\\n');";
  const { entries, trial } = await setUp({ 'a.mjs': text + service('a'), 'b.mjs': 'throw new Error();' });
  expect((await trial()).rejected).toEqual([entries[1]]);
});

it.each([
  ['throws', "setTimeout(() => { throw new Error('later'); }, 1_000);"],
  ['ends the process', 'setTimeout(() => process.reallyExit(3), 1_000);'],
  ['loops', 'setTimeout(() => { for (;;) {} }, 1_000);'],
])('finds the module that %s after all are loaded', async (_, text) => {
  const { entries, trial } = await setUp({
    'a.mjs': service('a'),
    'b.mjs': text + service('b'),
    'c.mjs': service('c'),
  });
  // All are loaded before the second that the timer takes, also on a busy machine.
  expect((await trial({ loadMs: 4_000, settleMs: 1_500 })).rejected).toEqual([entries[1]]);
});

it.skipIf(process.platform === 'win32')('ends although a child process of a module holds its pipes open', async () => {
  const text = `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const { pid } = spawn('sleep', ['600'], { stdio: 'inherit' });
writeFileSync(new URL('pid', import.meta.url), String(pid));`;
  const { folder, trial } = await setUp({ 'a.mjs': `${text}\n${service('a')}` });
  expect((await trial()).rejected).toEqual([]);
  process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')));
});

it('rejects all modules if no process can be started', async () => {
  const { entries, trial } = await setUp({ 'a.mjs': '', 'b.mjs': '' });
  const { faults, rejected } = await trial({ execArgv: ['--no-such-option'] });
  expect(rejected).toEqual(entries);
  expect(faults).toHaveLength(1);
});
