import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Problem } from '../problem/index.ts';
import { createFastBodyCheck } from './fast-body-check.ts';
import { createFastPathCheck } from './fast-path-check.ts';
import type { OpenApiDocument } from './openapi.ts';
import { createRequestChecks } from './request-validator.ts';
import { createDeclaredPaths, type Route } from './route.ts';

const message = {
  type: 'object',
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: {
      anyOf: [
        { type: 'string', maxLength: 3 },
        { type: 'integer', minimum: 0 },
      ],
    },
    method: { type: 'string', minLength: 2 },
    params: { type: 'object', additionalProperties: true },
    at: { type: 'number', maximum: 5 },
    constructor: { type: 'boolean' },
  },
  additionalProperties: false,
};

function routeOf(schema: object) {
  const document: OpenApiDocument = {
    openapi: '3.0.3',
    info: { title: 'Test', version: '1' },
    security: [],
    paths: {
      '/a': {
        post: {
          operationId: 'post',
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: {},
        },
      },
    },
    components: { schemas: { message } },
  };
  return { document, route: createDeclaredPaths(document)[0]?.routes[0] as Route };
}

const fastCheckOf = (schema: object) => {
  const { document, route } = routeOf(schema);
  return route.requestBody && createFastBodyCheck(document, route.requestBody);
};
const bodyOf = (value: unknown) => ({ mediaType: 'application/json', value, length: 100 });

/** Returns a function that returns what the check of a request makes of a body. */
function createOutcome(schema: object, createFastPath: typeof createFastPathCheck) {
  const { document, route } = routeOf(schema);
  const check = createRequestChecks(document, createFastPath)(route);
  return (value: unknown) => {
    const parts = { path: {}, query: {}, body: structuredClone(value) };
    try {
      return check({ headers: {}, rawHeaders: [], originalUrl: '/a' }, parts, bodyOf(parts.body)).body;
    } catch (error) {
      return { errors: (error as Problem).errors ?? error };
    }
  };
}

const scalar = fc.oneof(
  fc.constantFrom('2.0', '', 'a', 'ab', '\u{1F600}', '\u{1F600}\u{1F600}', 'abcd', null, true),
  fc.constantFrom(0, -1, 1.5, 7, 1e300, 2 ** 53, Infinity, -Infinity),
);
const value = fc.oneof(scalar, fc.constantFrom([], {}, { a: [1, { b: null }] }, [{}]));
const usual = {
  jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, value),
  method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('tools/call', '\u{1F600}\u{1F600}') }, value),
};
const optional = { id: value, params: value, at: value, constructor: value, other: value };
const messages = fc.oneof(
  fc.record(usual),
  ...Object.entries(optional).map(([name, one]) => fc.record({ ...usual, [name]: one })),
  fc.record({ ...usual, ...optional }, { requiredKeys: [] }),
);

it('decides about bodies as the validator does', () => {
  const both = createOutcome({ $ref: '#/components/schemas/message' }, createFastPathCheck);
  const validator = createOutcome({ $ref: '#/components/schemas/message' }, () => undefined);
  const isValid = fastCheckOf(message);
  let passed = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 5, arbitrary: messages }, value), (body) => {
      if (isValid?.(bodyOf(body))) passed++;
      expect(both(body)).toEqual(validator(body));
    }),
    { numRuns: 400 },
  );
  expect(passed).toBeGreaterThan(10);
});

it.each([
  ['a default', { type: 'object', properties: { a: { type: 'string', default: 'x' } } }],
  ['a pattern', { type: 'string', pattern: '^a' }],
  ['a format', { type: 'string', format: 'date' }],
  ['a list', { type: 'array', items: { type: 'string' } }],
  ['null', { type: 'string', nullable: true }],
  ['members of a schema', { type: 'object', additionalProperties: { type: 'string' } }],
  ['a member for responses only', { type: 'object', properties: { a: { type: 'string', readOnly: true } } }],
  ['an unsupported alternative', { anyOf: [{ type: 'string' }, { type: 'array' }] }],
  ['no type', {}],
])('leaves a schema with %s to the validator', (_case, schema) => {
  expect(fastCheckOf(schema)?.(bodyOf('a'))).not.toBe(true);
});

it('leaves numbers that JSON.parse made infinite to the validator, which rejects them', () => {
  const schema = { type: 'object', properties: { amount: { type: 'number' } } };
  const body = (text: string) => JSON.parse(`{"amount":${text}}`) as unknown;
  expect(fastCheckOf(schema)?.(bodyOf(body('1e300')))).toBe(true);
  for (const text of ['1e400', '-1e400']) {
    expect(fastCheckOf(schema)?.(bodyOf(body(text)))).toBe(false);
    expect(createOutcome(schema, createFastPathCheck)(body(text))).toHaveProperty('errors');
  }
});

it('ends soon for a schema that contains itself in many places', () => {
  const names = Array.from({ length: 60 }, (_, i) => [`m${i}`, { $ref: '#/components/schemas/tree' }]);
  const tree = { type: 'object', properties: Object.fromEntries(names) };
  const { document, route } = routeOf({ $ref: '#/components/schemas/tree' });
  Object.assign(document.components?.schemas as object, { tree });
  expect(route.requestBody && createFastBodyCheck(document, route.requestBody)).toBeUndefined();
});

it('leaves a body of another media type to the validator', () => {
  expect(fastCheckOf({ type: 'string' })?.({ mediaType: 'text/plain', value: 'a' })).toBe(false);
});
