import { expect, it } from 'vitest';
import { conditionsFor, isNotModified, isSameVersion } from './conditions.ts';

const nowMs = Date.UTC(2026, 5, 1);
const modified = 'Thu, 01 Jan 2026 00:00:00 GMT';
const headers = { ETag: '"a,b"', 'Last-Modified': modified };

it.each([
  [{ 'if-none-match': '"a,b"' }, true],
  [{ 'if-none-match': 'W/"a,b"' }, true],
  [{ 'if-none-match': '"x", "a,b"' }, true],
  [{ 'if-none-match': '*' }, true],
  [{ 'if-none-match': '"a"' }, false],
  [{ 'if-none-match': 'a,b' }, false],
  [{ 'if-none-match': '"x"', 'if-modified-since': modified }, false],
  [{ 'if-modified-since': modified }, true],
  [{ 'if-modified-since': 'Thursday, 01-Jan-26 00:00:00 GMT' }, true],
  [{ 'if-modified-since': 'Thu Jan  1 00:00:00 2026' }, true],
  [{ 'if-modified-since': 'Wed, 31 Dec 2025 23:59:59 GMT' }, false],
  [{ 'if-modified-since': 'nonsense' }, false],
  [{ 'if-modified-since': '2027' }, false],
  [{}, false],
])('the caller of %j has the response: %s', (request, has) => {
  expect(isNotModified(request, headers, nowMs)).toBe(has);
});

it('compares If-Modified-Since with Date without Last-Modified', () => {
  expect(isNotModified({ 'if-modified-since': modified }, { Date: modified }, nowMs)).toBe(true);
  expect(isNotModified({ 'if-none-match': '"a"' }, { Date: modified }, nowMs)).toBe(false);
});

it('compares an invalid tag of the upstream exactly', () => {
  expect(isNotModified({ 'if-none-match': 'a b' }, { ETag: 'a b' }, nowMs)).toBe(true);
  expect(isNotModified({ 'if-none-match': 'a' }, { ETag: 'a b' }, nowMs)).toBe(false);
});

it('validates with every validator that the upstream sent', () => {
  expect(conditionsFor(headers)).toEqual({ 'If-None-Match': '"a,b"', 'If-Modified-Since': modified });
  expect(conditionsFor({ 'Last-Modified': modified })).toEqual({ 'If-Modified-Since': modified });
  expect(conditionsFor({})).toEqual({});
});

it.each([
  [{}, true],
  [{ ETag: '"a,b"' }, true],
  [{ ETag: 'W/"a,b"' }, true],
  [{ ETag: '"c"', 'Last-Modified': modified }, false],
  [{ 'Last-Modified': modified }, true],
  [{ 'Last-Modified': 'Fri, 02 Jan 2026 00:00:00 GMT' }, false],
])('a 304 with %j names the stored response: %s', (update, isSame) => {
  expect(isSameVersion(headers, update)).toBe(isSame);
});
