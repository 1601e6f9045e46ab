import { expect, it } from 'vitest';
import { conditionsFor, isNotModified } from './conditions.ts';

const validators = { etag: '"a,b"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' };

it.each([
  [{ 'if-none-match': '"a,b"' }, true],
  [{ 'if-none-match': 'W/"a,b"' }, true],
  [{ 'if-none-match': '"x", "a,b"' }, true],
  [{ 'if-none-match': '*' }, true],
  [{ 'if-none-match': '"a"' }, false],
  [{ 'if-none-match': 'a,b' }, false],
  [{ 'if-none-match': '"x"', 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, false],
  [{ 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, true],
  [{ 'if-modified-since': 'Wed, 31 Dec 2025 23:59:59 GMT' }, false],
  [{ 'if-modified-since': 'nonsense' }, false],
  [{}, false],
])('with %j: %s', (headers, isTrue) => {
  expect(isNotModified(headers, validators)).toBe(isTrue);
});

it('has nothing to compare where the answer has no validator', () => {
  const none = { etag: undefined, lastModified: undefined };
  expect(isNotModified({ 'if-none-match': '"a"' }, none)).toBe(false);
  expect(conditionsFor(none)).toEqual({});
});

it('asks by the entity tag, or else by the date', () => {
  expect(conditionsFor(validators)).toEqual({ 'If-None-Match': '"a,b"' });
  expect(conditionsFor({ ...validators, etag: undefined })).toEqual({ 'If-Modified-Since': validators.lastModified });
});
