import { expect, it } from 'vitest';
import { createOneWayDocument } from './one-way-document.ts';
import type { JsonObject, OpenApiDocument } from './openapi-document.ts';

const person = {
  type: 'object',
  required: ['id', 'pin', 'name'],
  properties: {
    id: { type: 'string', readOnly: true },
    pin: { type: 'string', writeOnly: true },
    name: { type: 'string' },
  },
};

/** A document with one operation that takes and gives the named schemas. */
function createDocument(request: string, response: string, schemas: Record<string, JsonObject>): OpenApiDocument {
  const content = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
  const post = {
    operationId: 'send',
    requestBody: { content: content(request) },
    responses: { 200: { content: content(response) } },
  };
  return { info: { title: 'T', version: '1' }, paths: { '/a': { post } }, components: { schemas } };
}

it('takes writeOnly properties out of answers and readOnly ones out of requests', () => {
  const document = createDocument('In', 'Out', { In: person, Out: structuredClone(person) });
  const { In, Out } = createOneWayDocument(document).components?.schemas ?? {};
  expect(Object.keys(In?.properties as object)).toEqual(['pin', 'name']);
  expect(In?.required).toEqual(['pin', 'name']);
  expect(Object.keys(Out?.properties as object)).toEqual(['id', 'name']);
  expect(Out?.required).toEqual(['id', 'name']);
  expect(Object.keys(document.components?.schemas?.In?.properties as object)).toHaveLength(3);
});

it('reaches schemas within schemas, also those that hold themselves', () => {
  const Node = { properties: { pin: { writeOnly: true }, children: { items: { $ref: '#/components/schemas/Node' } } } };
  const document = createDocument('Plain', 'List', {
    Plain: {},
    List: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
    Node,
  });
  const found = createOneWayDocument(document).components?.schemas?.Node;
  expect(Object.keys(found?.properties as object)).toEqual(['children']);
});

it('refuses a schema that goes both ways and differs between them', () => {
  const document = createDocument('Both', 'Both', { Both: person });
  expect(() => createOneWayDocument(document)).toThrow('#/components/schemas/Both is sent both ways');
});

it('leaves a schema alone that goes both ways and is the same in each', () => {
  const document = createDocument('Both', 'Both', { Both: { properties: { name: {} } } });
  expect(createOneWayDocument(document)).toEqual(document);
});
