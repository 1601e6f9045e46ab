import { describe, expect, it } from 'vitest';
import { diffDocuments } from '../../../../apps/gateway/src/diff/diff-documents.ts';
import { describeChanges } from './describe-changes.ts';

type Json = Readonly<Record<string, unknown>>;

const documentOf = (operation: Json, more: Json = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: { '/a': { put: { operationId: 'a', security: [], responses: {}, ...operation } }, ...more },
});
const taking = (schema: Json, type = 'application/json') =>
  documentOf({ requestBody: { content: { [type]: { schema } } } });
const giving = (answer: Json) => documentOf({ responses: { 200: { description: '', ...answer } } });
const given = (schema: Json) => giving({ content: { 'application/json': { schema } } });
const object = (properties: Json, required: string[] = []) => ({ type: 'object', properties, required });
const parameters = (...list: Json[]) => documentOf({ parameters: list });
const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
const etag = { headers: { ETag: { schema: { type: 'string' } } } };

const changes: readonly (readonly [old: Json, next: Json, words: readonly string[]])[] = [
  [parameters(), parameters(limit), ['`PUT /a` now accepts the query parameter `limit`.']],
  [parameters(limit), parameters(), ['`PUT /a` no longer accepts the query parameter `limit`.']],
  [parameters(), parameters({ ...limit, required: true }), ['`PUT /a` now needs the query parameter `limit`.']],
  [
    parameters(),
    parameters({ ...limit, in: 'header', name: 'If-Match' }),
    ['`PUT /a` now accepts the header `If-Match`.'],
  ],
  [taking(object({})), taking(object({ n: {} })), ['`PUT /a` now accepts `n` in the body.']],
  [
    taking(object({ n: object({}) })),
    taking(object({ n: object({ m: { type: 'string' } }, ['m']) })),
    ['`PUT /a` now needs `n/m` in the body.', '`PUT /a` now accepts `n/m` in the body.'],
  ],
  [taking({}), documentOf({}), ['`PUT /a` no longer accepts a body.']],
  [
    taking({}),
    documentOf({ requestBody: { content: { 'application/json': {}, 'text/csv': {} } } }),
    ['`PUT /a` now accepts bodies of `text/csv`.'],
  ],
  [given(object({})), given(object({ id: {} })), ['`PUT /a` now returns `id` in the response 200.']],
  [given({ type: 'string' }), given({ type: 'integer' }), ['The response 200 of `PUT /a`: string became integer.']],
  [giving({}), giving(etag), ['`PUT /a` now returns the header `ETag` in the response 200.']],
  [documentOf({}), documentOf({ responses: { 412: { description: '' } } }), ['`PUT /a` may now return 412.']],
  [documentOf({}), documentOf({ deprecated: true }), ['`PUT /a` is deprecated now.']],
  [documentOf({}), documentOf({}, { '/b': { get: { responses: {} } } }), ['`GET /b` is new.']],
  [
    documentOf({}),
    { ...documentOf({}), servers: [{ url: '/v2' }] },
    ['/ is no longer a server.', '/v2 is now a server.'],
  ],
];

describe('describeChanges', () => {
  it.each(changes)('describes a change for a release note: %#', (old, next, words) => {
    expect(describeChanges(diffDocuments(old, next).changes)).toEqual(words);
  });

  it('describes the same change of several fields once', () => {
    const fields = (names: string[], schema: Json) =>
      taking(object(Object.fromEntries(names.map((name) => [name, schema]))));
    const words = (old: Json, next: Json) => describeChanges(diffDocuments(old, next).changes);
    expect(words(fields([], {}), fields(['a', 'b'], {}))).toEqual(['`PUT /a` now accepts `a` and `b` in the body.']);
    const many = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(words(fields(many, { maxLength: 9 }), fields(many, { maxLength: 4 }))).toEqual([
      '`a`, `b`, `c`, `d` and 2 more in the body of `PUT /a`: `maxLength` is now 4, not 9.',
    ]);
    expect(words(fields(['a'], {}), fields(['a'], { minimum: 1 }))).toEqual([
      '`a` in the body of `PUT /a`: `minimum` is now 1.',
    ]);
    expect(words(fields(['a'], { minimum: 1 }), fields(['a'], {}))).toEqual([
      '`a` in the body of `PUT /a`: `minimum` was 1 and is now none.',
    ]);
  });

  it('describes the same change of several operations once and names at most four of them', () => {
    const many = (count: number, operation: Json) =>
      documentOf(
        {},
        Object.fromEntries(
          Array.from({ length: count }, (_, i) => [`/b${i}`, { get: { responses: {}, ...operation } }]),
        ),
      );
    const words = (count: number, operations?: number) =>
      describeChanges(diffDocuments(many(count, {}), many(count, { deprecated: true })).changes, operations);
    expect(words(2)).toEqual(['Each of `GET /b0` and `GET /b1` is deprecated now.']);
    expect(words(6)).toEqual(['Each of `GET /b0`, `GET /b1`, `GET /b2`, `GET /b3` and 2 more is deprecated now.']);
    expect(words(6, 6)).toEqual(['Each operation is deprecated now.']);
  });
});
