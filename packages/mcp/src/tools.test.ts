import type { OpenApiDocument } from '@rostergate/server';
import { describe, expect, it } from 'vitest';
import { ArgumentError, createTools, type ToolChoice } from './tools.ts';

const document = {
  openapi: '3.0.3',
  info: { title: 'Staff', version: '1' },
  servers: [{ url: '/v2' }],
  security: [],
  paths: {
    '/staff/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'getStaff',
        summary: 'Find a person',
        parameters: [
          { name: '$select', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
          { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string', nullable: true } } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'If-None-Match', in: 'header', schema: { type: 'string' } },
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
        ],
      },
      put: {
        operationId: 'putStaff',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } },
        },
      },
    },
    '/files/{rest}': {
      get: {
        operationId: 'getFile',
        parameters: [{ name: 'rest', in: 'path', required: true, 'x-multi-segment': true, schema: { type: 'string' } }],
      },
    },
    '/upload': { post: { operationId: 'upload', requestBody: { content: { 'text/csv': {} } } } },
    '/live': { get: { operationId: 'live', 'x-websocket': true } },
  },
  components: {
    schemas: {
      Node: {
        type: 'object',
        properties: {
          child: { $ref: '#/components/schemas/Node' },
          size: { type: 'integer', minimum: 0, exclusiveMinimum: true, nullable: true },
          kind: { type: 'string', enum: ['a'], nullable: true, example: 'a' },
        },
      },
    },
  },
} as unknown as OpenApiDocument;

const bodyOf = ($ref: string) => ({ content: { 'application/json': { schema: { $ref } } } });

const toolOf = (choice: ToolChoice) => {
  const { tools, faults } = createTools(document, [choice]);
  expect(faults).toEqual([]);
  return tools[0] as NonNullable<(typeof tools)[0]>;
};

describe('createTools', () => {
  it('names arguments as models accept them, and writes each parameter in its place', () => {
    const { definition, requestOf } = toolOf({ operation_id: 'getStaff' });
    expect(Object.keys(definition.inputSchema.properties as object)).toEqual([
      'id',
      'select',
      'tag',
      'X-Trace',
      'session',
    ]);
    expect(
      requestOf({ id: 'a/b', select: ['Name', 'Fte'], tag: ['x y', 'z'], 'X-Trace': 'é', session: 'a;b' }),
    ).toEqual({
      method: 'GET',
      url: '/v2/staff/a%2Fb?%24select=Name,Fte&tag=x%20y&tag=z',
      headers: { 'X-Trace': 'é', Cookie: 'session=a%3Bb' },
      body: undefined,
    });
  });

  it('translates the schemas of the contract, also recursive ones', () => {
    const { definition, requestOf } = toolOf({ operation_id: 'putStaff' });
    expect(definition.inputSchema).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, body: { $ref: '#/$defs/Node' } },
      required: ['id', 'body'],
      additionalProperties: false,
      $defs: {
        Node: {
          type: 'object',
          properties: {
            child: { $ref: '#/$defs/Node' },
            size: { type: ['integer', 'null'], exclusiveMinimum: 0 },
            kind: { type: ['string', 'null'], enum: ['a', null], examples: ['a'] },
          },
        },
      },
    });
    expect(requestOf({ id: '1', body: { size: null } })).toMatchObject({
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: '{"size":null}',
    });
  });

  it('defines schemas whose names are members of every object', () => {
    const paths = { '/a': { post: { operationId: 'a', requestBody: bodyOf('#/components/schemas/constructor') } } };
    const schemas = { constructor: { type: 'string' } };
    const { tools } = createTools({ ...document, paths, components: { schemas } } as unknown as OpenApiDocument, [
      { operation_id: 'a' },
    ]);
    expect(tools[0]?.definition.inputSchema.$defs).toEqual({ constructor: { type: 'string' } });
  });

  it('fills in the defaults of arguments that a call leaves out, and shows them', () => {
    const defaults = { select: ['Name'], id: '7' };
    const { definition, requestOf } = toolOf({ operation_id: 'getStaff', defaults });
    expect(definition.inputSchema).toMatchObject({ properties: { select: { default: ['Name'] } } });
    expect(definition.inputSchema.required).toBeUndefined();
    expect(requestOf({}).url).toBe('/v2/staff/7?%24select=Name');
    expect(requestOf({ select: ['Fte'] }).url).toBe('/v2/staff/7?%24select=Fte');
  });

  it('keeps the slashes of a parameter of several segments', () => {
    expect(toolOf({ operation_id: 'getFile' }).requestOf({ rest: 'a b/c' }).url).toBe('/v2/files/a%20b/c');
  });

  it.each([
    [{ id: '1', nothing: 1 }, 'There is no argument nothing.'],
    [{}, 'The argument id is required.'],
    [{ id: '1', 'X-Trace': 'a\r\nb: c' }, 'The argument X-Trace contains characters'],
    [{ id: '1', toString: 1 }, 'There is no argument toString.'],
  ])('rejects the arguments %j', (args, message) => {
    const { requestOf } = toolOf({ operation_id: 'getStaff' });
    expect(() => requestOf(args)).toThrow(ArgumentError);
    expect(() => requestOf(args)).toThrow(message);
  });

  it.each([
    ['nothing', {}, ['operation_id', 'names no operation']],
    ['upload', {}, ['operation_id', 'takes a body that is not JSON']],
    ['live', {}, ['operation_id', 'opens WebSockets']],
    ['getFile', { name: 'x'.repeat(65) }, ['name', 'set name to 1 to 64']],
    ['getStaff', { defaults: { selct: 'Name' } }, ['defaults.selct', 'is no argument. Did you mean select?']],
  ])('reports that %s %j is no tool', (operation_id, more, [field, detail]) => {
    expect(createTools(document, [{ operation_id, ...more }])).toMatchObject({
      faults: [{ path: [0, ...(field as string).split('.')], detail: expect.stringContaining(detail as string) }],
    });
  });
});
