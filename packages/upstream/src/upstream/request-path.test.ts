import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPathReader, createPathWriter, rawQueryOf } from './request-path.ts';

describe('createPathReader', () => {
  it.each([
    ['/a/1%2C2/b/c?x=/d', { x: '1%2C2', constructor: 'c' }],
    ['/a/1,2/b/%63', { x: '1,2', constructor: '%63' }],
  ])('reads from %s the texts of its parameters', (url, texts) => {
    expect({ ...createPathReader('/a/{x}/b/{constructor}')(url) }).toEqual(texts);
  });
});

it('reads and writes the rest of a path as the client wrote it', () => {
  const read = createPathReader('/files/{x}/{rest*}');
  expect({ ...read('/files/1/a%20b/c?d=/e') }).toEqual({ x: '1', rest: 'a%20b/c' });
  const write = createPathWriter('/v1/{rest*}/');
  expect(write(read('/files/1/a%20b/%c3%A9/~c@d'))).toBe('/v1/a%20b/%c3%A9/~c@d/');
  expect(write({ rest: 'a"b/c' })).toBe('/v1/a%22b/c/');
});

it.each(['', '..', 'a/../b', 'a//b', 'a/', '%2e%2e/b', 'a%2Fb', 'a%252Fb', 'a;b', 'a\\b', '%zz'])(
  'rejects %j as the rest of a path and names its parameter',
  (text) => {
    expect(() => createPathWriter('/v1/{rest*}')({ rest: text })).toThrowError(
      expect.objectContaining({ code: 'validation_failed', errors: [expect.objectContaining({ parameter: 'rest' })] }),
    );
  },
);

describe('createPathWriter', () => {
  it('fills a template with texts within their segments', () => {
    const write = createPathWriter('/a/{x}/b/{y}');
    expect(write({ x: '1%202', y: "%c3%A9%2F%3F%23%3B%25,;:@!$&'()*+=" })).toBe(
      "/a/1%202/b/%c3%A9%2F%3F%23%3B%25,;:@!$&'()*+=",
    );
    expect(write({ x: '1 2', y: '\xc3\xa9?#"' })).toBe('/a/1%202/b/%C3%A9%3F%23%22');
    expect(createPathWriter('/plain')({})).toBe('/plain');
  });

  it.each([
    ...['', '.', '..', '%2e', '.%2E', '..%2Fx', 'x%2f..', 'x%5c..%5Cy', 'x\\..', 'a%00b', 'a%0ab', '%', '%ff', '%zz'],
    ...['..;', '..;x=1', '.;', '%2e%2e;', '..%3b', '..%253b', 'x/..;y'],
    ...['%252e%252E', 'a%2F%252e%252e%2Fb', '%252e%252e%252f', '%252e%252e%255cx', '%25252e%25252e%25252f', '%%32%65.'],
    ...['%25%32%65.', '%2500', '%250d%250aX', `${'%25'.repeat(1)}${'25'.repeat(9)}41`],
  ])('rejects the text %j and names its parameter', (text) => {
    expect(() => createPathWriter('/a/{x}')({ x: text })).toThrowError(
      expect.objectContaining({ code: 'validation_failed', errors: [expect.objectContaining({ parameter: 'x' })] }),
    );
  });

  it.each(['...', '.a', 'a..b', 'a%2Fb', '100%25', '%2541', 'a%252Fb'])('accepts the text %j', (text) => {
    expect(createPathWriter('/a/{x}')({ x: text })).toBe(`/a/${text}`);
  });

  it('keeps the number of segments for any text, as any server parses them', () => {
    const write = createPathWriter('/a/{x}/b');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        let path: string;
        try {
          path = write({ x: encodeURIComponent(value) });
        } catch {
          return;
        }
        expect(path).toMatch(/^\/a\/[A-Za-z0-9%._~!'()*-]+\/b$/);
        expect(new URL(path, 'http://a').pathname).toBe(path);
        expect(decodeURIComponent(path.slice(3, -2))).toBe(value);
      }),
    );
  });
});

describe('rawQueryOf', () => {
  it.each([
    ['/a', ''],
    ['/a?', '?'],
    ['/a?b=1&b=2?c', '?b=1&b=2?c'],
    ["/a?$filter=x%20eq%20'y'", "?$filter=x%20eq%20'y'"],
    ['/a?b=é#f', '?b=%E9%23f'],
    ['/a?{"b": 1}', '?%7B%22b%22:%201%7D'],
  ])('of %s is %s', (url, query) => {
    expect(rawQueryOf(url)).toBe(query);
  });
});
