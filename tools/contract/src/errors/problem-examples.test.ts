import { readFileSync } from 'node:fs';
import { problems } from '@rostergate/server/problem';
import { describe, expect, test } from 'vitest';
import { bundlePath } from '../workspace.ts';
import type { ErrorTable } from './emit-errors-doc.ts';

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

describe.each(['gateway', 'staff'])('the %s contract', (name) => {
  const text = readFileSync(bundlePath(name), 'utf8');
  const document = JSON.parse(text);

  test('pair error table ⇄ examples: every example of a problem in the contract matches the error table', () => {
    expect(problemExamplesIn(document).length).toBeGreaterThan(5);
    expect(findFalseExamples(document, problems)).toEqual([]);
  });

  test('mutation error table ⇄ examples: a title, status or kind is changed in the table alone', () => {
    for (const change of [{ title: 'Wait' }, { status: 420 }, { kind: 'QuotaError' }]) {
      const changed = { ...problems, limit_exceeded: { ...problems.limit_exceeded, ...change } };
      expect(new Set(findFalseExamples(document, changed))).toEqual(new Set(['limit_exceeded']));
    }
  });

  test('mutation error table ⇄ examples: an example gets a code of its own in the contract alone', () => {
    const changed = JSON.parse(text.replaceAll('"code": "limit_exceeded"', '"code": "too_many"'));
    expect(new Set(findFalseExamples(changed, problems))).toEqual(new Set(['too_many']));
  });
});
