import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkRelease, writeChangesets } from './check-release.ts';

const here = join(import.meta.dirname, '../../../..');

/** The files of this workspace that the check reads, in a repository where everything is released. */
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

describe('the contracts of this workspace', () => {
  it('require changesets for client and stubs, and accept the written draft', async () => {
    const path = join(root, 'specs/staff/gen/openapi.json');
    const document = JSON.parse(readFileSync(path, 'utf8'));
    document.paths['/staffmember'].get.parameters.push({ name: 'nickname', in: 'query', schema: { type: 'string' } });
    writeFileSync(path, JSON.stringify(document));
    const { changes, lowBumps } = await checkRelease(root);
    expect(changes.map(({ contract, rating }) => `${contract.name} ${rating}`)).toEqual([
      'admin none',
      'gateway none',
      'staff minor',
    ]);
    expect(writeChangesets(root, changes, lowBumps)).toEqual(['.changeset/staff-contract.md']);
    expect(readFileSync(join(root, '.changeset/staff-contract.md'), 'utf8')).toBe(`---
"@rostergate/staff-spec": minor
"@rostergate/staff-client": minor
"@rostergate/staff-server": minor
---

\`GET /staffmember\` now accepts the query parameter \`nickname\`.
`);
    expect((await checkRelease(root)).faults).toEqual([]);
  });
});
