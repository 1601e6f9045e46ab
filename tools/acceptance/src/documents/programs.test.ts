import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileFiles } from '../compile-files.ts';
import { pages, root } from './pages.ts';

const run = promisify(execFile);

/** The clients' pages need servers and credentials: they have tests of their own. */
const tested = ['packages/staff-client/README.md', 'packages/gateway-client/README.md'];

const namesFile = /^\/\/ [\w./-]+\.ts\n/;

/** The files of the examples. */
const examples = globSync('examples/{*,*/services}/*.ts', { cwd: root }).map((path) => {
  return { path, line: 1, code: readFileSync(root + path, 'utf8') };
});

/** Each page as a program; a block that names its file is one of its own. */
const shown = pages.flatMap(({ path, blocks }) => {
  const readable = blocks.filter(({ language, notRun }) => language === 'ts' && notRun === undefined);
  if (readable.length === 0 || tested.includes(path)) return [];
  const files = readable
    .filter(({ text }) => namesFile.test(text))
    .map(({ line, text }) => ({ path, line, code: text }));
  const rest = readable.filter(({ text }) => !namesFile.test(text));
  const joined = { path, line: rest[0]?.line, code: rest.map(({ text }) => text).join('\n') };
  return rest.length > 0 ? [...files, joined] : files;
});

const programs = [...examples, ...shown];

let folder: string;
beforeAll(async () => {
  // Where packages are found by their names.
  folder = await mkdtemp(join(root, 'tools/acceptance/node_modules/.documents-'));
  await Promise.all(programs.map(({ code }, i) => writeFile(join(folder, `${i}.ts`), `${code}\nexport {};\n`)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the compiler takes the TypeScript of every page', async () => {
  const messages = await compileFiles(
    folder,
    programs.map((_, i) => `${i}.ts`),
  );
  const faults = messages.replace(/^\S*\/(\d+)\.ts\((\d+)/gm, (_, i: string, line: string) => {
    return `${programs[Number(i)]?.path}, block at line ${programs[Number(i)]?.line}, line ${line} (`;
  });
  expect(faults).toBe('');
});

const printing = programs.flatMap(({ path, code }, i) => {
  const lines = [...code.matchAll(/\/\/ → (.*)/g)].map(([, text]) => text);
  return lines.length === 0 ? [] : [{ path, lines, code, file: `${i}.mjs` }];
});

test.each(printing)('the code of $path prints the documented output', async ({ lines, code, file }) => {
  await writeFile(join(folder, file), stripTypeScriptTypes(code));
  const args = ['--conditions=source', '--disable-warning=ExperimentalWarning', join(folder, file)];
  const { stdout, stderr } = await run(process.execPath, args, { timeout: 30_000 });
  expect(stderr).toBe('');
  expect(stdout.trimEnd().split('\n')).toEqual(lines);
});
