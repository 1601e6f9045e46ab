import { expect, it } from 'vitest';
import { serializePath, serializeQuery } from './serialize.ts';

it.each([
  ['repeats the name of an array', { a: ['1', '2'] }, [], 'a=1&a=2'],
  ['joins an array that the contract joins', { a: ['1', '2'] }, ['a'], 'a=1,2'],
  ['encodes a comma within a joined value', { a: ['x,y', 'z'] }, ['a'], 'a=x%2Cy,z'],
  ['leaves out what is absent', { a: undefined, b: null, c: [] }, ['c'], ''],
  ['keeps what is false, zero or empty text', { a: false, b: 0, c: '' }, [], 'a=false&b=0&c='],
  [
    'encodes all that is reserved, in values and names',
    { $f: "a'b(c)*!+&=", 'x y': 1 },
    [],
    '$f=a%27b%28c%29%2A%21%2B%26%3D&x%20y=1',
  ],
])('%s', (_, query, joined, want) => {
  expect(serializeQuery(query, joined)).toBe(want);
});

it('fills in a path, one segment for each parameter', () => {
  expect(serializePath('/a/{x}/b/{y}', { x: 'p/q', y: "$'" })).toBe('/a/p%2Fq/b/%24%27');
});

it('refuses a parameter that is absent', () => {
  expect(() => serializePath('/a/{x}', {})).toThrow("x cannot be ''.");
});
