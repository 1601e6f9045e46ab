import { expect, it } from 'vitest';
import { findCostlySchemas } from './costly-schemas.ts';
import type { OpenApiDocument } from './openapi.ts';

const tree = { $ref: '#/components/schemas/Tree' };
const leaf = (op: string, more: object = {}) => ({
  type: 'object',
  required: ['op'],
  properties: { op: { enum: [op] }, ...more },
});
const schemas = {
  Tree: { anyOf: [{ properties: { a: tree } }, { items: tree }] },
  Tagged: {
    oneOf: [leaf('and', { args: { items: { $ref: '#/components/schemas/Tagged' } } }), leaf('leaf')],
  },
  Flat: { oneOf: [{ type: 'object' }, { type: 'object', required: ['a'] }] },
  Rows: { type: 'array', uniqueItems: true, items: { type: 'object' } },
  Few: { type: 'array', uniqueItems: true, maxItems: 10, items: { type: 'object' } },
  Names: { type: 'array', uniqueItems: true, items: { type: 'string' } },
  Name: { type: 'object', properties: { n: { type: 'string', pattern: '^(a+)+$' } }, example: { pattern: '^(a+)+$' } },
  Short: { type: 'string', pattern: '^(a+)+$', maxLength: 10 },
  Plain: { type: 'string', pattern: '^[a-z]+$' },
};

function find(name: string, more: object = {}) {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
  const paths = { '/a': { post: { operationId: 'a', requestBody: { content }, responses: {}, ...more } } };
  return findCostlySchemas({ paths, components: { schemas } } as unknown as OpenApiDocument);
}

it.each([
  ['Tree', '#/components/schemas/Tree has alternatives within alternatives'],
  ['Rows', '#/components/schemas/Rows has uniqueItems for items of any size: give it maxItems.'],
  ['Name', '#/components/schemas/Name/properties/n has the pattern ^(a+)+$, which may take long: give it a maxLength'],
])('names the schema %s with its place and the remedy', (name, warning) => {
  expect(find(name)).toEqual([expect.stringContaining(warning)]);
});

it.each(['Tagged', 'Flat', 'Few', 'Names', 'Short', 'Plain'])('says nothing of the schema %s', (name) => {
  expect(find(name)).toEqual([]);
});

it('reads parameters, and no responses', () => {
  const parameters = [{ name: 'q', in: 'query', schema: { type: 'string', pattern: '^(a|a)*$' } }];
  expect(find('Plain', { parameters })).toEqual([
    expect.stringMatching(/^POST \/a\/parameters\/0\/schema has the pattern/),
  ]);
  expect(find('Plain', { responses: { 200: { content: { x: { schema: tree } } } } })).toEqual([]);
});
