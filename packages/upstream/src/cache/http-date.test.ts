import { describe, expect, it } from 'vitest';
import { parseHttpDate } from './http-date.ts';

const nowMs = Date.UTC(2026, 0, 1);
const expectedMs = Date.UTC(1994, 10, 6, 8, 49, 37);

describe('parseHttpDate', () => {
  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', expectedMs],
    ['Sunday, 06-Nov-94 08:49:37 GMT', expectedMs],
    ['Sun Nov  6 08:49:37 1994', expectedMs],
    ['Thu, 31 Dec 2026 23:59:60 GMT', Date.UTC(2027, 0, 1)],
    ['Thu, 29 Feb 2024 00:00:00 GMT', Date.UTC(2024, 1, 29)],
    ['Sat, 01 Jan 0050 00:00:00 GMT', Date.parse('0050-01-01T00:00:00Z')],
  ])('reads %s', (text, ms) => {
    expect(parseHttpDate(text, nowMs)).toBe(ms);
  });

  it.each([
    ['Thursday, 01-Jan-26 00:00:00 GMT', 2026],
    ['Wednesday, 01-Jan-75 00:00:00 GMT', 2075],
    ['Thursday, 01-Jan-76 00:00:00 GMT', 2076],
    ['Friday, 01-Jan-77 00:00:00 GMT', 1977],
    ['Friday, 01-Jan-99 00:00:00 GMT', 1999],
  ])('reads %s as the year %i: not more than 50 years ahead', (text, year) => {
    expect(parseHttpDate(text, nowMs)).toBe(Date.UTC(year, 0, 1));
  });

  it.each([
    undefined,
    '',
    '0',
    '-1',
    '3600',
    '2026-01-01T00:00:00Z',
    'Thu, 01 Jan 2026 00:00:00',
    'Thu, 01 Jan 2026 00:00:00 +0000',
    'Thu, 01 Jan 2026 00:00:00 UTC',
    'Thu, 01 Jan 2026 00:00:00 EST',
    'Thu, 1 Jan 2026 00:00:00 GMT',
    'Thu, 01 Jan 26 00:00:00 GMT',
    'thu, 01 jan 2026 00:00:00 gmt',
    'Thu, 01  Jan 2026 00:00:00 GMT',
    'Thu, 01-Jan-2026 00:00:00 GMT',
    'Thu, 32 Jan 2026 00:00:00 GMT',
    'Mon, 31 Jun 2026 00:00:00 GMT',
    'Sun, 29 Feb 2026 00:00:00 GMT',
    'Thu, 01 Jan 2026 24:00:00 GMT',
    'Thu, 01 Jan 2026 00:60:00 GMT',
    'Thu, 01 Jan 2026 00:00:61 GMT',
    'Thu Jan 1 00:00:00 2026',
    'Thu Jan 01 00:00:00 2026 GMT',
    'Thu, 01 Jan 2026 00:00:00 GMT, Thu, 01 Jan 2026 00:00:00 GMT',
  ])('rejects %j', (text) => {
    expect(parseHttpDate(text, nowMs)).toBeUndefined();
  });
});
