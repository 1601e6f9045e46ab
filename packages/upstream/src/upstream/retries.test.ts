import { Readable } from 'node:stream';
import { Problem } from '@rostergate/server/problem';
import { describe, expect, it } from 'vitest';
import { createManualTime } from '../../test/manual-time.ts';
import { createRetryBudget, decideRetry, type RetryCircumstances } from './retries.ts';
import { requestCancelled, responseTooLate, UpstreamFault } from './upstream-fault.ts';
import type { Outcome, UpstreamResponse } from './upstream-response.ts';

const responded = (status: number, headers: UpstreamResponse['headers'] = {}): Outcome => ({
  response: { status, headers, body: Readable.from([]) },
});
const broken = { error: new UpstreamFault('upstream_failed', '', 'broken', true) };
const unreached = { error: new UpstreamFault('upstream_failed', '', 'unreachable', false) };

function decide(method: string, outcome: Outcome, more: Partial<RetryCircumstances> = {}): number | undefined {
  const { request, ...rest } = more;
  return decideRetry({
    request: { method, path: '/', deadlineMs: 10_000, ...request },
    outcome,
    retriesDone: 0,
    hasOthers: false,
    nowMs: 0,
    wallClock: () => Date.parse('2026-01-01T00:00:00Z'),
    random: () => 0.5,
    ...rest,
  });
}

describe('decideRetry', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])(
    '%s is retried after a broken exchange and a 502, 503 or 504',
    (method) => {
      for (const outcome of [
        broken,
        { error: responseTooLate(true) },
        responded(502),
        responded(503),
        responded(504),
      ]) {
        expect(decide(method, outcome)).toBe(25);
      }
    },
  );

  it.each(['POST', 'PATCH', 'CONNECT', 'get'])('%s is retried only when it was certainly not sent', (method) => {
    for (const outcome of [
      broken,
      { error: responseTooLate(true) },
      responded(502),
      responded(503, { 'retry-after': '0' }),
    ]) {
      expect(decide(method, outcome)).toBeUndefined();
    }
    expect(decide(method, unreached)).toBe(25);
  });

  it('an outcome that an inner server has retried is final, unless another target is left', () => {
    for (const status of [502, 503, 504]) {
      const marked = responded(status, { 'proxy-status': 'rostergate; received-status=503', 'retry-after': '1' });
      expect(decide('GET', marked)).toBeUndefined();
      expect(decide('GET', marked, { hasOthers: true })).toBe(25);
      expect(decide('GET', responded(status, { 'proxy-status': 'cdn.example; error=dns_error' }))).toBe(25);
    }
  });

  it.each([200, 304, 400, 404, 408, 500, 501])('a %i is final', (status) => {
    expect(decide('GET', responded(status))).toBeUndefined();
  });

  it('a 429 is retried only with Retry-After', () => {
    expect(decide('GET', responded(429))).toBeUndefined();
    expect(decide('GET', responded(429, { 'retry-after': '2' }))).toBe(2_000);
    expect(decide('GET', responded(429, { 'retry-after': '2' }), { hasOthers: true })).toBe(2_000);
  });

  it('a 429 is final for a group that handles limits', () => {
    expect(decide('GET', responded(429, { 'retry-after': '2' }), { returnsLimits: true })).toBeUndefined();
    expect(decide('GET', responded(503), { returnsLimits: true })).toBe(25);
  });

  it('isRepeatable overrides the method', () => {
    const put = { method: 'PUT', path: '/', isRepeatable: false };
    const login = { method: 'POST', path: '/', isRepeatable: true };
    for (const outcome of [broken, responded(503)]) {
      expect(decide('PUT', outcome, { request: put })).toBeUndefined();
      expect(decide('POST', outcome, { request: login })).toBe(25);
    }
    expect(decide('PUT', unreached, { request: put })).toBe(25);
  });

  it('waits for Retry-After in seconds or until a date, and is final when that is past the deadline', () => {
    expect(decide('GET', responded(503, { 'retry-after': '9' }))).toBe(9_000);
    expect(decide('GET', responded(503, { 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' }))).toBe(3_000);
    expect(decide('GET', responded(503, { 'retry-after': '10' }))).toBeUndefined();
    expect(decide('GET', responded(503, { 'retry-after': 'soon' }))).toBe(25);
    expect(decide('GET', responded(503, { 'retry-after': '-1' }))).toBe(25);
  });

  it('tries another target without Retry-After of this one', () => {
    expect(decide('GET', responded(503, { 'retry-after': '9' }), { hasOthers: true })).toBe(25);
  });

  it('waits a random time up to a bound that doubles to two seconds', () => {
    const delays = [0, 1, 2, 5, 9].map((retriesDone) =>
      decide('GET', broken, { retriesDone, random: () => 0.999_999 }),
    );
    expect(delays.map((ms) => Math.round(ms as number))).toEqual([50, 100, 200, 1_600, 2_000]);
    expect(decide('GET', broken, { retriesDone: 9, random: () => 0 })).toBe(0);
  });

  it('is final when no time is left', () => {
    expect(decide('GET', broken, { nowMs: 9_980 })).toBeUndefined();
  });

  it('is final when the body cannot be sent again', () => {
    const put = (body: unknown) =>
      decide('PUT', broken, { request: { method: 'PUT', path: '/', body: body as string } });
    expect([put('text'), put(Buffer.from('bytes')), put({ open: () => Readable.from([]), isUntouched: true })]).toEqual(
      [25, 25, 25],
    );
    expect([put(Readable.from(['a'])), put({ open: () => Readable.from([]), isUntouched: false })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('is final when the caller has left, and for faults not of the upstream', () => {
    expect(decide('GET', { error: requestCancelled(false) })).toBeUndefined();
    expect(decide('GET', { error: new Problem('body_too_large', '') })).toBeUndefined();
    expect(decide('GET', { error: new Problem('unavailable', '') })).toBeUndefined();
    expect(decide('GET', { error: new RangeError() })).toBeUndefined();
  });
});

describe('a retry budget', () => {
  it('allows retries for a share of the requests, in addition to its reserve', () => {
    const { clock } = createManualTime();
    const budget = createRetryBudget({ clock, perRequest: 0.2, reserve: 10 });
    let retries = 0;
    for (let i = 0; i < 1_000; i++) {
      budget.earn();
      for (let again = 0; again < 3 && budget.spend(); again++) retries++;
    }
    expect(retries).toBeLessThanOrEqual(1_000 * 0.2 + 10);
    expect(retries).toBeGreaterThan(190);
  });

  it('refills over time, up to its reserve', () => {
    const { clock, pass } = createManualTime();
    const budget = createRetryBudget({ clock, reserve: 2, perSecond: 0.5 });
    const spendAll = () => {
      let spent = 0;
      while (budget.spend()) spent++;
      return spent;
    };
    expect(spendAll()).toBe(2);
    pass(1_999);
    expect(spendAll()).toBe(0);
    pass(1);
    expect(spendAll()).toBe(1);
    pass(3_600_000);
    expect(spendAll()).toBe(2);
  });
});
