import { expect, it } from 'vitest';
import { findCostlySchemas } from './costly-schemas.ts';
import type { OpenApiDocument } from './openapi.ts';

const tree = { $ref: '#/components/schemas/Tree' };
const leaf = (op: string, more: object = {}) => ({
  type: 'object',
  required: ['op'],
  properties: { op: { enum: [op] }, ...more },
});
const [twice, overlap, any, once] = ['Twice', 'Overlap', 'Any', 'Once'].map((name) => ({
  $ref: `#/components/schemas/${name}`,
}));
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
  Twice: { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { child: twice } }] },
  Base: { type: 'object', properties: { child: twice, more: { $ref: '#/components/schemas/Once' } } },
  Overlap: { properties: { child: overlap }, patternProperties: { '^c': overlap } },
  Any: { allOf: [{ properties: { child: any } }, { additionalProperties: any }] },
  Both: { items: { allOf: [{ $ref: '#/components/schemas/Both' }, { items: { $ref: '#/components/schemas/Both' } }] } },
  Once: {
    allOf: [{ $ref: '#/components/schemas/Plain' }, { properties: { a: once, b: once, list: { items: once } } }],
  },
  Plain: { type: 'string', pattern: '^[a-z]+$' },
};

function find(name: string, more: object = {}) {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
  const paths = { '/a': { post: { operationId: 'a', requestBody: { content }, responses: {}, ...more } } };
  return findCostlySchemas({ paths, components: { schemas } } as unknown as OpenApiDocument);
}

it.each([
  ['Tree', '#/components/schemas/Tree has nested alternatives'],
  ['Rows', '#/components/schemas/Rows has uniqueItems for items of any size: give it maxItems.'],
  ['Name', '#/components/schemas/Name/properties/n has the pattern ^(a+)+$, which may take long: give it a maxLength'],
  ['Overlap', '#/components/schemas/Overlap refers to itself more than once from the same member'],
  ['Any', '#/components/schemas/Any refers to itself more than once'],
  ['Both', '#/components/schemas/Both refers to itself more than once'],
])('reports the schema %s with its place and the remedy', (name, warning) => {
  expect(find(name)).toEqual([expect.stringContaining(warning)]);
});

it('reports a schema that refers to itself twice through allOf', () => {
  expect(find('Twice')).toContainEqual(
    '#/components/schemas/Twice refers to itself more than once from the same member, through allOf or overlapping properties: declare the member in one place.',
  );
});

it.each(['Tagged', 'Flat', 'Few', 'Names', 'Short', 'Plain', 'Once'])('reports nothing for the schema %s', (name) => {
  expect(find(name)).toEqual([]);
});

it('checks parameters but not responses', () => {
  const parameters = [{ name: 'q', in: 'query', schema: { type: 'string', pattern: '^(a|a)*$' } }];
  expect(find('Plain', { parameters })).toEqual([
    expect.stringMatching(/^POST \/a\/parameters\/0\/schema has the pattern/),
  ]);
  expect(find('Plain', { responses: { 200: { content: { x: { schema: tree } } } } })).toEqual([]);
});
