import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const here = join(import.meta.dirname, '../../../..');
const program = join(import.meta.dirname, '../main.ts');

/** What the command reads of this workspace, in a repository where all of it has just been released. */
let root: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: root });

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'released-'));
  const manifests = globSync('{specs,packages,apps,tools}/*/package.json', { cwd: here });
  const read = ['package.json', 'pnpm-workspace.yaml', '.changeset/config.json', ...manifests];
  const contracts = globSync(['specs/*/*.yaml', 'specs/*/gen', 'packages/*/src/gen'], { cwd: here });
  for (const path of [...read, ...contracts]) cpSync(join(here, path), join(root, path), { recursive: true });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'Release');
  for (const path of manifests) {
    const { name, version, private: isPrivate } = JSON.parse(readFileSync(join(root, path), 'utf8'));
    if (isPrivate !== true) git('tag', `${name}@${version}`);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const run = (command: string) =>
  spawnSync(process.execPath, ['--conditions=source', program, command, '--workspace', root], { encoding: 'utf8' });

describe('the check of a release', () => {
  it('passes what has just been released', () => {
    const { status, stdout, stderr } = run('check');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^gateway none since \S+, staff none since \S+; 0 changesets, 0 faults\n$/);
  });

  it('fails a changed contract without a changeset, and passes it with the one that its own command writes', () => {
    const path = join(root, 'specs/staff/gen/openapi.json');
    const document = JSON.parse(readFileSync(path, 'utf8'));
    document.paths['/staffmember'].get.parameters.push({ name: 'nickname', in: 'query', schema: { type: 'string' } });
    writeFileSync(path, JSON.stringify(document));

    const { status, stderr } = run('check');
    expect(status).toBe(1);
    expect(stderr).toContain('addition   GET /staffmember, query nickname: the query parameter nickname is new');
    const needs = [...stderr.matchAll(/^(\S+) needs minor above/gm)].map((match) => match[1]);
    expect(needs).toEqual(['@rostergate/staff-spec', '@rostergate/staff-client', '@rostergate/staff-server']);
    expect(stderr).toContain('pnpm release:changeset');

    expect(run('changeset').stdout).toBe('written: .changeset/staff-contract.md\n');
    expect(readFileSync(join(root, '.changeset/staff-contract.md'), 'utf8')).toContain(
      '`GET /staffmember` now accepts the query parameter `nickname`.',
    );
    expect(run('check').status).toBe(0);
  });
});
