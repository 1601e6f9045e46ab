import { describe, expect, it } from 'vitest';
import { lifetimeOf, type ReceivedResponse } from './storability.ts';

const nowMs = Date.UTC(2026, 0, 1, 0, 1, 0);
const at = (seconds: number) => new Date(nowMs + seconds * 1_000).toUTCString();

const evaluate = (headers: Record<string, string | string[]>, more: Partial<ReceivedResponse> = {}) =>
  lifetimeOf({
    status: 200,
    headers,
    secondsMax: 60,
    secondsDefault: 60,
    request: {},
    isPerOwner: false,
    requestedMs: nowMs,
    nowMs,
    ...more,
  });
/** With a validator, so that a response without freshness is stored for validation. */
const seconds = (headers: Record<string, string | string[]>, more: Partial<ReceivedResponse> = {}) => {
  const lifetime = evaluate({ ETag: '"a"', ...headers }, more);
  return lifetime && lifetime.freshMs / 1_000;
};

describe('RFC 9111 §3: what is stored', () => {
  it('stores a response without declared freshness for the default time', () => {
    expect(evaluate({})).toMatchObject({ ageMs: 0, freshMs: 60_000, vary: [] });
    expect(evaluate({}, { secondsDefault: 0 })).toBeUndefined();
    expect(seconds({}, { secondsDefault: 0 })).toBe(0);
    expect(seconds({ 'Cache-Control': 'max-age=20' }, { secondsDefault: 0 })).toBe(20);
  });

  it.each([
    ['max-age=10', 10],
    ['max-age=10, s-maxage=20', 20],
    ['MAX-AGE="15"', 15],
    ['max-age=3600', 60],
    ['max-age=2147483649', 60],
    ['max-age=0', 0],
    ['max-age=nonsense', 0],
    ['max-age=10, s-maxage=a', 0],
    ['max-age=10, max-age=50', 10],
    ['public', 60],
    ['no-transform', 60],
    ['private', undefined],
    ['no-store', undefined],
    ['a="b, c", no-store', undefined],
    ['a="no-store", max-age=10', 10],
    ['private=" ", max-age=10', undefined],
    ['Max-Age=10, NO-STORE', undefined],
    ['no-cache', 0],
    ['no-cache, max-age=10', 0],
    ['must-understand, no-store, max-age=10', 10],
  ])('Cache-Control: %s is fresh for %s seconds', (value, expected) => {
    expect(seconds({ 'Cache-Control': value })).toBe(expected);
  });

  it('does not store a response that needs validation and has no validator', () => {
    expect(evaluate({ 'Cache-Control': 'no-cache, max-age=50' })).toBeUndefined();
    expect(evaluate({ 'Cache-Control': 'max-age=0' })).toBeUndefined();
    expect(evaluate({ 'Cache-Control': 'max-age=0', 'Last-Modified': at(-9) })?.freshMs).toBe(0);
  });

  it('omits the fields that no-cache and private name, and stores the rest', () => {
    expect(evaluate({ 'Cache-Control': 'no-cache="X-A, x-b", private=x-c, max-age=10' })).toMatchObject({
      freshMs: 10_000,
      omitted: ['x-a', 'x-b', 'x-c'],
    });
  });

  it('stores no cookie, no event stream and no response with Vary: *', () => {
    expect(evaluate({ 'Set-Cookie': ['a=1'], 'Cache-Control': 'public, max-age=9' })).toBeUndefined();
    expect(evaluate({ Vary: 'Accept, *' })).toBeUndefined();
    expect(evaluate({ 'Content-Type': 'Text/Event-Stream' })).toBeUndefined();
    expect(evaluate({ Vary: 'Origin, accept ,Accept' })?.vary).toEqual(['accept', 'origin']);
  });

  it('stores any final status with declared freshness, except for ranges and conditions', () => {
    const isStored = (status: number, declared: string) =>
      seconds({ 'Cache-Control': declared }, { status }) !== undefined;
    const all = [200, 204, 301, 302, 404, 410, 500, 599, 206, 304, 412, 416];
    expect(all.filter((status) => isStored(status, 'max-age=5'))).toEqual([200, 204, 301, 302, 404, 410, 500, 599]);
    expect(all.filter((status) => isStored(status, 'public'))).toEqual([200, 204, 301]);
    expect(all.filter((status) => isStored(status, 'must-understand, max-age=5'))).toEqual([
      ...[200, 204, 301, 302, 404, 410, 500],
    ]);
  });

  it('stores a response to Authorization or a cookie only with permission (§3.5)', () => {
    for (const request of [{ authorization: 'Basic x' }, { cookie: 'a=1' }]) {
      expect(seconds({}, { request })).toBeUndefined();
      expect(seconds({ 'Cache-Control': 'max-age=9' }, { request })).toBeUndefined();
      for (const word of ['public, max-age=9', 's-maxage=9', 'must-revalidate, max-age=9']) {
        expect(seconds({ 'Cache-Control': word }, { request })).toBe(9);
      }
    }
    expect(seconds({ Vary: 'Cookie' }, { request: { cookie: 'a=1' } })).toBe(60);
    expect(seconds({}, { request: { authorization: 'Bearer key' }, isPerOwner: true })).toBe(60);
  });
});

describe('RFC 9111 §4.2: how long it is fresh', () => {
  it.each([
    [{ Date: at(-10), Expires: at(20) }, 20],
    [{ Date: at(-10), Expires: at(20), 'Cache-Control': 'max-age=15' }, 5],
    [{ Expires: at(20) }, 20],
    [{ Date: 'nonsense', Expires: at(20) }, 20],
    [{ Date: at(0), Expires: 'Thursday, 01-Jan-26 00:01:30 GMT' }, 30],
    [{ Date: at(0), Expires: 'Thu Jan  1 00:01:30 2026' }, 30],
  ])('%j: %s seconds', (headers, expected) => {
    expect(seconds(headers)).toBe(expected);
  });

  it.each(['0', '-1', '3600', 'nonsense', '2099-01-01', 'Thu, 01 Jan 2099 00:00:00', at(-1), `${at(9)}, ${at(9)}`])(
    'Expires: %s has passed',
    (expires) => {
      expect(seconds({ Date: at(0), Expires: expires })).toBeLessThanOrEqual(0);
    },
  );

  it.each([
    ['25', 5],
    ['25, 0', 5],
    ['0, 25', 30],
    ['-1', 30],
    ['25a', 30],
    ['2.5', 30],
    ['99999999999', 30 - 2 ** 31],
  ])('Age: %s leaves %s of 30 seconds (§5.1)', (age, expected) => {
    expect(seconds({ 'Cache-Control': 'max-age=30', Age: age, Date: at(0) })).toBe(expected);
  });

  it('counts the age by Date, by Age or by the time that the response took, whichever is greater', () => {
    const declared = { 'Cache-Control': 'max-age=30' };
    expect(seconds({ ...declared, Date: at(-12), Age: '3' })).toBe(18);
    expect(seconds({ ...declared, Date: at(-1), Age: '3' }, { requestedMs: nowMs - 2_000 })).toBe(25);
    expect(seconds({ ...declared, Date: at(40) })).toBe(30);
  });

  it.each([
    ['max-age=1, stale-while-revalidate=5, stale-if-error=7', [true, 5, 7]],
    ['max-age=1, stale-while-revalidate=3600', [true, 60, 0]],
    ['max-age=1, stale-if-error=a', [true, 0, 0]],
    ['max-age=1, must-revalidate, stale-if-error=7', [false, 0, 0]],
    ['max-age=1, proxy-revalidate, stale-while-revalidate=7', [false, 0, 0]],
    ['s-maxage=1, stale-while-revalidate=7', [false, 0, 0]],
    ['no-cache, stale-while-revalidate=7', [false, 0, 0]],
  ])('%s: may be stale, seconds while revalidating, seconds if error', (value, expected) => {
    const lifetime = evaluate({ 'Cache-Control': value, ETag: '"a"' });
    expect([
      lifetime?.mayBeStale,
      (lifetime?.staleWhileRevalidateMs as number) / 1_000,
      (lifetime?.staleIfErrorMs as number) / 1_000,
    ]).toEqual(expected);
  });
});
