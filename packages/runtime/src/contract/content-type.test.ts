import { expect, it } from 'vitest';
import { parseContentType } from './content-type.ts';

it('tells the media type in lower case, without parameters', () => {
  expect(parseContentType(' Application/JSON ; charset=utf-8').mediaType).toBe('application/json');
  expect(parseContentType(undefined)).toEqual({ mediaType: '', isUtf8: true });
});

it.each([
  'a/b',
  'a/b;',
  'a/b; charset=UTF-8',
  'a/b;charset="utf-8" ; x=1',
  'a/b; charset = "u\\tf-8"',
  'a/b; charset=utf8',
  'a/b; charset=us-ascii',
  'a/b; charset; x',
  'a/b; x="; charset=utf-7"',
  'a/b; x="\\"; charset=utf-7"; charset=utf-8',
])('takes %s for UTF-8', (header) => {
  expect(parseContentType(header).isUtf8).toBe(true);
});

it.each([
  'a/b; charset=utf-16',
  'a/b; charset=" utf-16le"',
  'a/b; charset=',
  'a/b; CharSet="utf-7"',
  'a/b; x="; charset=utf-8"; charset=utf-7',
  'a/b; x="\\\\"; charset=utf-7; y="',
  'a/b; charset=utf-8; charset=utf-7',
  'a/b; x=a"; charset=utf-7; y="',
  'a/b; x="; charset=utf-8',
  'a/b; x="y"z; charset=utf-8',
])('does not take %s for UTF-8', (header) => {
  expect(parseContentType(header).isUtf8).toBe(false);
});
