import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rootFolder } from '../workspace.ts';
import { type DocumentedCommands, findCommandDrift, stagesOf } from './find-command-drift.ts';

const read = (file: string) => readFileSync(join(rootFolder, file), 'utf8');
const files = globSync(['*.md', 'docs/**/*.md', 'apps/*/README.md', 'packages/*/README.md', 'specs/*/README.md'], {
  cwd: rootFolder,
});

const workflows = globSync('.github/workflows/*.yml', { cwd: rootFolder });

const documented: DocumentedCommands = {
  documents: Object.fromEntries(files.map((file) => [file, read(file)])),
  scripts: JSON.parse(read('package.json')).scripts,
  ci: read('.ci/run'),
  workflows: Object.fromEntries(workflows.map((file) => [file, read(file)])),
  notInCi: {
    start: 'serves until it is ended; an acceptance test runs it',
    dev: 'serves until it is ended; npm start runs the same servers',
    rostergate: 'the acceptance tests run the program itself',
    scheduling: 'the acceptance tests run the program itself',
    'staff-proxy': 'the acceptance tests run the program itself',
    generate: 'generate:check runs it and fails on any change',
    check: 'is build, lint, typecheck and test, each of which CI runs',
    lint: 'biome ci checks the same files at once',
    format: 'mends what biome ci finds',
    fuzz: 'goes on for as long as it is told to; npm test runs the same queries, fewer',
    'release:changeset': 'drafts what release:check misses',
  },
};
const check = (changes: Partial<DocumentedCommands> = {}) => findCommandDrift({ ...documented, ...changes });

test('pair README commands ⇄ CI: every command that a document names exists, and CI runs it or it is said why not', () => {
  expect(files).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md']));
  expect(stagesOf(documented.ci).length).toBeGreaterThan(5);
  expect(check()).toEqual([]);
});

test('mutation README commands ⇄ CI: a script is renamed in package.json alone', () => {
  const { typecheck, ...scripts } = documented.scripts;
  expect(check({ scripts: { ...scripts, types: typecheck ?? '' } })).toContain(
    'CONTRIBUTING.md names `pnpm typecheck`, which package.json has not',
  );
});

test('mutation README commands ⇄ CI: a stage is taken from .ci/run', () => {
  expect(check({ ci: documented.ci.replace(/^stage test .*$/m, '') })).toContain(
    'README.md names `pnpm test`, which CI does not run',
  );
});

test('mutation README commands ⇄ CI: a reason is given why CI does not run what it runs', () => {
  expect(check({ notInCi: { ...documented.notInCi, rehearse: 'takes minutes' } })).toEqual([
    'there is a reason why CI does not run `pnpm rehearse`, which it runs',
  ]);
});

test('mutation README commands ⇄ CI: a workflow no longer calls .ci/run, or names another script', () => {
  const [[file = '', text = ''] = []] = Object.entries(documented.workflows).filter(([, each]) =>
    each.includes('.ci/run'),
  );
  expect(check({ workflows: { [file]: text.replaceAll('.ci/run', 'true') } })).toContain('no workflow runs .ci/run');
  expect(check({ workflows: { [file]: `${text}\n      - run: pnpm verify` } })).toContain(
    `${file} names \`pnpm verify\`, which package.json has not`,
  );
});

test('mutation README commands ⇄ CI: a document names another command', () => {
  const documents = { 'README.md': documented.documents['README.md']?.replaceAll('npm test', 'npm verify') ?? '' };
  expect(check({ documents })).toEqual(['README.md names `pnpm verify`, which package.json has not']);
});
