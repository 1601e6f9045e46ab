import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, test, vi } from 'vitest';
import { runProgram } from '../run-program.ts';
import { changedFiles, checkDrift, describeDrift } from './check-drift.ts';
import { copyCheckout } from './copy-checkout.ts';

// The tests run several programs, which take seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const checkout = copyCheckout();
afterEach(() => void checkout.git('reset', '--hard', '--quiet'));
afterAll(() => checkout.remove());

/** All generators except that of the stubs, which needs Java. */
const generators = {
  spec: ['spec', 'staff'],
  client: ['client', 'staff'],
  errors: ['errors-doc'],
  fragment: ['fragment'],
  'gateway spec': ['spec', 'gateway'],
  'gateway client': ['client', 'gateway'],
  'admin spec': ['spec', 'admin'],
  'admin client': ['client', 'admin'],
  configuration: ['configuration'],
  'gateway page': ['gateway-doc'],
  'scheduling page': ['scheduling-doc'],
  'proxy page': ['staff-proxy-doc'],
  'page of pairs': ['pairs-doc'],
  'page of promises': ['promises-doc'],
} as const;
type Generator = keyof typeof generators;
const all = Object.keys(generators) as Generator[];

/** Runs generators of a checkout in one process, since most of their time is loading compilers. */
async function generate(root: string, names: readonly Generator[]): Promise<void> {
  const program = `import { runCommand } from './tools/contract/src/run-command.ts';
for (const command of ${JSON.stringify(names.map((name) => generators[name]))}) await runCommand(command);`;
  const args = ['--conditions=source', '--input-type=module', '--eval', program];
  const { exitCode, output } = await runProgram(process.execPath, args, { cwd: root });
  if (exitCode !== 0) throw new Error(output);
}

const check = (...names: Generator[]) => checkDrift({ root: checkout.root, generate: (root) => generate(root, names) });

function edit(file: string, what: string, by: string): void {
  const path = join(checkout.root, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(what);
  writeFileSync(path, text.replace(what, by));
}

/** Returns the files that a failed check reports. */
async function named(...names: Generator[]): Promise<string[]> {
  const error = await check(...names).then(
    () => new Error(),
    (failure: Error) => failure,
  );
  return [...error.message.matchAll(/^\s+(?:\S+ )?((?:docs|packages|specs)\/\S+)$/gm)]
    .map(([, file = '']) => file)
    .sort();
}

describe('the check of generated files', () => {
  test('pair spec ⇄ generated files: generating them again changes nothing', async () => {
    await check(...all);
  });

  test('mutation spec ⇄ generated files: only a contract is edited', async () => {
    edit('specs/staff/paths/badge-id.yaml', 'operationId: listBadgeIds', 'operationId: listBadges');
    checkout.git('commit', '--all', '--quiet', '--message=Rename an operation');
    expect(await named('spec', 'client')).toEqual([
      'packages/staff-client/src/gen/client.gen.ts',
      'specs/staff/gen/openapi.json',
      'specs/staff/gen/proxy.openapi.json',
      'specs/staff/gen/scheduling.openapi.json',
      'specs/staff/gen/types.gen.d.ts',
    ]);
    checkout.git('reset', '--hard', '--quiet', 'HEAD~1');
  });

  test('mutation spec ⇄ generated files: a generated file is edited by hand, committed or not', async () => {
    edit('packages/staff-client/src/gen/client.gen.ts', "'/health'", "'/healthz'");
    expect(await named('client')).toEqual(['packages/staff-client/src/gen/client.gen.ts']);
    edit('specs/staff/gen/openapi.json', '"listBadgeIds"', '"listBadges"');
    checkout.git('commit', '--all', '--quiet', '--message=Edit by hand');
    expect(await named('spec')).toEqual(['specs/staff/gen/openapi.json']);
    checkout.git('reset', '--hard', '--quiet', 'HEAD~1');
  });

  test('mutation spec ⇄ generated files: only the error table is edited', async () => {
    edit('packages/server/src/problem/problems.ts', "title: 'A key is needed'", "title: 'Send a key'");
    expect(await named('errors')).toEqual(['docs/errors.md']);
  });
});

it('reports every file that would change and the command that fixes it', () => {
  const text = describeDrift(' M docs/errors.md\n?? specs/staff/gen/new.ts\n');
  expect(text).toContain('2 generated files would change:\n   M docs/errors.md\n  ?? specs/staff/gen/new.ts\n');
  expect(text).toContain('Run `pnpm generate` and commit them.');
});

it('finds edited, deleted and added files, also when the generators have restored them', () => {
  const asGenerated = new Map(Object.entries({ same: 'a', edited: 'b', deleted: 'c' }));
  const found = new Map(Object.entries({ same: 'a', edited: 'x', added: 'd' }));
  expect(changedFiles(found, asGenerated)).toEqual(['added', 'deleted', 'edited']);
});
