import { describe, expect, it } from 'vitest';
import { leastCpuMs } from '../../../../tools/workspace/cpu-costs.ts';
import type { Problem } from '../problem/index.ts';
import type { OpenApiDocument } from './openapi.ts';
import { createRequestChecks } from './request-validator.ts';
import { createDeclaredPaths, type Route } from './route.ts';

const Pet: { properties: Record<string, unknown>; [more: string]: unknown } = {
  type: 'object',
  required: ['age'],
  properties: { age: { type: 'integer' }, tags: { type: 'array' } },
};
const media = { schema: Pet };

function check(mediaType: string, value: unknown) {
  const content = {
    'application/json': media,
    'application/x-www-form-urlencoded': media,
    'multipart/form-data': media,
  };
  const document: OpenApiDocument = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: { '/a': { post: { operationId: 'a', security: [], requestBody: { content }, responses: {} } } },
  };
  const route = createDeclaredPaths(document)[0]?.routes[0] as Route;
  try {
    const parts = { path: {}, query: {}, body: value };
    return createRequestChecks(document)(route)({ headers: {}, rawHeaders: [], originalUrl: '/a' }, parts, {
      mediaType,
      value,
    }).body;
  } catch (error) {
    return (error as Problem).errors;
  }
}

describe('a body', () => {
  it('is validated as JSON without coercion', () => {
    expect(check('application/json', { age: 1 })).toEqual({ age: 1 });
    expect(check('application/json', { age: '1' })).toEqual([{ pointer: '/age', detail: 'must be integer' }]);
  });

  it('has no inherited members', () => {
    for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty']) {
      Pet.properties = { ...Pet.properties, [name]: { type: 'string' } };
      expect(check('application/json', { age: 1 })).toEqual({ age: 1 });
      expect(check('application/json', { age: 1, [name]: 2 })).toEqual([
        { pointer: `/${name}`, detail: 'must be string' },
      ]);
    }
  });

  it('is validated as a form, with numbers and lists coerced from text', () => {
    expect(check('application/x-www-form-urlencoded', { age: '1', tags: 'a' })).toEqual({ age: 1, tags: ['a'] });
    expect(check('application/x-www-form-urlencoded', { age: 'x' })).toEqual([
      { pointer: '/age', detail: 'must be integer' },
    ]);
  });

  it('is unchanged in a media type that is not parsed', () => {
    const bytes = Buffer.from('--x--');
    expect(check('multipart/form-data', bytes)).toBe(bytes);
  });
});

it('reports the first fault of a long body in linear time', () => {
  const schema = {
    type: 'object',
    properties: { pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
  };
  const document: OpenApiDocument = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    components: { schemas: { Pet } },
    paths: {
      '/a': {
        post: {
          operationId: 'a',
          security: [],
          requestBody: { content: { 'application/json': { schema } } },
          responses: {},
        },
      },
    },
  };
  const validate = createRequestChecks(document)(createDeclaredPaths(document)[0]?.routes[0] as Route);
  const faultsOf = (count: number) => {
    const value = { pets: Array<object>(count).fill({}) };
    const body = { mediaType: 'application/json', value, length: JSON.stringify(value).length };
    try {
      validate({ headers: {}, rawHeaders: [], originalUrl: '/a' }, { path: {}, query: {}, body: value }, body);
    } catch (error) {
      return (error as Problem).errors;
    }
    return undefined;
  };
  expect(faultsOf(3)).toHaveLength(3);
  const run = () =>
    expect(faultsOf(200_000)).toEqual([{ pointer: '/pets/0/age', detail: "must have required property 'age'" }]);
  // Quadratic time would be minutes.
  expect(leastCpuMs(run, { msMax: 1_000 })).toBeLessThan(1_000);
});

it('rejects a body where the schema only refers to itself', () => {
  const self = { $ref: '#/components/schemas/Self' };
  const content = { 'application/json': { schema: self } };
  const document: OpenApiDocument = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    components: { schemas: { Self: { anyOf: [{ type: 'integer' }, { not: self }] } } },
    paths: { '/a': { post: { operationId: 'a', security: [], requestBody: { content }, responses: {} } } },
  };
  const validate = createRequestChecks(document)(createDeclaredPaths(document)[0]?.routes[0] as Route);
  const body = { mediaType: 'application/json', value: 'x', length: 3 };
  expect(() =>
    validate({ headers: {}, rawHeaders: [], originalUrl: '/a' }, { path: {}, query: {}, body: 'x' }, body),
  ).toThrow(
    expect.objectContaining({ code: 'validation_failed', detail: expect.stringContaining('too many steps') }) as Error,
  );
});

it('reports a repeated parameter, unless it is a list', () => {
  const parameter = (name: string, type: string) => ({ name, in: 'query' as const, schema: { type, items: {} } });
  const document: OpenApiDocument = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': {
        get: {
          operationId: 'a',
          security: [],
          parameters: [parameter('one', 'string'), parameter('many', 'array')],
          responses: {},
        },
      },
    },
  };
  const route = createDeclaredPaths(document)[0]?.routes[0] as Route;
  const query = { one: ['x', 'y'], many: ['x', 'y'] };
  const run = () =>
    createRequestChecks(document)(route)(
      { headers: {}, rawHeaders: [], originalUrl: '/a?one=x&one=y&many=x&many=y' },
      { path: {}, query, body: undefined },
      undefined,
    );
  expect(run).toThrow(
    expect.objectContaining({ errors: [{ parameter: 'one', detail: 'is given more than once' }] }) as Error,
  );
});

describe('a parameter', () => {
  const checkParameter = (
    parameter: object,
    originalUrl: string,
    parts: { query?: Record<string, string>; header?: string },
  ) => {
    const document = {
      openapi: '3.0.3',
      info: { title: 'T', version: '1' },
      paths: { '/a': { get: { operationId: 'a', security: [], parameters: [parameter], responses: {} } } },
    } as unknown as OpenApiDocument;
    const route = createDeclaredPaths(document)[0]?.routes[0] as Route;
    const request = {
      headers: parts.header === undefined ? {} : { 'if-match': parts.header },
      rawHeaders: [],
      originalUrl,
    };
    const { query = {} } = parts;
    try {
      return createRequestChecks(document)(route)(request, { path: {}, query, body: undefined }, undefined).query;
    } catch (error) {
      return (error as Problem).errors;
    }
  };
  const text = { name: 'text', in: 'query', schema: { type: 'string' } };

  it('reads a plus in a query as a space, and rejects reserved characters', () => {
    expect(checkParameter(text, '/a+b?text=two+words', { query: { text: 'two words' } })).toEqual({
      text: 'two words',
    });
    expect(checkParameter(text, '/a?text=two+words;', { query: { text: 'two words;' } })).toEqual([
      { parameter: 'text', detail: expect.stringContaining('url encoded') },
    ]);
  });

  it.each(['10:30', 'm@b.co', 'a/b', 'what?', 'http://a@b:80/c?d'])('accepts %s unencoded (RFC 3986 §3.4)', (value) => {
    for (const [query, parameter] of [
      [`text=${value}`, text],
      // Only the validator decides on a parameter with alternatives.
      [`text=${value}`, { ...text, schema: { anyOf: [{ type: 'string' }] } }],
      [`text=${value}`, { ...text, schema: { type: 'array', items: { type: 'string' } }, explode: false }],
    ] as const) {
      const { text: accepted } = checkParameter(parameter, `/a?${query}`, { query: { text: value } }) as {
        text: unknown;
      };
      expect([accepted].flat()).toEqual([value]);
    }
  });

  it('is rejected for its form with an example from the contract, where there is one', () => {
    const schema = { type: 'string', pattern: '^"[0-9]+"$' };
    const header = { name: 'If-Match', in: 'header', schema };
    const rejected = (parameter: object) => checkParameter(parameter, '/a', { header: '7' });
    expect(rejected({ ...header, example: '"7"' })).toEqual([
      { header: 'If-Match', detail: 'must have the form of "7"' },
    ]);
    expect(rejected({ ...header, schema: { ...schema, example: '"8"' } })).toEqual([
      { header: 'If-Match', detail: 'must have the form of "8"' },
    ]);
    expect(rejected(header)).toEqual([{ header: 'If-Match', detail: expect.stringContaining('must match pattern') }]);
  });
});

describe('a recursive schema', () => {
  const node = { $ref: '#/components/schemas/Node' };
  const withChild = { type: 'object', properties: { child: node } };
  const schemas: Record<string, Record<string, unknown>> = {
    'through allOf': { Node: { allOf: [{ $ref: '#/components/schemas/Base' }, withChild] }, Base: withChild },
    'through an alias': {
      Node: { $ref: '#/components/schemas/Alias' },
      Alias: { allOf: [withChild, { properties: { child: node } }] },
    },
    'through a reference into a component': {
      Node: { properties: { child: { $ref: '#/components/schemas/Holder/properties/inner' } } },
      Holder: {
        properties: {
          inner: {
            allOf: Array(2).fill({ properties: { child: { $ref: '#/components/schemas/Holder/properties/inner' } } }),
          },
        },
      },
    },
    'through properties and patternProperties': { Node: { ...withChild, patternProperties: { '^c': node } } },
    'through properties and additionalProperties': {
      Node: { allOf: [withChild, { type: 'object', additionalProperties: node }] },
    },
  };
  const checkOf = (components: Record<string, unknown>) => {
    const content = { 'application/json': { schema: node } };
    const document = {
      openapi: '3.0.3',
      info: { title: 'T', version: '1' },
      components: { schemas: components },
      paths: { '/a': { post: { operationId: 'a', security: [], requestBody: { content }, responses: {} } } },
    } as unknown as OpenApiDocument;
    const validate = createRequestChecks(document)(createDeclaredPaths(document)[0]?.routes[0] as Route);
    return (text: string) => {
      const value = JSON.parse(text) as unknown;
      const body = { mediaType: 'application/json', value, length: text.length };
      return validate({ headers: {}, rawHeaders: [], originalUrl: '/a' }, { path: {}, query: {}, body: value }, body)
        .body;
    };
  };
  const nested = (depth: number) => `${'{"child":'.repeat(depth)}{}${'}'.repeat(depth)}`;

  it.each(Object.keys(schemas))('that refers to itself twice %s is checked in bounded time', (name) => {
    const validate = checkOf(schemas[name] as Record<string, unknown>);
    expect(validate(nested(8))).toEqual(JSON.parse(nested(8)));
    const reject = () =>
      expect(() => validate(nested(25))).toThrow(
        expect.objectContaining({ detail: expect.stringContaining('too many steps') }) as Error,
      );
    expect(leastCpuMs(reject, { msMax: 300 })).toBeLessThan(300);
  });

  it.each([100_000, 600_000])('counts the characters of a text in bounded time for maxLength %d', (maxLength) => {
    const validate = checkOf({
      Node: { oneOf: [{ not: { properties: { d: { type: 'string', maxLength } } } }, node] },
    });
    const reject = () =>
      expect(() => validate(JSON.stringify({ d: 'a'.repeat(1_000_000) }))).toThrow(
        expect.objectContaining({ code: 'validation_failed' }) as Error,
      );
    expect(leastCpuMs(reject, { msMax: 500 })).toBeLessThan(500);
  });

  it.each([
    ['😀😀', { maxLength: 2, minLength: 2 }, undefined],
    ['😀😀', { maxLength: 1 }, 'must NOT have more than 1 characters'],
    ['😀a', { minLength: 3 }, 'must NOT have fewer than 3 characters'],
    ['', { minLength: 0, maxLength: 0 }, undefined],
    ['', { minLength: 1 }, 'must NOT have fewer than 1 characters'],
    ['a', { maxLength: 0 }, 'must NOT have more than 0 characters'],
  ])('counts characters in %j for %j', (text, limits, detail) => {
    const validate = checkOf({ Node: { type: 'object', properties: { d: { type: 'string', ...limits } } } });
    const run = () => validate(JSON.stringify({ d: text }));
    if (detail === undefined) expect(run).not.toThrow();
    else expect(run).toThrow(expect.objectContaining({ errors: [{ pointer: '/d', detail }] }) as Error);
  });

  it('may be checked more often for a body of many values than for one of a long text', () => {
    const validate = checkOf(schemas['through allOf'] as Record<string, unknown>);
    const bodyOf = (beside: unknown) => `{"child":${nested(17)},"beside":${JSON.stringify(beside)}}`;
    expect(() => validate(bodyOf(Array(500_000).fill(1)))).not.toThrow();
    expect(() => validate(bodyOf('a'.repeat(1_000_000)))).toThrow(
      expect.objectContaining({ detail: expect.stringContaining('too many steps') }) as Error,
    );
  });

  it('accepts any body whose values it checks once', () => {
    const validate = checkOf({
      Node: { type: 'object', properties: { id: { type: 'integer' }, children: { type: 'array', items: node } } },
    });
    const list = `{"children":[${Array.from({ length: 10_000 }, (_, id) => `{"id":${id},"children":[]}`).join(',')}]}`;
    const dense = `{"children":[${Array(500_000).fill('{}').join(',')}]}`;
    const values = checkOf({ Node: { anyOf: [{ type: 'integer' }, { type: 'array', items: node }] } });
    expect(() => values(`[${Array(500_000).fill('1').join(',')}]`)).not.toThrow();
    const deep = '{"children":['.repeat(400) + ']}'.repeat(400);
    for (const text of [list, dense, deep]) expect(() => validate(text)).not.toThrow();
  });
});

it('accepts undeclared query parameters only with names that the operation allows', () => {
  const document: OpenApiDocument = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': {
        get: {
          ...{ operationId: 'a', security: [], responses: {}, 'x-query-names': '^@' },
          parameters: [{ name: 'one', in: 'query', schema: { type: 'integer' } }],
        },
      },
    },
  };
  const validate = createRequestChecks(document)(createDeclaredPaths(document)[0]?.routes[0] as Route);
  const read = (query: Record<string, unknown>) =>
    validate({ headers: {}, rawHeaders: [], originalUrl: '/a' }, { path: {}, query, body: undefined }, undefined).query;
  expect(read({ one: '1', '@n': "'x'", '@m': ['1', '2'] })).toEqual({ one: 1, '@n': "'x'", '@m': ['1', '2'] });
  const faults = [
    { parameter: 'n', detail: expect.stringContaining('is not a parameter') },
    { parameter: 'one', detail: 'must be integer' },
  ];
  expect(() => read({ one: 'x', '@n': '1', n: '2' })).toThrow(expect.objectContaining({ errors: faults }) as Error);
});
