import { readFileSync } from 'node:fs';
import { parse } from 'node:querystring';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Problem } from '../problem/index.ts';
import { createFastPathCheck } from './fast-path-check.ts';
import type { OpenApiDocument, ParameterObject } from './openapi.ts';
import { type CheckRequest, createRequestChecks } from './request-validator.ts';
import { createDeclaredPaths, type Route } from './route.ts';

interface SentRequest {
  readonly path: Readonly<Record<string, string>>;
  /** As the client writes it. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Returns the values or the faults of a request. */
function outcomeOf(check: CheckRequest, { path, query, headers }: SentRequest) {
  const parts = { path: { ...path }, query: parse(query, '&', '=', { maxKeys: 0 }), body: undefined };
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => [name, one ?? '']),
  );
  try {
    const checked = check(
      { headers, rawHeaders, originalUrl: `/a${query === '' ? '' : `?${query}`}` },
      parts,
      undefined,
    );
    const { header, cookie } = checked;
    return {
      path: checked.path,
      query: { ...checked.query },
      ...(header && { header: { ...header } }),
      ...(cookie && { cookie: { ...cookie } }),
    };
  } catch (error) {
    return { errors: (error as Problem).errors ?? error };
  }
}

/** Returns the checks of a route with and without the fast path, and how many requests took it. */
function bothChecks(document: OpenApiDocument, route: Route, readsFields = false) {
  const count = { passed: 0 };
  const both = createRequestChecks(document, (...args) => {
    const fastPath = createFastPathCheck(...args);
    return (
      fastPath &&
      ((req, parts) => {
        const isValid = fastPath(req, parts);
        if (isValid) count.passed++;
        return isValid;
      })
    );
  })(route, { readsFields });
  return { both, validator: createRequestChecks(document, () => undefined)(route, { readsFields }), count };
}

const text = fc.oneof(
  fc.constantFrom('S-1', 'Tags', 'Tags,Skillset', "LastName eq 'O''Neil'", '0', '-1', '7', '007', '1e3', '1.5', '0x10'),
  fc.constantFrom(
    'true',
    'false',
    'TRUE',
    '',
    ' ',
    '+',
    ',',
    'a,b',
    'null',
    '2024-01-01',
    '2024-01-01T00:00:00Z',
    '[]',
  ),
  fc.integer().map(String),
  fc.double().map(String),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom(16_384, 16_385, 200, 201).map((length) => 'x'.repeat(length)),
);

/** A value in a query, encoded in one of the usual ways. */
const written = fc.oneof(
  text.map(encodeURIComponent),
  text.map((value) => encodeURIComponent(value).replaceAll('%20', '+')),
  text.map((value) => value.replaceAll(/[&#%\s]|[^\x21-\x7e]/gu, encodeURIComponent)),
);

function headerValue(value: string): string {
  return value.replaceAll(/[^\x20-\x7e]/g, '');
}

/** Likely values of a parameter, most of them valid. */
function likely({ schema = {}, ...rest }: ParameterObject): fc.Arbitrary<string> {
  const { type, pattern, items } = schema as { type?: string; pattern?: string; items?: { enum?: string[] } };
  const example = rest.example ?? (schema as { example?: unknown }).example;
  // Other values hardly ever match a pattern.
  if (pattern !== undefined && example !== undefined) return fc.constant(String(example));
  const known = type === 'boolean' ? ['true', 'false'] : (items?.enum ?? ['Tags', 'S-1', 'ab', '1', '3']);
  const list = fc.array(fc.constantFrom(...known), { minLength: 1, maxLength: 3 }).map((values) => values.join(','));
  const one = type === 'integer' || type === 'number' ? fc.nat(5).map(String) : fc.constantFrom(...known);
  return example === undefined ? fc.oneof(one, list) : fc.oneof(one, list, fc.constant(String(example)));
}

/** Requests with these parameters, most of them nearly valid. */
function requestsOf(parameters: readonly ParameterObject[]): fc.Arbitrary<SentRequest> {
  const placed = (place: string) => parameters.filter((p) => p.in === place);
  const otherName = fc.constantFrom(
    'unknown',
    'a[b]',
    '__proto__',
    'constructor',
    '',
    ...parameters.map((p) => p.name),
  );
  const pairOf = (name: string, isEncoded: boolean, value: string) =>
    `${isEncoded ? encodeURIComponent(name) : name}=${value}`;
  const declared = placed('query').map((parameter) =>
    fc.option(
      fc.tuple(
        fc.constant(parameter.name),
        fc.boolean(),
        fc.oneof({ weight: 4, arbitrary: likely(parameter) }, written),
      ),
      { freq: parameter.required === true ? 9 : 1 },
    ),
  );
  const others = fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    fc.array(fc.tuple(otherName, fc.boolean(), written), { maxLength: 2 }),
  );
  return fc.record({
    path: fc.record(Object.fromEntries(placed('path').map((p) => [p.name, text]))),
    query: fc
      .tuple(fc.tuple(...declared), others)
      .map(([usual, more]) =>
        [...usual.filter((pair) => pair !== null), ...more].map((pair) => pairOf(...pair)).join('&'),
      ),
    headers: fc
      .tuple(fieldsOf(placed('header')), cookiesOf(placed('cookie')))
      .map(([fields, cookie]) => ({ ...fields, ...(cookie === '' ? {} : { cookie }) })),
  });
}

/** Header fields; some are repeated. */
function fieldsOf(parameters: readonly ParameterObject[]): fc.Arbitrary<SentRequest['headers']> {
  return fc.record(
    Object.fromEntries(
      parameters.map((p) => [
        p.name.toLowerCase(),
        fc.oneof(likely(p), text.map(headerValue), fc.constant<string[]>(['a', 'b'])),
      ]),
    ),
    { requiredKeys: [] },
  );
}

/** A Cookie header; some cookies are repeated. */
function cookiesOf(parameters: readonly ParameterObject[]): fc.Arbitrary<string> {
  const names = fc.constantFrom('other', ...parameters.map((p) => p.name));
  const declared = parameters.map((p) =>
    fc.option(fc.oneof(likely(p), text.map(encodeURIComponent)).map((value) => `${p.name}=${value}`)),
  );
  const others = fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    fc.array(
      fc.tuple(names, text.map(encodeURIComponent)).map((pair) => pair.join('=')),
      { maxLength: 2 },
    ),
  );
  return fc
    .tuple(fc.tuple(...declared), others)
    .map(([usual, more]) => [...usual.filter((pair) => pair !== null), ...more].join('; '));
}

const contracts = ['staff/gen/openapi.json', 'staff/gen/proxy.openapi.json', 'gateway/gen/openapi.json'];

describe.each(contracts)('the fast-path check of %s', (file) => {
  const document = JSON.parse(
    readFileSync(new URL(`../../../../specs/${file}`, import.meta.url), 'utf8'),
  ) as OpenApiDocument;
  const routes = createDeclaredPaths(document).flatMap((path) => path.routes);

  test.each(
    routes.filter(({ parameters }) => parameters.length > 0).map((route) => [route.operationId, route] as const),
  )('agrees with the validator on %s, with the same values', (_, route) => {
    const { both, validator, count } = bothChecks(document, route);
    fc.assert(
      fc.property(requestsOf(route.parameters), (request) => {
        expect(outcomeOf(both, request)).toEqual(outcomeOf(validator, request));
      }),
      { numRuns: runs },
    );
    // A check that never passes would agree as well. Objects are left to the validator.
    const hasObject = route.parameters.some(({ schema }) => (schema as { type?: unknown }).type === 'object');
    if (hasObject) expect(count.passed).toBe(0);
    else expect(count.passed).toBeGreaterThan(runs / 10);
  });
});

const runs = 300;

const bound = fc.integer({ min: 0, max: 4 });

/** Schemas with supported and unsupported keywords. */
const schema: fc.Arbitrary<object> = fc.oneof(
  fc.record(
    {
      type: fc.constant('string'),
      minLength: bound,
      maxLength: bound,
      pattern: fc.constantFrom('^[a-z]+$', '^.$', '\\d'),
      enum: fc.constant(['Tags', 'S-1', '0', 'true']),
      format: fc.constantFrom('date', 'uuid', 'int32'),
      nullable: fc.boolean(),
      default: fc.constantFrom('Tags', 'x y', ''),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constantFrom('integer', 'number'),
      minimum: bound,
      maximum: fc.integer({ min: 3, max: 9 }),
      exclusiveMaximum: fc.boolean(),
      multipleOf: fc.constantFrom(2, 0.5),
      default: fc.constantFrom(0, 1, 7, 1.5),
    },
    { requiredKeys: ['type', 'maximum'] },
  ),
  fc.record({ type: fc.constant('boolean'), default: fc.boolean() }, { requiredKeys: ['type'] }),
  fc.record(
    {
      type: fc.constant('array'),
      items: fc.constantFrom<object>(
        { type: 'string' },
        { type: 'string', enum: ['Tags', 'Skillset', 'a', 'b'] },
        { type: 'integer' },
        { $ref: '#/components/schemas/Word' },
      ),
      minItems: bound,
      maxItems: bound,
      uniqueItems: fc.boolean(),
    },
    { requiredKeys: ['type', 'items'] },
  ),
  fc.constantFrom<object>(
    { $ref: '#/components/schemas/Word' },
    { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
    { type: 'object', properties: { a: { type: 'string' } } },
  ),
);

const parameter: fc.Arbitrary<ParameterObject> = fc
  .record(
    {
      name: fc.constantFrom('companyKey', '$top', 'color'),
      in: fc.constantFrom('query' as const, 'query' as const, 'header' as const, 'cookie' as const),
      schema,
      required: fc.boolean(),
      explode: fc.boolean(),
      allowReserved: fc.boolean(),
      allowEmptyValue: fc.boolean(),
    },
    { requiredKeys: ['name', 'in', 'schema'] },
  )
  .map(({ explode, ...rest }) => (rest.in !== 'query' || explode === undefined ? rest : { ...rest, explode }));

/** The parameter of an operation that accepts any query. */
const anyQuery: ParameterObject = {
  name: 'query',
  in: 'query',
  schema: { type: 'object', additionalProperties: true },
};

it('agrees with the validator on parameters of any kind', () => {
  const parameters = fc.uniqueArray(parameter, { minLength: 1, maxLength: 3, selector: (p) => p.name });
  const cases = parameters.chain((list) =>
    fc.tuple(
      fc.boolean(),
      fc.boolean().map((takesAnyQuery) => (takesAnyQuery ? [...list, anyQuery] : list)),
      fc.array(requestsOf(list), { minLength: 20, maxLength: 20 }),
    ),
  );
  let passed = 0;
  fc.assert(
    fc.property(cases, ([readsFields, list, requests]) => {
      const document: OpenApiDocument = {
        openapi: '3.0.3',
        info: { title: 'T', version: '1' },
        paths: { '/a': { get: { operationId: 'a', security: [], parameters: list, responses: {} } } },
        components: { schemas: { Word: { type: 'string', minLength: 2, pattern: '^[A-Za-z]+$' } } },
      };
      const { both, validator, count } = bothChecks(
        document,
        createDeclaredPaths(document)[0]?.routes[0] as Route,
        readsFields,
      );
      for (const request of requests) expect(outcomeOf(both, request)).toEqual(outcomeOf(validator, request));
      passed += count.passed;
    }),
    { numRuns: 150 },
  );
  expect(passed).toBeGreaterThan(20);
});

it('skips the validator for undeclared parameters that an operation accepts', () => {
  const key: ParameterObject = { name: 'key', in: 'path', required: true, schema: { type: 'string' } };
  const document: OpenApiDocument = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: { '/a/{key}': { get: { operationId: 'a', security: [], parameters: [key, anyQuery], responses: {} } } },
    components: {},
  };
  const { both, count } = bothChecks(document, createDeclaredPaths(document)[0]?.routes[0] as Route);
  const request = { path: { key: 'S-1' }, query: '$expand=Tags,Skillset&page=2', headers: {} };
  expect(outcomeOf(both, request)).toEqual({ path: { key: 'S-1' }, query: { $expand: 'Tags,Skillset', page: '2' } });
  expect(count.passed).toBe(1);
});
