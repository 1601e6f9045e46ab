import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rootFolder } from '../workspace.ts';

const read = (file: string) => readFileSync(join(rootFolder, file), 'utf8');
const files = globSync(['*.md', 'docs/**/*.md', '{apps,examples,packages,specs}/*/README.md', 'examples/README.md'], {
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
    site: 'runs until it is stopped; a test in Chromium builds the same site',
    rostergate: 'the acceptance tests run the program itself',
    issuer: 'the test of its how-to page runs the program itself',
    scheduling: 'the acceptance tests run the program itself',
    'staff-proxy': 'the acceptance tests run the program itself',
    generate: 'generate:check runs it and fails on any change',
    check: 'runs build, lint, typecheck and test, which CI runs separately',
    lint: 'biome ci checks the same files at once',
    typecheck: 'checks package by package; CI checks the same files as one program',
    format: 'fixes what biome ci reports',
    fuzz: 'runs for a configurable time; npm test runs fewer of the same queries',
    scenarios: 'takes 40 minutes; CI tries one pair of disturbances',
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

test('mutation README commands ⇄ CI: a script is renamed only in package.json', () => {
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

interface DocumentedCommands {
  /** Texts of the documents, by path. */
  readonly documents: Readonly<Record<string, string>>;
  /** Scripts of the root's package.json. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Text of `.ci/run`. */
  readonly ci: string;
  /** Texts of the workflows, by path. */
  readonly workflows: Readonly<Record<string, string>>;
  /** Scripts that neither CI nor a workflow runs, each with the reason. */
  readonly notInCi: Readonly<Record<string, string>>;
}

/**
 * Returns faults of documented commands: commands that do not exist, commands that CI does not run, and reasons for
 * commands that CI does run.
 */
function findCommandDrift({ documents, scripts, ci, workflows, notInCi }: DocumentedCommands): string[] {
  const inWorkflows = Object.entries(workflows).flatMap(([file, text]) =>
    scriptsIn(text).map((name) => ({ file, name })),
  );
  const inDocuments = Object.entries(documents).flatMap(([file, text]) =>
    codeOf(text).flatMap((name) => ({ file, name })),
  );
  const run = new Set([
    ...stagesOf(ci).map((command) => resolveScript(command, scripts)),
    ...inWorkflows.map(({ name }) => withoutOptions(scripts[name] ?? name)),
  ]);
  const missing = [...inDocuments, ...inWorkflows].filter(({ name }) => scripts[name] === undefined);
  const idle = inDocuments.filter(
    ({ name }) => scripts[name] !== undefined && !(name in notInCi) && !run.has(withoutOptions(scripts[name])),
  );
  const needless = Object.keys(notInCi).filter((name) => run.has(withoutOptions(scripts[name] ?? '')));
  const uncalled = Object.values(workflows).some((text) => text.includes('.ci/run'));
  return [
    ...(uncalled ? [] : ['no workflow runs .ci/run']),
    ...missing.map(({ file, name }) => `${file} names \`pnpm ${name}\`, which is not in package.json`),
    ...idle.map(({ file, name }) => `${file} names \`pnpm ${name}\`, which CI does not run`),
    ...needless.map((name) => `CI runs \`pnpm ${name}\`: remove the reason for not running it`),
  ];
}

/** Returns the command of each stage of `.ci/run`, without options and without installation wrappers. */
function stagesOf(ci: string): string[] {
  return [...ci.matchAll(/^stage \S+ (.+)$/gm)].map(([, command = '']) =>
    withoutOptions(command.replace(/^(?:with \S+ \S+ )+/, '')),
  );
}

function withoutOptions(command: string): string {
  return command.replaceAll(/ --\S+/g, '').trim();
}

/** Replaces `npm test` and `pnpm run x` by the script. */
function resolveScript(command: string, scripts: Readonly<Record<string, string>>): string {
  const [, name = ''] = /^p?npm (?:run )?(\S+)$/.exec(command) ?? [];
  return withoutOptions(scripts[name] ?? command);
}

/** Returns the names of the scripts in the code of a document. */
function codeOf(text: string): string[] {
  const code = [...text.matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, span]) => block ?? span ?? '');
  return scriptsIn(code.join('\n'));
}

function scriptsIn(code: string): string[] {
  const calls = code.matchAll(/(?:^|[\s;&|(])p?npm (?:--?\w+ )*(?:run )?(?:-s )?([a-z][\w:-]*)/gm);
  const names = new Set([...calls].map(([, name = '']) => name));
  return [...names].filter((name) => !ofThePackageManager.has(name));
}

/** Commands of the package manager. */
const ofThePackageManager = new Set(
  'add audit changeset config create dlx exec i init install licenses pack publish sbom'.split(' '),
);
