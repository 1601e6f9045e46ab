import { describe, expect, it } from 'vitest';
import type { OpenApiDocument, OperationObject, PathItem } from '../spec/openapi-document.ts';
import { type ClientOperation, describeOperations } from './describe-operations.ts';

const info = { title: 'T', version: '1' };

function describeOne(operation: Partial<OperationObject>, item: PathItem = {}, more = {}): ClientOperation {
  const get = { operationId: 'read', responses: {}, ...operation };
  const document: OpenApiDocument = { info, paths: { '/a': { ...item, get } }, ...more };
  return describeOperations(document)[0] as ClientOperation;
}

describe('the path', () => {
  const servers = [{ url: '/v2/' }];

  it.each([
    ['the document', describeOne({}, {}, { servers }), '/v2/a'],
    ['the path item, which overrides the document', describeOne({}, { servers: [{ url: '/' }] }, { servers }), '/a'],
    ['no server', describeOne({}), '/a'],
    ['an absolute address', describeOne({}, {}, { servers: [{ url: 'https://a.test/v3' }] }), '/v3/a'],
  ])('starts with the base path of %s', (_, { path }, want) => {
    expect(path).toBe(want);
  });
});

it('marks a last parameter that is the rest of the path', () => {
  const rest = { name: 'rest', in: 'path', required: true, 'x-multi-segment': true } as const;
  const get = { operationId: 'read', responses: {}, parameters: [rest] };
  expect(describeOperations({ info, paths: { '/a/{rest}': { get } } })[0]?.path).toBe('/a/{rest*}');
});

it('joins the parameters of path and operation, and reports which are required', () => {
  const components = { parameters: { Key: { name: 'key', in: 'path', required: true } } };
  const found = describeOne(
    { parameters: [{ name: 'q', in: 'query' }] },
    { parameters: [{ $ref: '#/components/parameters/Key' }] },
    { components },
  );
  expect(found).toMatchObject({ pathParameters: 'required', queryParameters: 'optional', body: 'none' });
});

it('rejects an array parameter with separate values', () => {
  const joined = { name: 'a', in: 'query', explode: false, schema: { type: 'array' } } as const;
  expect(describeOne({ parameters: [joined] }).queryParameters).toBe('optional');
  expect(() => describeOne({ parameters: [{ ...joined, explode: true }] })).toThrow('read takes a value by value');
});

it('finds the headers that make a call conditional', () => {
  const names = ['If-None-Match', 'Prefer'];
  const parameters = names.map((name) => ({ name, in: 'header' as const }));
  expect(describeOne({ parameters }).conditions).toEqual(['If-None-Match']);
});

it('lists successful responses, JSON first, without media types that have parameters', () => {
  const content = { 'text/plain': {}, 'application/json': {}, 'application/json;odata.metadata=minimal': {} };
  const responses = { 200: { content }, 404: { content }, default: { content } };
  expect(describeOne({ responses }).successes).toEqual([
    { status: '200', media: 'application/json' },
    { status: '200', media: 'text/plain' },
  ]);
});

it('treats an operation as public only without security', () => {
  const secured = { security: [{ bearer: [] }] };
  expect(describeOne({}, {}, secured).isPublic).toBe(false);
  expect(describeOne({ security: [] }, {}, secured).isPublic).toBe(true);
  expect(describeOne({}).isPublic).toBe(true);
});

it('rejects a body that clients cannot send', () => {
  const requestBody = { content: { 'text/csv': {} } };
  expect(() => describeOne({ requestBody })).toThrow('read takes no application/json');
});
