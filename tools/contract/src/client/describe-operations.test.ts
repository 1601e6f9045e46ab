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
    ['the path item, which goes first', describeOne({}, { servers: [{ url: '/' }] }, { servers }), '/a'],
    ['nobody', describeOne({}), '/a'],
    ['an absolute address', describeOne({}, {}, { servers: [{ url: 'https://a.test/v3' }] }), '/v3/a'],
  ])('stands under the base of %s', (_, { path }, want) => {
    expect(path).toBe(want);
  });
});

it('joins the parameters of path and operation, and tells which must be there', () => {
  const components = { parameters: { Key: { name: 'key', in: 'path', required: true } } };
  const found = describeOne(
    { parameters: [{ name: 'q', in: 'query' }] },
    { parameters: [{ $ref: '#/components/parameters/Key' }] },
    { components },
  );
  expect(found).toMatchObject({ pathParameters: 'required', queryParameters: 'optional', body: 'none' });
});

it('refuses an array whose values clients would have to send one by one', () => {
  const joined = { name: 'a', in: 'query', explode: false, schema: { type: 'array' } } as const;
  expect(describeOne({ parameters: [joined] }).queryParameters).toBe('optional');
  expect(() => describeOne({ parameters: [{ ...joined, explode: true }] })).toThrow('read takes a value by value');
});

it('knows which headers make it conditional', () => {
  const names = ['If-None-Match', 'Prefer'];
  const parameters = names.map((name) => ({ name, in: 'header' as const }));
  expect(describeOne({ parameters }).conditions).toEqual(['If-None-Match']);
});

it('takes good answers alone, JSON first, and no form that has to be asked for', () => {
  const content = { 'text/plain': {}, 'application/json': {}, 'application/json;odata.metadata=minimal': {} };
  const responses = { 200: { content }, 404: { content }, default: { content } };
  expect(describeOne({ responses }).answers).toEqual([
    { status: '200', media: 'application/json' },
    { status: '200', media: 'text/plain' },
  ]);
});

it('holds an operation for public only when nothing secures it', () => {
  const secured = { security: [{ bearer: [] }] };
  expect(describeOne({}, {}, secured).isPublic).toBe(false);
  expect(describeOne({ security: [] }, {}, secured).isPublic).toBe(true);
  expect(describeOne({}).isPublic).toBe(true);
});

it('refuses a body that clients could not send', () => {
  const requestBody = { content: { 'text/csv': {} } };
  expect(() => describeOne({ requestBody })).toThrow('read takes no application/json');
});
