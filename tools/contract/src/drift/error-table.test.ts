import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problems } from '@rostergate/server/problem';
import { describe, expect, test } from 'vitest';
import { kinds as adminKinds } from '../../../../packages/admin-client/src/gen/read-problem.gen.ts';
import { kinds as gatewayKinds } from '../../../../packages/gateway-client/src/gen/read-problem.gen.ts';
import { kinds as staffKinds } from '../../../../packages/staff-client/src/gen/read-problem.gen.ts';
import type { ErrorTable } from '../pages/errors-page.ts';
import { bundlePath, rootFolder } from '../workspace.ts';
import { findMapDrift } from './find-map-drift.ts';

const page = readFileSync(join(rootFolder, 'docs/errors.md'), 'utf8');

describe('docs/errors.md', () => {
  const check = (table: ErrorTable, text = page) =>
    findMapDrift(['the table', factsOfTable(table)], ['the page', factsOfPage(text)]);

  test('pair error table ⇄ docs/errors.md: the page lists every code with its status, kind and title, and no other', () => {
    expect(factsOfPage(page).size).toBeGreaterThan(30);
    expect(check(problems)).toEqual([]);
  });

  test('mutation error table ⇄ docs/errors.md: a code is added only to the table', () => {
    const tea = { status: 418, kind: 'TeapotError', title: 'A teapot' };
    expect(check({ ...problems, tea })).toEqual(['tea is in the table alone']);
  });

  test('mutation error table ⇄ docs/errors.md: a status, kind or title is changed only in the table', () => {
    for (const change of [{ status: 406 }, { kind: 'KeyError' }, { title: 'Your key' }]) {
      expect(check({ ...problems, key_missing: { ...problems.key_missing, ...change } })).toHaveLength(1);
    }
  });

  test('mutation error table ⇄ docs/errors.md: a row is removed from the page', () => {
    expect(check(problems, page.replace(/^.*`key_missing`.*\n/m, ''))).toEqual(['key_missing is in the table alone']);
  });
});

describe.each([
  ['admin', adminKinds],
  ['gateway', gatewayKinds],
  ['staff', staffKinds],
] as const)('the %s client', (_, kinds) => {
  const classes = new Map(kinds.map(([status, kind]) => [String(status), kind]));
  const check = (table: ErrorTable) => findMapDrift(['the table', kindsOfTable(table)], ['the client', classes]);

  test('pair error table ⇄ error classes: the client has the class of every status in the table', () => {
    expect(check(problems)).toEqual([]);
    for (const [status, kind, { name }] of kinds) expect(name, String(status)).toBe(kind);
  });

  test('mutation error table ⇄ error classes: a status gets another kind only in the table', () => {
    const changed = { ...problems, conflict: { ...problems.conflict, kind: 'ClashError' } };
    expect(check(changed)).toEqual(['409 is ClashError in the table and ConflictError in the client']);
  });
});

function factsOfTable(table: ErrorTable): Map<string, string> {
  const rows = Object.entries(table).map(
    ([code, { status, kind, title }]) => [code, `${status} ${kind}: ${title}`] as const,
  );
  return new Map(rows);
}

function factsOfPage(text: string): Map<string, string> {
  const rows = text.matchAll(/^\| (\d{3}) \| `(\w+)` \| `(\w+)` \| (.+) \|$/gm);
  return new Map([...rows].map(([, status, code = '', kind, title]) => [code, `${status} ${kind}: ${title}`]));
}

function kindsOfTable(table: ErrorTable): Map<string, string> {
  return new Map(Object.values(table).map(({ status, kind }) => [String(status), kind]));
}

type Example = Readonly<Record<'code' | 'type' | 'title' | 'status' | 'kind', string | number>>;

/** Returns all examples of problems in a document. */
function problemExamplesIn(value: unknown): Example[] {
  if (typeof value !== 'object' || value === null) return [];
  const { 'application/problem+json': problem } = value as Record<string, { readonly example?: Example }>;
  const found = problem?.example === undefined ? [] : [problem.example];
  return [...found, ...Object.values(value).flatMap(problemExamplesIn)];
}

const registered = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

/** Returns the codes of examples that differ from the error table. */
function findFalseExamples(document: unknown, table: ErrorTable): string[] {
  return problemExamplesIn(document)
    .filter(({ code, type, title, status, kind }) => {
      const entry = table[code];
      const isTyped = type === (code === 'limit_exceeded' ? registered : `urn:rostergate:problem:${code}`);
      return !isTyped || title !== entry?.title || status !== entry.status || kind !== entry.kind;
    })
    .map(({ code }) => String(code));
}

describe.each(['admin', 'gateway', 'staff'])('the %s contract', (name) => {
  const text = readFileSync(bundlePath(name), 'utf8');
  const document = JSON.parse(text);

  test('pair error table ⇄ examples: every example of a problem in the contract matches the error table', () => {
    expect(problemExamplesIn(document).length).toBeGreaterThan(5);
    expect(findFalseExamples(document, problems)).toEqual([]);
  });

  test('mutation error table ⇄ examples: a title, status or kind is changed only in the table', () => {
    for (const change of [{ title: 'Wait' }, { status: 420 }, { kind: 'QuotaError' }]) {
      const changed = { ...problems, limit_exceeded: { ...problems.limit_exceeded, ...change } };
      expect(new Set(findFalseExamples(document, changed))).toEqual(new Set(['limit_exceeded']));
    }
  });

  test('mutation error table ⇄ examples: an example gets a code of its own only in the contract', () => {
    const changed = JSON.parse(text.replaceAll('"code": "limit_exceeded"', '"code": "too_many"'));
    expect(new Set(findFalseExamples(changed, problems))).toEqual(new Set(['too_many']));
  });
});
