import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { diffDocuments } from '../../../../apps/gateway/src/diff/diff-documents.ts';
import { type Bump, largestBump, rateChanges, versionAbove } from './bump.ts';

const specPath = join(import.meta.dirname, '../../../../specs/staff/gen/openapi.json');
const folder = mkdtempSync(join(tmpdir(), 'bump-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Operation = Record<string, never> & {
  parameters: { name: string; in: string; required?: boolean; schema: object }[];
  responses: Record<string, { content?: Record<string, { schema: object }>; headers?: object; $ref?: string }>;
};
type Paths = Record<string, Record<string, Operation> & { get: Operation }>;
const nickname = { name: 'nickname', in: 'query', schema: { type: 'string' } };
const setSummary = (operation: Operation) => Object.assign(operation, { summary: 'In other words' });

/** One change per path, so that the ratings can be compared path by path. */
const edits: readonly (readonly [path: string, edit: (paths: Paths) => void])[] = [
  ['/staffmember', (paths) => paths['/staffmember']?.get.parameters.push(nickname)],
  [
    '/staffmember/{staff_key}',
    (paths) => paths['/staffmember/{staff_key}']?.get.parameters.push({ ...nickname, required: true }),
  ],
  [
    '/staffmember/{staff_key}/badgeId',
    (paths) => setSummary((paths['/staffmember/{staff_key}/badgeId'] as Paths[string]).get),
  ],
  ['/health/live', (paths) => delete paths['/health/live']],
  ['/asset/{asset}', (paths) => Object.assign(paths, { '/asset/{asset}': structuredClone(paths['/docs/{asset}']) })],
  ['/metrics', (paths) => delete paths['/metrics']?.get.responses[200]],
  [
    '/staffmember/{staff_key}/tag',
    (paths) => Object.assign(paths['/staffmember/{staff_key}/tag']?.post ?? {}, { deprecated: true }),
  ],
  ['/login', (paths) => Object.assign(paths['/login']?.post ?? {}, { operationId: 'signIn' })],
];

/** Returns the rating of redocly for the same two documents, by path. */
function rateElsewhere(next: unknown): Map<string, Bump> {
  const file = join(folder, 'next.json');
  writeFileSync(file, JSON.stringify(next));
  const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');
  const output = execFileSync(process.execPath, [cli, 'diff', specPath, file, '--format=json', '--fail-on=none'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { changes }: { changes: { path: string; impact: Bump }[] } = JSON.parse(output);
  const byPath = Map.groupBy(changes, ({ path }) => pathOf(path));
  return new Map([...byPath].map(([path, list]) => [path, largestBump(list.map(({ impact }) => impact))]));
}

/** `/health/live` of `#/paths/~1health~1live/get`. */
const pathOf = (pointer: string): string => (pointer.split('/')[2] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');

describe('rateChanges', () => {
  it('agrees with the ratings of redocly', () => {
    const base = JSON.parse(readFileSync(specPath, 'utf8'));
    const next = structuredClone(base);
    for (const [, edit] of edits) edit(next.paths);
    const { changes } = diffDocuments(base, next);
    const ours = edits.map(([path]) => {
      const rating = rateChanges(changes.filter(({ operation }) => operation.split(' ')[1] === path));
      // A changed text is no change for callers, but a patch of the document.
      return [path, largestBump([rating, 'patch'])] as const;
    });
    expect(new Map(ours)).toEqual(rateElsewhere(next));
  });
});

describe('versionAbove', () => {
  it.each([
    ['0.4.2', 'major', '0.5.0'],
    ['0.4.2', 'minor', '0.5.0'],
    ['0.4.2', 'patch', '0.4.3'],
    ['1.4.2', 'major', '2.0.0'],
    ['1.4.2', 'minor', '1.5.0'],
    ['1.4.2', 'none', '1.4.2'],
  ] as const)('raises %s by a %s change to %s', (version, rating, next) => {
    expect(versionAbove(version, rating)).toBe(next);
  });
});
