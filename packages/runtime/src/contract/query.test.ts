import { parse } from 'node:querystring';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseQuery } from './query.ts';

it('reads every query as Node does', () => {
  const piece = fc.constantFrom('a', 'b', '$top', '=', '&', '%20', '+', '%', '__proto__', 'é', ',', '==', '&&', '');
  const query = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(query, (text) => {
      expect(parseQuery(text)).toEqual(parse(text, '&', '=', { maxKeys: 0 }));
    }),
    { numRuns: 2_000 },
  );
});

it('has no inherited names, and no bound on their count', () => {
  expect('constructor' in parseQuery('a=1')).toBe(false);
  expect(Object.keys(parseQuery('a=1&'.repeat(5_000)))).toEqual(['a']);
  expect(Object.keys(parseQuery(Array.from({ length: 3_000 }, (_, i) => `p${i}=1`).join('&')))).toHaveLength(3_000);
});
