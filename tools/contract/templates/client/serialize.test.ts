import { expect, it } from 'vitest';
import { serializePath, serializeQuery } from './serialize.ts';

it.each([
  ['sends an array as one value', { a: ['1', '2'] }, 'a=1,2'],
  ['encodes a comma within a joined value', { a: ['x,y', 'z'] }, 'a=x%2Cy,z'],
  ['omits absent values', { a: undefined, b: null, c: [] }, ''],
  ['sends false, zero and empty text', { a: false, b: 0, c: '' }, 'a=false&b=0&c='],
  [
    'encodes reserved characters in values and names',
    { $f: "a'b(c)*!+&=", 'x y': 1, 'a&b#': ['c'] },
    '$f=a%27b%28c%29%2a%21%2B%26%3D&x%20y=1&a%26b%23=c',
  ],
  ['returns text unchanged', '?a=x,y&$skiptoken=a%2Bb', '?a=x,y&$skiptoken=a%2Bb'],
])('%s', (_, query, want) => {
  expect(serializeQuery(query)).toBe(want);
});

it('replaces each parameter of a path by one segment', () => {
  expect(serializePath('/a/{x}/b/{y}', { x: 'p/q', y: "$'" })).toBe('/a/p%2Fq/b/%24%27');
});

it('replaces the rest of a path by its segments', () => {
  expect(serializePath('/a/{x*}', { x: "p/q r/'" })).toBe('/a/p/q%20r/%27');
  for (const x of ['', 'p//q', '/p', 'p/', 'p/../q']) expect(() => serializePath('/a/{x*}', { x })).toThrow(TypeError);
});

it.each([{}, { x: '' }, { x: '.' }, { x: '..' }])('rejects the parameters %j, which a URL would drop', (parameters) => {
  expect(() => serializePath('/a/{x}', parameters)).toThrow(TypeError);
});

it('accepts a parameter of three dots', () => {
  expect(serializePath('/a/{x}', { x: '...' })).toBe('/a/...');
});
