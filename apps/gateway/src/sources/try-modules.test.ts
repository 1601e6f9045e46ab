import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readModuleGraph } from './module-graph.ts';
import { createModuleTrial } from './try-modules.ts';

const execArgv = ['--conditions=source'];

async function setUp(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const entries = Object.keys(files).map((name) => join(folder, name));
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(folder, name), text]));
  const graph = await readModuleGraph(entries, folder, async (path) => texts.get(path));
  return { folder, entries, graph };
}

const countLoads =
  "import { appendFileSync } from 'node:fs';\nappendFileSync(new URL('loads', import.meta.url), 'x');\n";

it('tries a version once, and one that is rejected each time', async () => {
  const { folder, entries, graph } = await setUp({ 'good.mjs': countLoads });
  const tryModules = createModuleTrial({ execArgv });
  for (let i = 0; i < 2; i++) expect(await tryModules(entries, graph, folder)).toEqual(new Map());
  expect(await readFile(join(folder, 'loads'), 'utf8')).toBe('x');

  const bad = await setUp({ 'bad.mjs': `${countLoads}process.exit(0);` });
  for (let i = 0; i < 2; i++)
    expect([...(await tryModules(bad.entries, bad.graph, bad.folder)).keys()]).toEqual(bad.entries);
  expect(await readFile(join(bad.folder, 'loads'), 'utf8')).toBe('xx');
});

it('tries the others after a module that ended the process', async () => {
  const end = 'process.reallyExit(3);';
  const { folder, entries, graph } = await setUp({ 'a.mjs': end, 'b.mjs': '', 'c.mjs': end });
  const faults = await createModuleTrial({ execArgv })(entries, graph, folder);
  expect([...faults.keys()]).toEqual([entries[0], entries[2]]);
});

it('ignores what a module writes into the reports', async () => {
  const text = "import { writeSync } from 'node:fs';\nwriteSync(3, '{ no report\\nnull\\n');";
  const { folder, entries, graph } = await setUp({ 'a.mjs': text, 'b.mjs': 'throw new Error();' });
  const faults = await createModuleTrial({ execArgv })(entries, graph, folder);
  expect([...faults.keys()]).toEqual([entries[1]]);
});

it.each([
  ['throws', "setTimeout(() => { throw new Error('later'); }, 30);"],
  ['ends the process', 'setTimeout(() => process.reallyExit(3), 30);'],
  ['loops', 'setTimeout(() => { for (;;) {} }, 30);'],
])('finds the module that %s after all were loaded', async (_, text) => {
  const { folder, entries, graph } = await setUp({ 'a.mjs': '', 'b.mjs': text, 'c.mjs': '' });
  const faults = await createModuleTrial({ execArgv, loadMs: 1_000 })(entries, graph, folder);
  expect([...faults.keys()]).toEqual([entries[1]]);
});

it.skipIf(process.platform === 'win32')(
  'ends although a module has started a process that holds its pipes open',
  async () => {
    const text = `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const { pid } = spawn('sleep', ['600'], { stdio: 'inherit' });
writeFileSync(new URL('pid', import.meta.url), String(pid));`;
    const { folder, entries, graph } = await setUp({ 'a.mjs': text });
    expect(await createModuleTrial({ execArgv })(entries, graph, folder)).toEqual(new Map());
    process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')));
  },
);

it('admits nothing when no process can be started', async () => {
  const { folder, entries, graph } = await setUp({ 'a.mjs': '', 'b.mjs': '' });
  const faults = await createModuleTrial({ execArgv: ['--no-such-option'] })(entries, graph, folder);
  expect([...faults.keys()]).toEqual(entries);
});
