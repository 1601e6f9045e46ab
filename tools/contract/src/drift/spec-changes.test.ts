import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { runProgram } from '../run-program.ts';
import { copyCheckout } from './copy-checkout.ts';

// The tests run several programs, which take seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const { root, git, remove } = copyCheckout();
afterEach(() => {
  git('reset', '--hard', '--quiet');
  git('clean', '--force', '--quiet');
});
afterAll(remove);

// The state after a release: there are no changesets, and each package has the tag of its version.
for (const file of globSync('.changeset/!(README).md', { cwd: root })) rmSync(join(root, file));
git('commit', '--all', '--quiet', '--allow-empty', '--message=Release');
for (const manifest of globSync('{apps,packages,specs}/*/package.json', { cwd: root })) {
  const { name, version } = JSON.parse(readFileSync(join(root, manifest), 'utf8'));
  git('tag', `${name}@${version}`);
}

const check = () =>
  runProgram(process.execPath, ['--conditions=source', 'tools/release/src/main.ts', 'check'], { cwd: root });

/** Adds an operation to the bundled contract, which is a minor change. */
function addOperation(): void {
  const path = join(root, 'specs/staff/gen/openapi.json');
  const document = JSON.parse(readFileSync(path, 'utf8'));
  const { get } = document.paths['/health'];
  document.paths['/health/startup'] = { get: { ...get, operationId: 'getStartup' } };
  writeFileSync(path, JSON.stringify(document));
}

function announce(bump: 'minor' | 'patch'): void {
  const names = ['spec', 'client', 'server'].map((part) => `"@rostergate/staff-${part}": ${bump}`);
  // New projects install the client.
  names.push('"create-rostergate": patch');
  writeFileSync(
    join(root, '.changeset/startup.md'),
    `---\n${names.join('\n')}\n---\n\n\`GET /health/startup\` is new.\n`,
  );
}

describe('the check of a release', () => {
  test('pair spec change ⇄ changeset: an unchanged contract passes, and so does a change with its changeset', async () => {
    expect(await check()).toMatchObject({ exitCode: 0 });
    addOperation();
    announce('minor');
    expect(await check()).toMatchObject({ exitCode: 0 });
  });

  test('mutation spec change ⇄ changeset: only a contract is changed', async () => {
    addOperation();
    const { exitCode, output } = await check();
    expect([exitCode, output]).toEqual([1, expect.stringContaining('GET /health/startup')]);
    expect(output).toContain('@rostergate/staff-client needs minor');
    expect(output).toContain('pnpm release:changeset');
  });

  test('mutation spec change ⇄ changeset: the changeset announces a smaller change', async () => {
    addOperation();
    announce('patch');
    const { exitCode, output } = await check();
    expect([exitCode, output]).toEqual([1, expect.stringContaining('@rostergate/staff-spec needs minor')]);
  });
});
