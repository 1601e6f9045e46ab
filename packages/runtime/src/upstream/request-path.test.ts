import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPathWriter, rawQueryOf } from './request-path.ts';

describe('createPathWriter', () => {
  it('fills a template with values, each within its segment', () => {
    const write = createPathWriter('/a/{x}/b/{y}');
    expect(write({ x: '1 2', y: 'é/?#;%' })).toBe('/a/1%202/b/%C3%A9%2F%3F%23%3B%25');
    expect(createPathWriter('/plain')({})).toBe('/plain');
  });

  it.each(['', '.', '..', '../x', 'x/..', 'x\\..\\y', 'a\0b', 'a\nb', '%2e%2E', 'a/%2e%2e/b', '\ud800'])(
    'refuses the value %j, naming its parameter and not it',
    (value) => {
      expect(() => createPathWriter('/a/{x}')({ x: value })).toThrowError(
        expect.objectContaining({ code: 'validation_failed', errors: [expect.objectContaining({ parameter: 'x' })] }),
      );
    },
  );

  it('keeps the number of segments whatever it is given, as any server sees them', () => {
    const write = createPathWriter('/a/{x}/b');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        let path: string;
        try {
          path = write({ x: value });
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
