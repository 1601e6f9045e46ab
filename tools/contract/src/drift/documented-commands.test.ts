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
    start: 'runs until it is stopped; an acceptance test runs it',
    dev: 'runs until it is stopped; npm start runs the same servers',
    rostergate: 'the acceptance tests run the program itself',
    scheduling: 'the acceptance tests run the program itself',
    'staff-proxy': 'the acceptance tests run the program itself',
    generate: 'generate:check runs it and fails on any change',
    check: 'runs build, lint, typecheck and test, which CI runs separately',
    lint: 'biome ci checks the same files at once',
    format: 'fixes what biome ci reports',
    fuzz: 'runs for a configurable time; npm test runs fewer of the same queries',
    'flow-files': 'prints how many files a request passes; no limit is checked',
    'release:changeset': 'drafts the changesets that release:check requires',
  },
};
const check = (changes: Partial<DocumentedCommands> = {}) => findCommandDrift({ ...documented, ...changes });

test('pair README commands ⇄ CI: every documented command exists, and CI runs it or there is a reason', () => {
  expect(files).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md']));
  expect(stagesOf(documented.ci).length).toBeGreaterThan(5);
  expect(check()).toEqual([]);
});

test('mutation README commands ⇄ CI: a script is renamed in package.json alone', () => {
  const { typecheck, ...scripts } = documented.scripts;
  expect(check({ scripts: { ...scripts, types: typecheck ?? '' } })).toContain(
    'CONTRIBUTING.md names `pnpm typecheck`, which is not in package.json',
  );
});

test('mutation README commands ⇄ CI: a stage is removed from .ci/run', () => {
  expect(check({ ci: documented.ci.replace(/^stage test .*$/m, '') })).toContain(
    'README.md names `pnpm test`, which CI does not run',
  );
});

test('mutation README commands ⇄ CI: a command that CI runs has a reason for not running it', () => {
  expect(check({ notInCi: { ...documented.notInCi, rehearse: 'takes minutes' } })).toEqual([
    'CI runs `pnpm rehearse`: remove the reason for not running it',
  ]);
});

test('mutation README commands ⇄ CI: a workflow no longer calls .ci/run, or names another script', () => {
  const [[file = '', text = ''] = []] = Object.entries(documented.workflows).filter(([, each]) =>
    each.includes('.ci/run'),
  );
  expect(check({ workflows: { [file]: text.replaceAll('.ci/run', 'true') } })).toContain('no workflow runs .ci/run');
  expect(check({ workflows: { [file]: `${text}\n      - run: pnpm verify` } })).toContain(
    `${file} names \`pnpm verify\`, which is not in package.json`,
  );
});

test('mutation README commands ⇄ CI: a document names another command', () => {
  const documents = { 'README.md': documented.documents['README.md']?.replaceAll('npm test', 'npm verify') ?? '' };
  expect(check({ documents })).toEqual(['README.md names `pnpm verify`, which is not in package.json']);
});
