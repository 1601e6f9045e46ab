import { expect, it } from 'vitest';
import { findTextFaults, mayHoldTextFaults } from './text-faults.ts';

it.each([null, 1, 'Zoë 😀', { a: ['b', { 'c/d': 'e' }], n: 1 }, []])('finds nothing amiss in %j', (body) => {
  expect(findTextFaults(body)).toEqual([]);
});

it('names every text that would not be kept, by its place', () => {
  const body = JSON.parse('{"a":"x\\u0000","b":["ok","\\ud800"],"c/d":{"~":"\\udc00"},"\\ud800":1}');
  expect(
    findTextFaults(body)
      .map(({ pointer }) => pointer)
      .sort(),
  ).toEqual(['', '/a', '/b/1', '/c~1d/~0']);
});

it('goes through a body of any depth', () => {
  const depth = 5_000;
  const body = JSON.parse(`${'['.repeat(depth)}"\\ud800"${']'.repeat(depth)}`);
  expect(findTextFaults(body)).toHaveLength(1);
});

it('stops at 20 faults, however many there are', () => {
  const body = JSON.parse(`[${'"\\u0000",'.repeat(1_000)}{"a":"\\u0000"}]`);
  expect(findTextFaults(body).map(({ pointer }) => pointer)).toEqual(Array.from({ length: 20 }, (_, i) => `/${i}`));
});

it('needs no walk where the bytes hold no escape', () => {
  expect(mayHoldTextFaults(Buffer.from('{"a":"Zoë"}'))).toBe(false);
  expect(mayHoldTextFaults(Buffer.from('{"a":"\\u0000"}'))).toBe(true);
});
