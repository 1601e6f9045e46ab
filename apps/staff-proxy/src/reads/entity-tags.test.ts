import { expect, test } from 'vitest';
import { createOwnTag, isOwnTag, namesTag, splitTags, strongly } from './entity-tags.ts';

const own = createOwnTag(Buffer.from('[]'));

test('an own tag is weak, derives from the bytes and is recognised', () => {
  expect(own).toMatch(/^W\/"read-[\w-]{22}"$/);
  expect(createOwnTag(Buffer.from('[]'))).toBe(own);
  expect(createOwnTag(Buffer.from('[1]'))).not.toBe(own);
  expect([own, '"7"', 'W/"7"', '*', own.slice(2)].map(isOwnTag)).toEqual([true, false, false, false, false]);
});

test.each([
  ['"7"', { own: [], others: '"7"' }],
  ['*', { own: [], others: '*' }],
  ['nonsense', { own: [], others: 'nonsense' }],
  [own, { own: [own], others: undefined }],
  [`"7", ${own},W/"a,b"`, { own: [own], others: '"7", W/"a,b"' }],
])('splits %s into own tags and the upstream’s', (header, expected) => {
  expect(splitTags(header)).toEqual(expected);
});

test.each([
  ['"7"', '"7"', true],
  ['W/"7"', '"7"', true],
  ['"6", "7"', 'W/"7"', true],
  ['*', '"7"', true],
  ['"6,7"', '"7"', false],
  ['7', '"7"', false],
  ['"6"', '"7"', false],
  ['"6W/"', '"6"', false],
  ['"6W/","7"', '","', false],
  ['W/"6W/"', '"6W/"', true],
  [', ,"6" ,\t"7",', 'W/"7"', true],
  ['"6" "7"', '"7"', false],
  ['w/"7"', '"7"', false],
  ['*, "7"', '"7"', false],
])('%s names %s: %s', (header, tag, expected) => {
  expect(namesTag(header, tag)).toBe(expected);
});

test.each([
  ['"6"', '"6"'],
  ['"6W/"', '"6W/"'],
  ['"W/"', '"W/"'],
  ['W/"6"', '"6"'],
  ['W/"6W/"', '"6W/"'],
  ['"6W/", W/"7","a,W/"', '"6W/", "7", "a,W/"'],
  ['*', '*'],
  ['w/"6"', 'w/"6"'],
])('%s becomes %s with strong tags', (header, expected) => {
  expect(strongly(header)).toBe(expected);
});
