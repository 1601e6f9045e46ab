import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { create } from './create.ts';
import { loadTemplates } from './load-templates.ts';

const templates = loadTemplates();

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'create-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command; with answers, as in a terminal. */
async function run(args: readonly string[], answers?: readonly string[]) {
  const rest = [...(answers ?? [])];
  const output = { out: '', err: '', asked: '' };
  const ask = async (question: string) => {
    output.asked += question;
    const answer = rest.shift();
    if (answer === undefined) throw Object.assign(new Error('The input ends.'), { name: 'AbortError' });
    return answer;
  };
  const exitCode = await create({
    ...{ args, version: '1.2.3', templates },
    ask: answers && ask,
    print(text) {
      output.out += text;
    },
    printError(text) {
      output.err += text;
    },
  });
  return { exitCode, ...output };
}

it.each(Object.keys(templates))('writes a complete project without secrets: %s', async (template) => {
  const folder = join(newFolder(), 'My API');
  const { exitCode, out } = await run([folder, '--template', template, '--json']);
  expect(exitCode).toBe(0);
  const { files, next } = JSON.parse(out);
  expect(files).toEqual(expect.arrayContaining(['.gitignore', 'README.md', 'package.json']));
  expect(next.slice(0, 2)).toEqual([`cd '${folder}'`, 'npm install']);
  for (const path of files) {
    const text = readFileSync(join(folder, path), 'utf8');
    if (path !== 'package.json') expect(text, path).toBe(templates[template]?.[path]);
    expect(text, path).not.toMatch(/rg_live_|[\da-f]{64}/);
  }
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({
    name: 'my-api',
    private: true,
  });
});

it('gives a project another name than its dependencies have', async () => {
  const folder = join(newFolder(), 'rostergate');
  await run([folder, '--template', 'plans']);
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name).toBe('my-project');
});

it('prints the first commands of the README as the next steps', async () => {
  const folder = newFolder();
  const { out } = await run([folder, '-t', 'front-an-api']);
  expect(out).toContain(`Next:\n  cd ${folder}\n  npm install\n  npx rostergate keys create --name me > me.key\n`);
});

it('replaces no file, and writes none when one exists', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'README.md'), 'mine');
  const { exitCode, err } = await run([folder, '--template', 'plans']);
  expect([exitCode, err]).toEqual([1, expect.stringContaining(`${folder} contains README.md.`)]);
  expect(readdirSync(folder)).toEqual(['README.md']);
});

it('asks for template and folder in a terminal, again after an unknown answer', async () => {
  const folder = join(newFolder(), 'asked');
  const { exitCode, asked } = await run([], ['nine', '2', folder]);
  expect(exitCode).toBe(0);
  expect(asked).toMatch(/^1 {2}front-an-api {2}Front an API with the gateway$/m);
  expect(asked.match(/Number or name/g)).toHaveLength(2);
  expect(readdirSync(folder)).toContain('staff-proxy.json');
});

it('writes nothing when the input ends before the answers', async () => {
  expect(await run([], ['1'])).toMatchObject({ exitCode: 1, out: '', err: '\nNothing was written.\n' });
});

it.each([
  [[], 'Name a folder and a template, such as npm create rostergate my-api -- --template front-an-api.'],
  [['api'], 'such as npm create rostergate api -- --template front-an-api.'],
  [['api', '-t', 'kong'], 'There is no template "kong". Choose one of front-an-api, staff-proxy, staff-sync, '],
  [['api', 'more', '-t', 'plans'], 'Name one folder, not 2. See --help.'],
  [['--colour'], "Unknown option '--colour'"],
])('asks nothing without a terminal, and explains wrong arguments: %j', async (args, message) => {
  expect(await run(args)).toMatchObject({ exitCode: 2, out: '', err: expect.stringContaining(message) });
});

it('asks nothing with --json', async () => {
  expect(await run(['--json'], ['1', 'x'])).toMatchObject({ exitCode: 2, asked: '' });
});

it('prints its help and its version', async () => {
  expect((await run(['--version'])).out).toBe('1.2.3\n');
  expect((await run(['--help'])).out).toMatch(/^ {2}staff-sync +Run the scheduling server/m);
});
