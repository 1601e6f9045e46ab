import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRestFault } from './rest-path.ts';

describe('findRestFault', () => {
  it.each(['a', 'a/b/c', '...', '.a/b.', 'a..b', 'a%20b/%C3%A9', '100%25', "a:b@c,d=e+f&g!$'()*~_-", '\xe9', '%3F%23'])(
    'accepts %j',
    (text) => {
      expect(findRestFault(text)).toBeUndefined();
    },
  );

  it.each([
    ['..', 'segments "." and ".."'],
    ['a/./b', 'segments "." and ".."'],
    ['a/%2e%2E/b', 'segments "." and ".."'],
    ['.%2e', 'segments "." and ".."'],
    ['', 'empty segments'],
    ['/a', 'empty segments'],
    ['a//b', 'empty segments'],
    ['a/', 'empty segments'],
    ['a%2fb', 'an encoded separator (%2f)'],
    ['..%2F..', 'an encoded separator (%2F)'],
    ['a%5Cb', 'an encoded separator (%5C)'],
    ['a%3bb', 'an encoded separator (%3b)'],
    ['a\\b', 'a backslash'],
    ['a;b=c', '";"'],
    ['..;/b', '";"'],
    ['a%252fb', 'encoded twice'],
    ['%252e%252e', 'encoded twice'],
    ['%25%32%65', 'encoded twice'],
    ['%2561dmin', 'encoded twice'],
    ['%25252e', 'encoded twice'],
    ['a%00', 'control characters'],
    ['a%0d%0aX: y', 'control characters'],
    ['a%7F', 'control characters'],
    ['%ff', 'UTF-8'],
    ['%', 'UTF-8'],
    ['%%32%65', 'UTF-8'],
  ])('rejects %j: %s', (text, fault) => {
    expect(findRestFault(text)).toContain(fault);
  });

  it('accepts only texts in which every reader finds the same segments', () => {
    const piece = fc.oneof(
      fc.constantFrom('.', '..', '/', '\\', ';', '%2e', '%2E', '%2f', '%5c', '%3b', '%25', '2e', '2f', '%00', '%', 'a'),
      fc.string({ unit: 'binary', maxLength: 2 }).map(encodeURIComponent),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
        (text) => {
          if (findRestFault(text) !== undefined) return;
          const segments = text.split('/');
          // A URL parser resolves dots and backslashes; a decoding server splits again; a servlet container drops `;…`.
          expect(new URL(`http://a/v1/${text}`).pathname.split('/').length).toBe(segments.length + 2);
          let decoded = text;
          for (let i = 0; i < 4; i++) {
            decoded = decoded.replaceAll(/%([\da-f]{2})/gi, (_, code) =>
              String.fromCharCode(Number.parseInt(code, 16)),
            );
            const read = decoded
              .replaceAll('\\', '/')
              .replaceAll(/;[^/]*/g, '')
              .split('/');
            expect(read.length).toBe(segments.length);
            expect(read.filter((segment) => /^\.{0,2}$/.test(segment))).toEqual([]);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
