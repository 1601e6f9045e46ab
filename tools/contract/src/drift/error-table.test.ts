import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problems } from '@rostergate/server/problem';
import { describe, expect, test } from 'vitest';
import { kinds as gatewayKinds } from '../../../../packages/gateway-client/src/gen/problem-lookup.gen.ts';
import { kinds as staffKinds } from '../../../../packages/staff-client/src/gen/problem-lookup.gen.ts';
import type { ErrorTable } from '../errors/emit-errors-doc.ts';
import { rootFolder } from '../workspace.ts';
import { findMapDrift } from './find-map-drift.ts';

const page = readFileSync(join(rootFolder, 'docs/errors.md'), 'utf8');

describe('docs/errors.md', () => {
  const check = (table: ErrorTable, text = page) =>
    findMapDrift(['the table', factsOfTable(table)], ['the page', factsOfPage(text)]);

  test('pair error table ⇄ docs/errors.md: the page lists every code with its status, kind and title, and no other', () => {
    expect(factsOfPage(page).size).toBeGreaterThan(30);
    expect(check(problems)).toEqual([]);
  });

  test('mutation error table ⇄ docs/errors.md: a code is added to the table alone', () => {
    const tea = { status: 418, kind: 'TeapotError', title: 'A teapot' };
    expect(check({ ...problems, tea })).toEqual(['tea is in the table alone']);
  });

  test('mutation error table ⇄ docs/errors.md: a status, kind or title is changed in the table alone', () => {
    for (const change of [{ status: 406 }, { kind: 'KeyError' }, { title: 'Your key' }]) {
      expect(check({ ...problems, key_missing: { ...problems.key_missing, ...change } })).toHaveLength(1);
    }
  });

  test('mutation error table ⇄ docs/errors.md: a row is removed from the page', () => {
    expect(check(problems, page.replace(/^.*`key_missing`.*\n/m, ''))).toEqual(['key_missing is in the table alone']);
  });
});

describe.each([
  ['gateway', gatewayKinds],
  ['staff', staffKinds],
] as const)('the %s client', (_, kinds) => {
  const classes = new Map(kinds.map(([status, kind]) => [String(status), kind]));
  const check = (table: ErrorTable) => findMapDrift(['the table', kindsOfTable(table)], ['the client', classes]);

  test('pair error table ⇄ error classes: the client has the class of every status in the table', () => {
    expect(check(problems)).toEqual([]);
    for (const [status, kind, { name }] of kinds) expect(name, String(status)).toBe(kind);
  });

  test('mutation error table ⇄ error classes: a status gets another kind in the table alone', () => {
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
