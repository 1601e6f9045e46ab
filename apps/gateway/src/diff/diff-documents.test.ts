import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { diffDocuments } from './diff-documents.ts';
import { type Rule, rules } from './rules.ts';

type Json = Readonly<Record<string, unknown>>;

const documentOf = (operation: Json, more: Json = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: { '/a': { get: { operationId: 'a', security: [], responses: {}, ...operation } } },
  ...more,
});
const inRequest = (schema: unknown) => documentOf({ requestBody: { content: { 'application/json': { schema } } } });
const inAnswer = (schema: unknown) =>
  documentOf({ responses: { 200: { description: '', content: { 'application/json': { schema } } } } });
const withParameter = (...parameters: Json[]) => documentOf({ parameters });
const q: Json = { name: 'q', in: 'query', schema: { type: 'string' } };
const body: Json = { content: { 'application/json': {} } };
const answered = (...statuses: string[]) =>
  documentOf({ responses: Object.fromEntries(statuses.map((status) => [status, { description: '' }])) });
const withEvents = (data: Json) =>
  documentOf({ responses: { 200: { content: { 'text/event-stream': { schema: {}, 'x-event-data': data } } } } });
const secured = (...names: string[]) => ({ security: names.map((name) => ({ [name]: [] })) });
const schemes = {
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      renamed: { type: 'apiKey', in: 'header', name: 'X-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
    },
  },
};
const open = documentOf({}, schemes);
const keyed = documentOf(secured('key'), schemes);
const paths = (...names: string[]) =>
  documentOf(
    {},
    { paths: Object.fromEntries(names.map((name) => [name, { get: { operationId: 'x', responses: {} } }])) },
  );

const withPath = (more: Json) => {
  const parameters = [{ name: 'rest', in: 'path', required: true, schema: { type: 'string' }, ...more }];
  return {
    ...documentOf({}),
    paths: { '/a/{rest}': { get: { operationId: 'a', security: [], responses: {}, parameters } } },
  };
};

/** The rules of a change, and of its reverse. */
const cases: readonly (readonly [what: string, there: Rule[], back: Rule[], old: Json, next: Json])[] = [
  ['the rest of a path', ['path-widened'], ['path-narrowed'], withPath({}), withPath({ 'x-multi-segment': true })],
  ['an endpoint', ['endpoint-added'], ['endpoint-removed'], paths('/a'), paths('/a', '/b')],
  [
    'an endpoint that moves',
    ['endpoint-removed', 'endpoint-added'],
    ['endpoint-removed', 'endpoint-added'],
    paths('/a'),
    paths('/b'),
  ],
  [
    'an operationId',
    ['operation-id-changed'],
    ['operation-id-changed'],
    documentOf({}),
    documentOf({ operationId: 'b' }),
  ],
  ['deprecation', ['operation-deprecated'], ['operation-restored'], documentOf({}), documentOf({ deprecated: true })],
  [
    'servers',
    ['server-removed', 'server-added'],
    ['server-removed', 'server-added'],
    documentOf({}, { servers: [{ url: 'https://a.example.com/' }] }),
    documentOf({}, { servers: [{ url: 'https://b.example.com' }] }),
  ],
  ['a required key', ['key-needed'], ['key-not-needed'], open, keyed],
  [
    'an alternative credential',
    ['key-way-added'],
    ['key-way-removed'],
    keyed,
    documentOf(secured('key', 'bearer'), schemes),
  ],
  ['a scheme of another name', [], [], keyed, documentOf(secured('renamed'), schemes)],
  ['scopes', ['scope-added'], ['scope-removed'], documentOf({}), documentOf({ 'x-required-scopes': ['a'] })],
  [
    'scopes of OAuth',
    ['scope-added'],
    ['scope-removed'],
    keyed,
    documentOf({ security: [{ key: ['read'] }] }, schemes),
  ],
  ['a limit', ['limit-lowered'], ['limit-raised'], documentOf({}), documentOf({ 'x-rate-limit-per-minute': 5 })],
  [
    'a limit that changes',
    ['limit-lowered'],
    ['limit-raised'],
    documentOf({ 'x-rate-limit-per-minute': 6 }),
    documentOf({ 'x-rate-limit-per-minute': 5 }),
  ],
  [
    'a limit of the body',
    ['body-limit-lowered'],
    ['body-limit-raised'],
    documentOf({}),
    documentOf({ 'x-body-bytes-max': 9 }),
  ],
  [
    'policies',
    ['policy-added', 'policy-removed'],
    ['policy-added', 'policy-removed'],
    documentOf({ 'x-policies': ['a', 'b'] }),
    documentOf({ 'x-policies': ['b', 'c'] }),
  ],
  [
    'the order of policies',
    ['policies-reordered'],
    ['policies-reordered'],
    documentOf({ 'x-policies': ['a', 'b'] }),
    documentOf({ 'x-policies': ['b', 'a'] }),
  ],
  ['an exemption', ['limit-raised'], ['limit-lowered'], documentOf({}), documentOf({ 'x-rate-limit': 'exempt' })],

  ['a parameter', ['parameter-added'], ['parameter-removed'], documentOf({}), withParameter(q)],
  [
    'a required parameter',
    ['parameter-added-required'],
    ['parameter-removed'],
    documentOf({}),
    withParameter({ ...q, required: true }),
  ],
  [
    'whether a parameter is required',
    ['parameter-required'],
    ['parameter-optional'],
    withParameter(q),
    withParameter({ ...q, required: true }),
  ],
  [
    'the style of a parameter',
    ['parameter-style-changed'],
    ['parameter-style-changed'],
    withParameter(q),
    withParameter({ ...q, explode: false }),
  ],
  [
    'whether a parameter may be empty',
    ['parameter-empty-allowed'],
    ['parameter-empty-refused'],
    withParameter(q),
    withParameter({ ...q, allowEmptyValue: true }),
  ],
  [
    'a deprecated parameter',
    ['parameter-deprecated'],
    ['parameter-restored'],
    withParameter(q),
    withParameter({ ...q, deprecated: true }),
  ],
  [
    'the name of a path parameter',
    ['parameter-renamed', 'operation-id-changed'].slice(0, 1) as Rule[],
    ['parameter-renamed'],
    documentOf({}, { paths: { '/{a}': { parameters: [{ name: 'a', in: 'path' }], get: { responses: {} } } } }),
    documentOf({}, { paths: { '/{b}': { parameters: [{ name: 'b', in: 'path' }], get: { responses: {} } } } }),
  ],
  [
    'the source of a parameter',
    ['parameter-removed', 'parameter-added'],
    ['parameter-removed', 'parameter-added'],
    withParameter({ ...q, in: 'header' }),
    withParameter({ ...q, in: 'cookie' }),
  ],
  [
    'the case of a header',
    [],
    [],
    withParameter({ ...q, in: 'header' }),
    withParameter({ ...q, name: 'Q', in: 'header' }),
  ],

  ['a body', ['body-added'], ['body-removed'], documentOf({}), documentOf({ requestBody: body })],
  [
    'a required body',
    ['body-added-required'],
    ['body-removed'],
    documentOf({}),
    documentOf({ requestBody: { ...body, required: true } }),
  ],
  [
    'whether a body is required',
    ['body-required'],
    ['body-optional'],
    documentOf({ requestBody: body }),
    documentOf({ requestBody: { ...body, required: true } }),
  ],
  [
    'a media type of requests',
    ['request-media-type-added'],
    ['request-media-type-removed'],
    documentOf({ requestBody: body }),
    documentOf({ requestBody: { content: { 'application/json; charset=utf-8': {}, 'text/plain': {} } } }),
  ],

  [
    'a type',
    ['request-type-widened'],
    ['request-type-narrowed'],
    inRequest({ type: 'integer' }),
    inRequest({ type: 'number' }),
  ],
  [
    'a type among several',
    ['request-type-widened'],
    ['request-type-narrowed'],
    inRequest({ type: 'string' }),
    inRequest({ type: ['string', 'integer'] }),
  ],
  ['any type', ['request-type-widened'], ['request-type-narrowed'], inRequest({ type: 'string' }), inRequest({})],
  [
    'another type',
    ['request-type-changed'],
    ['request-type-changed'],
    inRequest({ type: 'string' }),
    inRequest({ type: 'integer' }),
  ],
  [
    'null',
    ['request-null-allowed'],
    ['request-null-refused'],
    inRequest({ type: 'string' }),
    inRequest({ type: ['string', 'null'] }),
  ],
  [
    'null as a choice',
    ['request-null-allowed'],
    ['request-null-refused'],
    inRequest({ type: 'string' }),
    inRequest({ anyOf: [{ type: 'string' }, { type: 'null' }] }),
  ],
  [
    'values',
    ['request-enum-widened'],
    ['request-enum-narrowed'],
    inRequest({ enum: ['a'] }),
    inRequest({ enum: ['a', 'b'] }),
  ],
  [
    'any value',
    ['request-enum-widened'],
    ['request-enum-narrowed'],
    inRequest({ type: 'string', const: 'a' }),
    inRequest({ type: 'string' }),
  ],
  [
    'a bound',
    ['request-bound-widened'],
    ['request-bound-narrowed'],
    inRequest({ minimum: 2 }),
    inRequest({ minimum: 1 }),
  ],
  [
    'an upper bound',
    ['request-bound-narrowed'],
    ['request-bound-widened'],
    inRequest({ maxLength: 9 }),
    inRequest({ maxLength: 8 }),
  ],
  [
    'a bound and its exclusion',
    ['request-bound-narrowed'],
    ['request-bound-widened'],
    inRequest({ minimum: 1 }),
    inRequest({ exclusiveMinimum: 1 }),
  ],
  [
    'multiples',
    ['request-bound-widened'],
    ['request-bound-narrowed'],
    inRequest({ multipleOf: 4 }),
    inRequest({ multipleOf: 2 }),
  ],
  [
    'other multiples',
    ['request-rule-changed'],
    ['request-rule-changed'],
    inRequest({ multipleOf: 2 }),
    inRequest({ multipleOf: 3 }),
  ],
  [
    'repetition',
    ['request-bound-widened'],
    ['request-bound-narrowed'],
    inRequest({ uniqueItems: true }),
    inRequest({}),
  ],
  ['a format', ['request-format-narrowed'], ['request-format-widened'], inRequest({}), inRequest({ format: 'date' })],
  [
    'a wider format',
    ['request-format-widened'],
    ['request-format-narrowed'],
    inRequest({ format: 'int32' }),
    inRequest({ format: 'int64' }),
  ],
  [
    'another format',
    ['request-format-changed'],
    ['request-format-changed'],
    inRequest({ format: 'date' }),
    inRequest({ format: 'uuid' }),
  ],
  ['a pattern', ['request-pattern-narrowed'], ['request-pattern-widened'], inRequest({}), inRequest({ pattern: 'a' })],
  [
    'another pattern',
    ['request-pattern-changed'],
    ['request-pattern-changed'],
    inRequest({ pattern: 'b' }),
    inRequest({ pattern: 'a' }),
  ],
  [
    'a field',
    ['request-field-added'],
    ['request-field-removed'],
    inRequest({ type: 'object' }),
    inRequest({ type: 'object', properties: { a: {} } }),
  ],
  [
    'a required field',
    ['request-field-required', 'request-field-added'],
    ['request-field-removed'],
    inRequest({}),
    inRequest({ required: ['a'], properties: { a: {} } }),
  ],
  [
    'whether a field is required',
    ['request-field-required'],
    ['request-field-optional'],
    inRequest({ properties: { a: {} } }),
    inRequest({ required: ['a'], properties: { a: {} } }),
  ],
  [
    'a field that only responses have',
    [],
    [],
    inRequest({}),
    inRequest({ required: ['id'], properties: { id: { type: 'integer', readOnly: true } } }),
  ],
  [
    'other fields',
    ['request-more-refused'],
    ['request-more-allowed'],
    inRequest({}),
    inRequest({ additionalProperties: false }),
  ],
  [
    'a choice',
    ['request-choice-added'],
    ['request-choice-removed'],
    inRequest({
      oneOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    }),
    inRequest({ oneOf: ['a', 'b', 'c'].map((name) => ({ type: 'object', required: [name] })) }),
  ],
  [
    'one that becomes a choice',
    ['request-choice-added'],
    ['request-choice-removed'],
    inRequest({ type: 'object', required: ['a'] }),
    inRequest({ oneOf: [{ type: 'object', required: ['a'] }, { type: 'string' }] }),
  ],
  [
    'a default',
    ['request-default-changed'],
    ['request-default-changed'],
    inRequest({ default: 1 }),
    inRequest({ default: 2 }),
  ],
  [
    'a rule',
    ['request-rule-changed'],
    ['request-rule-changed'],
    inRequest({ not: { const: 1 } }),
    inRequest({ not: { const: 2 } }),
  ],

  ['a success', ['success-added'], ['success-removed'], answered('200'), answered('200', '201')],
  ['an error', ['error-added'], ['error-removed'], answered('200'), answered('200', '404')],
  ['a status within a range', [], [], answered('200', '201'), answered('2XX')],
  [
    'a media type of responses',
    ['answer-media-type-added'],
    ['answer-media-type-removed'],
    documentOf({ responses: { 200: { content: { 'text/csv': {} } } } }),
    documentOf({ responses: { 200: { content: { 'text/csv': {}, 'application/json': {} } } } }),
  ],
  [
    'a header of responses',
    ['answer-header-added'],
    ['answer-header-removed'],
    answered('200'),
    documentOf({ responses: { 200: { description: '', headers: { 'X-Next': { required: true, schema: {} } } } } }),
  ],
  [
    'an optional header',
    ['answer-header-added'],
    ['answer-header-left-out'],
    answered('200'),
    documentOf({ responses: { 200: { description: '', headers: { 'X-Next': { schema: {} } } } } }),
  ],
  [
    'whether a header is always sent',
    ['answer-header-required'],
    ['answer-header-optional'],
    documentOf({ responses: { 200: { description: '', headers: { 'X-Next': { schema: {} } } } } }),
    documentOf({ responses: { 200: { description: '', headers: { 'X-Next': { required: true, schema: {} } } } } }),
  ],
  [
    'the data of events',
    ['answer-type-widened'],
    ['answer-type-narrowed'],
    withEvents({ type: 'integer' }),
    withEvents({ type: 'number' }),
  ],
  [
    'any media type that becomes one',
    ['request-media-type-removed'],
    ['request-media-type-added', 'answer-media-type-added'],
    documentOf({ requestBody: { content: { '*/*': {} } }, responses: { 200: { content: { 'text/*': {} } } } }),
    documentOf({ requestBody: { content: { 'text/csv': {} } }, responses: { 200: { content: { 'text/csv': {} } } } }),
  ],

  [
    'a response type',
    ['answer-type-widened'],
    ['answer-type-narrowed'],
    inAnswer({ type: 'integer' }),
    inAnswer({ type: 'number' }),
  ],
  [
    'another response type',
    ['answer-type-changed'],
    ['answer-type-changed'],
    inAnswer({ type: 'string' }),
    inAnswer({ type: 'array' }),
  ],
  [
    'null in a response',
    ['answer-null-allowed'],
    ['answer-null-refused'],
    inAnswer({ type: 'string' }),
    inAnswer({ type: ['string', 'null'] }),
  ],
  [
    'response values',
    ['answer-enum-widened'],
    ['answer-enum-narrowed'],
    inAnswer({ enum: ['a'] }),
    inAnswer({ enum: ['a', 'b'] }),
  ],
  [
    'a response bound',
    ['answer-bound-widened'],
    ['answer-bound-narrowed'],
    inAnswer({ maximum: 2 }),
    inAnswer({ maximum: 3 }),
  ],
  [
    'a response format',
    ['answer-format-narrowed'],
    ['answer-format-widened'],
    inAnswer({}),
    inAnswer({ format: 'date' }),
  ],
  [
    'another response format',
    ['answer-format-changed'],
    ['answer-format-changed'],
    inAnswer({ format: 'uuid' }),
    inAnswer({ format: 'date' }),
  ],
  [
    'a response pattern',
    ['answer-pattern-narrowed'],
    ['answer-pattern-widened'],
    inAnswer({}),
    inAnswer({ pattern: 'a' }),
  ],
  [
    'another response pattern',
    ['answer-pattern-changed'],
    ['answer-pattern-changed'],
    inAnswer({ pattern: 'b' }),
    inAnswer({ pattern: 'a' }),
  ],
  [
    'a response field',
    ['answer-field-added'],
    ['answer-field-removed'],
    inAnswer({}),
    inAnswer({ required: ['a'], properties: { a: { type: 'string' } } }),
  ],
  [
    'an optional response field',
    ['answer-field-optional'],
    ['answer-field-required'],
    inAnswer({ required: ['a'], properties: { a: {} } }),
    inAnswer({ properties: { a: {} } }),
  ],
  [
    'other response fields',
    ['answer-more-refused'],
    ['answer-more-allowed'],
    inAnswer({}),
    inAnswer({ additionalProperties: false }),
  ],
  [
    'a response choice',
    ['answer-choice-added'],
    ['answer-choice-removed'],
    inAnswer({
      anyOf: [
        { type: 'object', title: 'A' },
        { type: 'object', required: ['b'] },
      ],
    }),
    inAnswer({
      anyOf: [
        { type: 'object', title: 'A' },
        { type: 'object', required: ['b'] },
        { type: 'object', required: ['c'] },
      ],
    }),
  ],
  [
    'a response keyword',
    ['answer-rule-changed'],
    ['answer-rule-changed'],
    inAnswer({ not: { const: 1 } }),
    inAnswer({ not: { const: 2 } }),
  ],
];

const rulesOf = (old: unknown, next: unknown) => diffDocuments(old, next).changes.map(({ rule }) => rule);

/** Rules that only configurations have. */
const ofConfigurations =
  /^(router|tool|page|plan|keys|key-scopes|key-expires|key-plan|issuer|setting|protocol|address|service|upstream|cache|usage)-|^policy-changed$/;

describe('diffDocuments', () => {
  it.each(cases)('reports %s and its reverse', (_, there, back, old, next) => {
    expect(rulesOf(old, next).sort()).toEqual([...there].sort());
    expect(rulesOf(next, old).sort()).toEqual([...back].sort());
  });

  it('has a test for every rule of documents', () => {
    const tested = new Set(cases.flatMap(([, there, back]) => [...there, ...back]));
    const known = (Object.keys(rules) as Rule[]).filter((rule) => !ofConfigurations.test(rule));
    expect(known.filter((rule) => !tested.has(rule))).toEqual([]);
  });

  it('returns operation, part and text', () => {
    const tagged = (schema: Json) =>
      inAnswer({ type: 'array', items: { type: 'object', properties: { tag: schema }, additionalProperties: schema } });
    expect(diffDocuments(tagged({ type: 'integer' }), tagged({ type: 'string' }))).toEqual({
      changes: [
        {
          kind: 'breaking',
          rule: 'answer-type-changed',
          operation: 'GET /a',
          part: 'answer 200 /[]/tag',
          text: 'integer became string',
        },
        expect.objectContaining({ part: 'answer 200 /[]/{}' }),
      ],
      summary: { breaking: 2, policy: 0, relaxation: 0, addition: 0, note: 0 },
    });
  });

  it('sorts by kind, worst first, then by path', () => {
    const old = paths('/b', '/a');
    const next = { ...paths('/c'), servers: [{ url: '/v2' }] };
    expect(diffDocuments(old, next).changes.map(({ kind, operation }) => `${kind} ${operation}`)).toEqual([
      'breaking ',
      'breaking GET /a',
      'breaking GET /b',
      'addition ',
      'addition GET /c',
    ]);
  });

  it('follows references, allOf and recursion, and compares 3.0 with 3.1', () => {
    const node = {
      type: 'object',
      properties: { next: { $ref: '#/components/schemas/Node' }, n: { type: 'integer' } },
    };
    const recursive = (Node: Json) => ({
      ...inAnswer({ $ref: '#/components/schemas/Node' }),
      components: { schemas: { Node } },
    });
    const spread = recursive({
      allOf: [
        { type: 'object', properties: { next: { allOf: [{ $ref: '#/components/schemas/Node' }] } } },
        { properties: { n: { type: 'integer' } } },
      ],
    });
    expect(rulesOf(recursive(node), spread)).toEqual([]);
    expect(
      rulesOf(recursive(node), recursive({ ...node, properties: { ...node.properties, n: { type: 'string' } } })),
    ).toEqual(['answer-type-changed']);
    const old = {
      ...inAnswer({ type: 'string', nullable: true, minimum: 1, exclusiveMinimum: true }),
      openapi: '3.0.3',
    };
    expect(rulesOf(old, inAnswer({ type: ['string', 'null'], exclusiveMinimum: 1 }))).toEqual([]);
    const endless = inAnswer({ $ref: '#/components/schemas/A' });
    const A = {
      anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'string' }],
      allOf: [{ $ref: '#/components/schemas/A' }],
    };
    expect(
      rulesOf({ ...endless, components: { schemas: { A } } }, { ...endless, components: { schemas: { A } } }),
    ).toEqual([]);
  });

  it('rejects anything but OpenAPI 3 documents', () => {
    expect(() => diffDocuments({ swagger: '2.0' }, {})).toThrow('The old document is Swagger "2.0"');
    expect(() => diffDocuments(documentOf({}), null)).toThrow('The new document is not an object');
  });
});

describe('a document and itself', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  it.each([
    '../../specs/staff/gen/openapi.json',
    '../../specs/gateway/gen/openapi.json',
    'test/documents/petstore.yaml',
  ])('do not differ: %s', (path) => {
    const document = parse(read(path));
    expect(diffDocuments(document, structuredClone(document)).changes).toEqual([]);
  });

  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(
        true,
        {},
        { type: 'string' },
        { $ref: '#/components/schemas/A' },
        { $ref: '#/components/schemas/B' },
      ),
      fc.record(
        {
          type: fc.oneof(fc.constantFrom('string', 'object', 'array', 'number'), fc.constant(['string', 'null'])),
          enum: fc.array(fc.oneof(fc.string(), fc.constant(null)), { minLength: 1, maxLength: 3 }),
          minimum: fc.integer(),
          exclusiveMaximum: fc.integer(),
          pattern: fc.constantFrom('a', 'b'),
          format: fc.constantFrom('date', 'int32'),
          required: fc.subarray(['a', 'b']),
          properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema')),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
          items: tie('schema'),
          allOf: fc.array(tie('schema'), { maxLength: 2 }),
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
          oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
          not: tie('schema'),
          readOnly: fc.boolean(),
          nullable: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  const whole = fc
    .record({ a: schema, b: schema, sent: schema, answered: schema, version: fc.constantFrom('3.0.3', '3.1.0') })
    .map(({ a, b, sent, answered: given, version }) => ({
      ...documentOf({
        parameters: [{ ...q, schema: sent }],
        requestBody: { content: { 'application/json': { schema: sent } } },
        responses: { 200: { content: { 'application/json': { schema: given } } } },
      }),
      openapi: version,
      components: { schemas: { A: a, B: b } },
    }));

  it('do not differ, for generated documents', () => {
    fc.assert(
      fc.property(whole, (document) => {
        expect(diffDocuments(document, JSON.parse(JSON.stringify(document))).changes).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('has the same differences every time, in both directions', () => {
    fc.assert(
      fc.property(whole, whole, (old, next) => {
        const { changes } = diffDocuments(old, next);
        expect(diffDocuments(old, next).changes).toEqual(changes);
        expect(diffDocuments(next, old).changes.length > 0).toBe(changes.length > 0);
      }),
      { numRuns: 100 },
    );
  });
});
