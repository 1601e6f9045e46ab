import { parse } from 'node:querystring';
import { describe, expect, it } from 'vitest';
import { costRatio, leastCpuMs } from '../../../../tools/workspace/cpu-costs.ts';
import type { Problem } from '../problem/index.ts';
import { parseExactInteger, parseJsonNumber } from './number-texts.ts';
import type { OpenApiDocument } from './openapi.ts';
import { createRequestChecks } from './request-validator.ts';
import { createDeclaredPaths, type Route } from './route.ts';

const parameter = (name: string, place: string, schema: object, more: object = {}) => ({
  name,
  in: place,
  ...(place === 'path' ? { required: true } : {}),
  schema,
  ...more,
});

const document = {
  openapi: '3.0.3',
  info: { title: 'T', version: '1' },
  components: { schemas: { Size: { type: 'integer', minimum: 0, maximum: 1_000_000 } } },
  paths: {
    '/a/{p}': {
      post: {
        operationId: 'a',
        security: [],
        parameters: [
          parameter('p', 'path', { $ref: '#/components/schemas/Size' }),
          parameter('i', 'query', { type: 'integer', minimum: 0, maximum: 1_000_000 }),
          parameter('n', 'query', { type: 'number' }),
          parameter('b', 'query', { type: 'boolean' }),
          parameter('long', 'query', { type: 'integer', format: 'int64' }),
          parameter('either', 'query', { anyOf: [{ type: 'integer' }, { type: 'boolean' }] }),
          parameter('list', 'query', { type: 'array', items: { type: 'integer' } }, { style: 'form', explode: false }),
          parameter('many', 'query', { type: 'array', items: { type: 'integer' } }, { style: 'form', explode: true }),
          parameter(
            'deep',
            'query',
            { type: 'object', properties: { at: { type: 'integer' } } },
            { style: 'deepObject' },
          ),
          {
            name: 'json',
            in: 'query',
            content: { 'application/json': { schema: { type: 'object', properties: { at: { type: 'integer' } } } } },
          },
          parameter('X-Depth', 'header', { type: 'integer' }),
        ],
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: { type: 'object', properties: { count: { type: 'integer' } } },
            },
          },
        },
        responses: {},
      },
    },
  },
} as unknown as OpenApiDocument;

const route = createDeclaredPaths(document)[0]?.routes[0] as Route;

function check(request: { path?: string; query?: string; header?: string; form?: string }, forwardsTexts = false) {
  const { path = '1', query = '', header, form } = request;
  const value = form === undefined ? undefined : { ...parse(form) };
  try {
    return createRequestChecks(document)(route, { forwardsTexts })(
      {
        headers: header === undefined ? {} : { 'x-depth': header },
        rawHeaders: [],
        originalUrl: `/a/${path}?${query}`,
      },
      { path: { p: decodeURIComponent(path) }, query: parse(query), body: value },
      form === undefined ? undefined : { mediaType: 'application/x-www-form-urlencoded', value },
    );
  } catch (error) {
    return (error as Problem).errors;
  }
}

const noNumbers = ['Infinity', '-Infinity', 'NaN', '1e400', '0x10', '0b11', '0o7', '%205', '5%20', '%20', '%2B5', '.5'];

it.each(['0', '1'])('rejects a megabyte of %s as a number in linear time', (digit) => {
  const text = `1.${digit.repeat(1_000_000)}1`;
  const tooLong = 'is too long: send a number of at most 400 characters';
  const reject = () => {
    expect(check({ form: `count=1.${'0'.repeat(1_000_000)}1` })).toEqual([{ pointer: '/count', detail: tooLong }]);
    expect(check({ query: `n=${text}&list=1.${'0'.repeat(1_000_000)}1` })).toEqual([
      { parameter: 'n', detail: tooLong },
      { parameter: 'list', detail: `entry 1 ${tooLong}` },
    ]);
  };
  // Quadratic time would be minutes.
  expect(leastCpuMs(reject, { msMax: 2_000 })).toBeLessThan(2_000);
});

describe('a numeric parameter', () => {
  it.each([...noNumbers, '5.', '007', '1_0', 'true', ''])('rejects %s in the query', (text) => {
    for (const name of ['i', 'n', 'long', 'either', 'list', 'many', 'deep[at]']) {
      const faults = check({ query: `${encodeURIComponent(name)}=${text}` });
      if (name === 'either' && text === 'true') expect(faults).toMatchObject({ query: { either: true } });
      else expect(faults, name).toEqual(expect.arrayContaining([expect.objectContaining({ parameter: name })]));
    }
  });

  it.each(noNumbers)('rejects %s in the path, a header and a form', (text) => {
    expect(check({ path: text })).toEqual([{ parameter: 'p', detail: 'must be integer' }]);
    expect(check({ header: decodeURIComponent(text) })).toEqual([{ header: 'X-Depth', detail: 'must be integer' }]);
    expect(check({ form: `count=${text}` })).toEqual([{ pointer: '/count', detail: 'must be integer' }]);
  });

  it('rejects a text within a list and within JSON', () => {
    expect(check({ query: 'list=1,0x10' })).toEqual([{ parameter: 'list', detail: 'entry 2 must be integer' }]);
    expect(check({ query: 'many=1&many=%205' })).toEqual([{ parameter: 'many', detail: 'entry 2 must be integer' }]);
    expect(check({ query: `json=${encodeURIComponent('{"at":"0x10"}')}` })).toHaveLength(1);
  });

  it.each([
    ['i=12&n=-0.5&either=7&list=1,2&many=3', { i: 12, n: -0.5, either: 7, list: [1, 2], many: [3] }],
    ['i=1e2&n=1e2&long=1.0', { i: 100, n: 100, long: 1 }],
    ['long=9007199254740991&n=0.1000000000000000055', { long: 9007199254740991, n: 0.1 }],
    ['deep[at]=-4', { deep: { at: -4 } }],
  ])('accepts %s', (query, values) => {
    expect(check({ query })).toMatchObject({ query: values });
  });

  it.each(['9007199254740993', '1234567890123456789', '-9007199254740993', '1.0000000000000000001'])(
    'never rounds the integer %s',
    (text) => {
      expect(check({ query: `long=${text}` })).toEqual([
        { parameter: 'long', detail: expect.stringMatching(/integer/) },
      ]);
    },
  );

  it('accepts 400 characters', () => {
    expect(check({ query: `n=0.${'1'.repeat(398)}&i=1.${'0'.repeat(398)}` })).toMatchObject({ query: { i: 1 } });
  });

  it.each(['9007199254740993', '007', '-0012'])('accepts %s where the text is forwarded', (text) => {
    expect(check({ query: `long=${text}` }, true)).toHaveProperty('query');
  });

  it.each([...noNumbers, '00x1', '1.5'])('also rejects %s where the text is forwarded', (text) => {
    expect(check({ query: `long=${text}` }, true)).toEqual([{ parameter: 'long', detail: 'must be integer' }]);
  });
});

it.each(['TRUE', '1', '0', '%20true', 'yes', ''])('rejects %j as a boolean', (text) => {
  expect(check({ query: `b=${text}` })).toEqual([expect.objectContaining({ parameter: 'b' })]);
});

it.each([
  ['0', 0],
  ['-0.5', -0.5],
  ['1e2', 100],
  ['1.10', 1.1],
  ['9007199254740993', 9007199254740992],
])('parses %s as a number', (text, value) => {
  expect(parseJsonNumber(text)).toBe(value);
});

it.each([
  ...['', ' ', ' 5', '5 ', '+5', '.5', '5.', '007', '0x10', '0b11', '0o7', '1_000', '1n', 'Infinity', '-Infinity'],
  ...['NaN', '1e400', '-1e400', '1e', '١', '5\n', 'true'],
])('rejects %j as a number', (text) => {
  expect(parseJsonNumber(text)).toBeUndefined();
});

it.each([
  ['9007199254740993', 9007199254740993n],
  ['-12.50e1', -125n],
  ['1.000', 1n],
  ['0.0e5', 0n],
  ['1.0000000000000000001', undefined],
  ['12.5', undefined],
  ['125e-1', undefined],
  ['120e-1', 12n],
  ['007', 7n],
  ['1e20', 10n ** 20n],
  ['1e999999999', undefined],
])('parses %s exactly as %s', (text, value) => {
  expect(parseExactInteger(text)).toBe(value);
});

it.each(['number', 'integer'])('parses a megabyte of zeros as a %s about as fast as JSON.parse', (kind) => {
  const read = kind === 'number' ? parseJsonNumber : parseExactInteger;
  for (const text of [`1.${'0'.repeat(1_000_000)}1`, '0'.repeat(1_000_000), `1${'0'.repeat(1_000_000)}`]) {
    expect(read(text)).toBeUndefined();
    const json = `"${text}"`;
    const run = () => {
      for (let i = 0; i < 10; i++) read(text);
    };
    const peer = () => {
      for (let i = 0; i < 10; i++) JSON.parse(json);
    };
    expect(costRatio({ run, peer, ratioMax: 10 })).toBeLessThan(10);
  }
});
