import { expect, it } from 'vitest';
import { createOneWayDocument } from './emit-types.ts';
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

/** Returns a document with one operation and the named schemas of its request and response. */
function createDocument(request: string, response: string, schemas: Record<string, JsonObject>): OpenApiDocument {
  const content = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
  const post = {
    operationId: 'send',
    requestBody: { content: content(request) },
    responses: { 200: { content: content(response) } },
  };
  return { info: { title: 'T', version: '1' }, paths: { '/a': { post } }, components: { schemas } };
}

it('removes writeOnly properties from responses and readOnly properties from requests', () => {
  const document = createDocument('In', 'Out', { In: person, Out: structuredClone(person) });
  const { In, Out } = createOneWayDocument(document).components?.schemas ?? {};
  expect(Object.keys(In?.properties as object)).toEqual(['pin', 'name']);
  expect(In?.required).toEqual(['pin', 'name']);
  expect(Object.keys(Out?.properties as object)).toEqual(['id', 'name']);
  expect(Out?.required).toEqual(['id', 'name']);
  expect(Object.keys(document.components?.schemas?.In?.properties as object)).toHaveLength(3);
});

it('visits nested and recursive schemas', () => {
  const Node = { properties: { pin: { writeOnly: true }, children: { items: { $ref: '#/components/schemas/Node' } } } };
  const document = createDocument('Plain', 'List', {
    Plain: {},
    List: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
    Node,
  });
  const found = createOneWayDocument(document).components?.schemas?.Node;
  expect(Object.keys(found?.properties as object)).toEqual(['children']);
});

it('rejects a schema that differs between requests and responses', () => {
  const document = createDocument('Both', 'Both', { Both: person });
  expect(() => createOneWayDocument(document)).toThrow('#/components/schemas/Both is used in requests and responses');
});

it('does not change a schema that is the same in requests and responses', () => {
  const document = createDocument('Both', 'Both', { Both: { properties: { name: {} } } });
  expect(createOneWayDocument(document)).toEqual(document);
});

it('removes other media types from responses that are JSON by default', () => {
  const document = createDocument('Both', 'Both', { Both: {} });
  const media = (...names: string[]) => ({ content: Object.fromEntries(names.map((name) => [name, {}])) });
  const [json, envelope] = ['application/json', 'application/json;odata.metadata=minimal'];
  const get = { operationId: 'list', responses: { 200: media(json, envelope, 'text/csv') } };
  const metrics = { operationId: 'metrics', responses: { 200: media('text/plain', json) } };
  const paths = { ...document.paths, '/list': { get }, '/metrics': { get: metrics } };
  const result = createOneWayDocument({ ...document, paths }).paths;
  expect(result['/list']?.get?.responses).toEqual({ 200: media(json) });
  expect(result['/metrics']?.get?.responses).toEqual(metrics.responses);
});
