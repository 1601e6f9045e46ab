import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script of the pages, without types.
import { figuresBetween, linePath, quantileOf, roundUp } from './assets/figures.js';
// @ts-expect-error: a script of the pages, without types.
import { delayAfter, readQuota } from './assets/quota.js';

const reading = (uptime: number, total: number, errors: number, counts: readonly [number, number, number]) => ({
  uptime_seconds: uptime,
  total_requests: total,
  total_errors: errors,
  duration_buckets: [0.001, 0.01, 0.1].map((le, i) => ({ le, count: counts[i] })),
});

describe('figuresBetween', () => {
  it('returns rate, errors and times between two readings', () => {
    const before = reading(10, 100, 5, [50, 90, 100]);
    const after = reading(12, 120, 10, [60, 100, 120]);
    expect(figuresBetween(before, after)).toEqual({ rate: 10, errors: 25, p50: 1, p95: expect.closeTo(91) });
  });

  it('excludes the page’s own requests', () => {
    const before = reading(10, 100, 0, [100, 100, 100]);
    const figures = figuresBetween(before, reading(12, 105, 0, [105, 105, 105]), 1);
    expect([figures.rate, figures.errors]).toEqual([2, 0]);
    expect(figuresBetween(before, reading(12, 101, 0, [101, 101, 101]), 1)).toEqual({
      rate: 0,
      errors: null,
      p50: null,
      p95: null,
    });
  });

  it('returns undefined after a restart of the server', () => {
    expect(figuresBetween(reading(50, 9, 0, [9, 9, 9]), reading(1, 1, 0, [1, 1, 1]))).toBeUndefined();
  });
});

it('quantileOf returns the last bound for values beyond it', () => {
  expect(quantileOf([{ le: 0.1, upTo: 1 }], 10, 0.95)).toBe(0.1);
});

it('roundUp returns a round number that is not smaller', () => {
  expect([0, 1, 3, 50, 51, 730, 1_000].map((value) => roundUp(value, 1))).toEqual([1, 1, 5, 50, 100, 1_000, 1_000]);
});

it('linePath leaves gaps for missing values', () => {
  const points = [1, 2, null, 4].map((value, at) => ({ at, value }));
  const path: string = linePath(points, { now: 3, span: 3, max: 4 });
  expect(path.match(/M/g)).toHaveLength(2);
  expect(path).not.toContain('NaN');
});

it.each([
  ['every 2 s while most of the quota is left', 200, { RateLimit: '"auxiliary";r=301;t=9' }, 2_000],
  ['every 10 s from half of it on', 200, { RateLimit: '"auxiliary";r=300;t=9' }, 10_000],
  ['every 30 s from a quarter on', 200, { RateLimit: '"auxiliary";r=150;t=9' }, 30_000],
  ['as late as a 429 says', 429, { RateLimit: '"auxiliary";r=0;t=7', 'Retry-After': '7' }, 7_000],
  ['as late as a timer can be where a 429 says more', 429, { 'Retry-After': '9999999' }, 2 ** 31 - 1],
  ['every 2 s where nothing is limited', 200, {}, 2_000],
])('delayAfter polls %s', (_, status, headers, delayMs) => {
  const all = new Headers({ 'RateLimit-Policy': '"auxiliary";q=600;w=60', ...headers } as Record<string, string>);
  expect(delayAfter({ status, headers: all })).toBe(delayMs);
});

describe('readQuota', () => {
  const headers = (limit: string, policy: string) => new Headers({ RateLimit: limit, 'RateLimit-Policy': policy });

  it('returns the scarcest of several policies', () => {
    const limits = headers('"default";r=50;t=2, "endpoint";r=1;t=9', '"default";q=60;w=60, "endpoint";q=20;w=60');
    expect(readQuota(limits)).toEqual({ left: 1, quota: 20, seconds: 60 });
  });

  it('finds the policy of a limit by its name', () => {
    const limits = headers('"g-quota";r=2;t=9', '"g-second";q=3;w=1, "g-minute";q=5;w=60, "g-quota";q=8;w=2419200');
    expect(readQuota(limits)).toEqual({ left: 2, quota: 8, seconds: 2_419_200 });
  });

  it('returns undefined without headers', () => {
    expect(readQuota(new Headers())).toBeUndefined();
  });
});
