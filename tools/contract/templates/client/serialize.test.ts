import { expect, it } from 'vitest';
import { serializePath, serializeQuery } from './serialize.ts';

it.each([
  ['sends an array as one value', { a: ['1', '2'] }, '?a=1,2'],
  ['encodes a comma within a joined value', { a: ['x,y', 'z'] }, '?a=x%2Cy,z'],
  ['leaves out what is absent', { a: undefined, b: null, c: [] }, ''],
  ['keeps what is false, zero or empty text', { a: false, b: 0, c: '' }, '?a=false&b=0&c='],
  [
    'encodes all that is reserved, in values and names',
    { $f: "a'b(c)*!+&=", 'x y': 1 },
    '?$f=a%27b%28c%29%2a%21%2B%26%3D&x%20y=1',
  ],
  ['leaves the text of a link as it is', '?a=x,y&$skiptoken=a%2Bb', '?a=x,y&$skiptoken=a%2Bb'],
])('%s', (_, query, want) => {
  expect(serializeQuery(query)).toBe(want);
});

it('fills in a path, one segment for each parameter', () => {
  expect(serializePath('/a/{x}/b/{y}', { x: 'p/q', y: "$'" })).toBe('/a/p%2Fq/b/%24%27');
});

it.each([{}, { x: '' }, { x: '.' }, { x: '..' }])('refuses the parameters %j, which a URL would drop', (parameters) => {
  expect(() => serializePath('/a/{x}', parameters)).toThrow(TypeError);
});

it('keeps a parameter of three dots', () => {
  expect(serializePath('/a/{x}', { x: '...' })).toBe('/a/...');
});
