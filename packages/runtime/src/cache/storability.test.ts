import { describe, expect, it } from 'vitest';
import { judgeStorability } from './storability.ts';

const nowMs = Date.parse('2026-01-01T00:01:00Z');

const judge = (headers: Record<string, string | string[]>, more: { status?: number; hasCredentials?: boolean } = {}) =>
  judgeStorability({ status: 200, headers, secondsMax: 60, hasCredentials: false, nowMs, ...more });
const freshSeconds = (...args: Parameters<typeof judge>): number | undefined => {
  const lifetime = judge(...args);
  return lifetime && lifetime.freshMs / 1_000;
};

describe('judgeStorability', () => {
  it('keeps an answer that says nothing as long as the setting says', () => {
    expect(judge({})).toEqual({ ageMs: 0, freshMs: 60_000, vary: [], isExplicit: false });
  });

  it.each([
    ['max-age=10', 10],
    ['max-age=10, s-maxage=20', 20],
    ['MAX-AGE="15"', 15],
    ['max-age=3600', 60],
    ['max-age=0', 0],
    ['max-age=nonsense', 0],
    ['max-age=10, max-age=50', 10],
    ['public', 60],
    ['no-transform', 60],
    ['private', undefined],
    ['no-store', undefined],
    ['private="x-a", max-age=10', undefined],
    ['Max-Age=10, NO-STORE', undefined],
    ['no-cache', undefined],
  ])('Cache-Control: %s is %s seconds', (value, seconds) => {
    expect(freshSeconds({ 'Cache-Control': value })).toBe(seconds);
  });

  it('keeps no-cache with a validator, to ask about each time', () => {
    expect(freshSeconds({ 'Cache-Control': 'no-cache, max-age=50', ETag: '"a"' })).toBe(0);
  });

  it('goes by Expires less Date where there is no max-age; a date that is none has passed', () => {
    const date = 'Thu, 01 Jan 2026 00:00:50 GMT';
    expect(freshSeconds({ Date: date, Expires: 'Thu, 01 Jan 2026 00:01:20 GMT' })).toBe(20);
    expect(freshSeconds({ Date: date, Expires: 'Thu, 01 Jan 2026 00:01:20 GMT', 'Cache-Control': 'max-age=15' })).toBe(
      5,
    );
    expect(freshSeconds({ Date: date, Expires: '0' })).toBeLessThanOrEqual(0);
    expect(freshSeconds({ Expires: 'Thu, 01 Jan 2026 00:01:20 GMT' })).toBeLessThanOrEqual(0);
  });

  it('counts the age that an answer had when it came', () => {
    expect(freshSeconds({ 'Cache-Control': 'max-age=30', Age: '25' })).toBe(5);
    expect(judge({ Age: '25' })).toMatchObject({ ageMs: 25_000, freshMs: 60_000 });
  });

  it('keeps nothing with a cookie, nothing that differs by everything, and no stream of events', () => {
    expect(judge({ 'Set-Cookie': ['a=1'], 'Cache-Control': 'public, max-age=9' })).toBeUndefined();
    expect(judge({ Vary: 'Accept, *' })).toBeUndefined();
    expect(judge({ 'Content-Type': 'text/event-stream' })).toBeUndefined();
  });

  it('names what an answer differs by', () => {
    expect(judge({ Vary: 'Origin, accept ,Accept' })?.vary).toEqual(['accept', 'origin']);
  });

  it('keeps what was asked for with credentials only if that is allowed outright (RFC 9111 §3.5)', () => {
    const hasCredentials = true;
    expect(freshSeconds({}, { hasCredentials })).toBeUndefined();
    expect(freshSeconds({ 'Cache-Control': 'max-age=9' }, { hasCredentials })).toBeUndefined();
    for (const word of ['public, max-age=9', 's-maxage=9', 'must-revalidate, max-age=9']) {
      expect(freshSeconds({ 'Cache-Control': word }, { hasCredentials })).toBe(9);
    }
  });

  it('keeps failures only when they say so, and parts never', () => {
    const kept = (status: number, said: string) => freshSeconds({ 'Cache-Control': said }, { status }) !== undefined;
    expect([200, 301, 302, 404, 206, 500, 503].map((status) => kept(status, 'public'))).toEqual([
      ...[true, true, false, false, false, false, false],
    ]);
    expect([302, 404, 410, 206, 500, 503].map((status) => kept(status, 'max-age=5'))).toEqual([
      ...[true, true, true, false, false, false],
    ]);
  });
});
