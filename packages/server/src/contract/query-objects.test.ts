import { describe, expect, it } from 'vitest';
import type { Problem } from '../problem/index.ts';
import type { OpenApiDocument, ParameterObject } from './openapi.ts';
import { parseQuery } from './request-head.ts';
import { createRequestChecks } from './request-validator.ts';
import { createDeclaredPaths, type Route } from './route.ts';

it('returns no inherited names and any number of parameters', () => {
  expect('constructor' in parseQuery('a=1')).toBe(false);
  expect(Object.keys(parseQuery('a=1&'.repeat(5_000)))).toEqual(['a']);
  expect(Object.keys(parseQuery(Array.from({ length: 3_000 }, (_, i) => `p${i}=1`).join('&')))).toHaveLength(3_000);
});

const filter = {
  type: 'object',
  required: ['color'],
  properties: { color: { type: 'string' }, sizes: { type: 'array', items: { type: 'integer' } } },
};

function check(parameters: readonly ParameterObject[], query: Record<string, unknown>) {
  const document: OpenApiDocument = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get: { operationId: 'a', security: [], parameters, responses: {} } } },
    components: { schemas: { Filter: filter } },
  };
  const route = createDeclaredPaths(document)[0]?.routes[0] as Route;
  try {
    const parts = { path: {}, query: { ...query }, body: undefined };
    return createRequestChecks(document)(route)({ headers: {}, rawHeaders: [], originalUrl: '/a' }, parts, undefined)
      .query;
  } catch (error) {
    return (error as Problem).errors;
  }
}

const deep: ParameterObject = { name: 'filter', in: 'query', style: 'deepObject', schema: filter };
const exploded: ParameterObject = { name: 'filter', in: 'query', schema: { $ref: '#/components/schemas/Filter' } };

describe('a query parameter that is an object', () => {
  it.each([
    ['deepObject', deep, { 'filter[color]': 'red', 'filter[sizes]': '3' }],
    ['form, exploded', exploded, { color: 'red', sizes: ['3'] }],
  ])('is combined from its members: %s', (_, parameter, query) => {
    expect(check([parameter], query)).toEqual({ filter: { color: 'red', sizes: [3] } });
  });

  it('may be absent', () => {
    expect(check([deep], {})).toEqual({});
    expect(check([exploded], {})).toEqual({});
    expect(check([{ ...deep, required: true }], {})).toEqual([
      { parameter: 'filter', detail: "must have required property 'filter'" },
    ]);
  });

  it('is reported by the name that the client sent', () => {
    expect(check([deep], { 'filter[sizes]': 'x' })).toEqual(
      expect.arrayContaining([
        { parameter: 'filter[color]', detail: "must have required property 'color'" },
        { parameter: 'filter[sizes]', detail: 'must be integer' },
      ]),
    );
    expect(check([exploded], { color: 'red', sizes: 'x' })).toEqual([
      { parameter: 'sizes', detail: 'must be integer' },
    ]);
  });

  it('accepts no other names and no nested members', () => {
    const query = { 'filter[color]': 'red', 'filter[a][b]': '1', 'filter[__proto__]': '1', 'other[x]': '1', y: '1' };
    expect(check([deep], query)).toEqual(
      ['filter[a][b]', 'filter[__proto__]', 'other[x]', 'y'].map((parameter) => ({
        parameter,
        detail: 'is not a parameter of this operation',
      })),
    );
    expect(({} as Record<string, unknown>).b).toBeUndefined();
  });
});
