import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createJsonBytesSteps } from './json-bytes.ts';
import { runSteps } from './steps.ts';

const textOf = (value: unknown, depth = 3) => runSteps(createJsonBytesSteps(value, { depth })).toString();

it('returns the bytes of JSON.stringify for any depth', () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 5 }), fc.object({ withDate: true, withNullPrototype: true }));
  fc.assert(
    fc.property(value, fc.nat({ max: 5 }), (data, depth) => {
      expect(textOf(data, depth)).toBe(JSON.stringify(data));
    }),
  );
});

it('omits values that JSON cannot represent', () => {
  const value = { a: undefined, b: [undefined, () => 1], c: Symbol('c'), d: '\u2028ü', e: Number.NaN };
  expect(textOf(value)).toBe(JSON.stringify(value));
});

it('reports the bytes in order', () => {
  const pieces: Buffer[] = [];
  const value = Array.from({ length: 200 }, () => 'x'.repeat(1_000));
  const whole = runSteps(createJsonBytesSteps(value, { onPiece: (piece) => void pieces.push(piece) }));
  expect(pieces.length).toBeGreaterThan(1);
  expect(Buffer.concat(pieces)).toEqual(whole);
});

it('pauses between any two members of a large document', () => {
  const paths = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, i) => [`/${i}`, { get: { summary: 'x'.repeat(20) } }]),
  );
  let pauses = 0;
  for (const _ of createJsonBytesSteps({ openapi: '3.0.3', paths })) pauses++;
  expect(pauses).toBeGreaterThan(10_000);
});
