import { expect, test } from 'vitest';
import { growthOf, p99sOf, type Sample, slowdownOf, trendOf } from './flatness.ts';

/** Returns forty samples, a second apart. */
const samplesOf = (heldAt: (n: number) => number, timesAt: (n: number) => number[] = () => [1]): Sample<'heap'>[] =>
  Array.from({ length: 40 }, (_, n) => ({ atMs: n * 1_000, held: { heap: heldAt(n) }, timesMs: timesAt(n) }));
const noise = (n: number) => (n * 7) % 5;

test('growth during warm-up does not count', () => {
  const samples = samplesOf((n) => Math.min(n, 10) * 50 + noise(n));
  expect(growthOf(samples, 'heap')).toBe(0);
  expect(Math.abs(trendOf(samples, 'heap'))).toBeLessThan(2);
});

test('steady growth is found in noise', () => {
  const samples = samplesOf((n) => 100 + n + 3 * noise(n));
  expect(growthOf(samples, 'heap')).toBeGreaterThan(15);
  expect(trendOf(samples, 'heap')).toBeCloseTo(29, -1);
});

test('a few outliers do not change the trend', () => {
  expect(
    Math.abs(
      trendOf(
        samplesOf((n) => (n % 9 === 0 ? 10_000 : noise(n))),
        'heap',
      ),
    ),
  ).toBeLessThan(2);
});

test('the p99 is the median of a quarter, so that one outlier does not count', () => {
  const times = (n: number) =>
    Array.from({ length: 100 }, (_, i) => (n >= 30 ? 20 : 10) + (n === 35 ? 500 : 0) + i / 1e3);
  const { earlyMs, lateMs } = p99sOf(samplesOf(noise, times));
  expect([Math.round(earlyMs), Math.round(lateMs)]).toEqual([10, 20]);
});

test('a slowdown that a bare server has too does not count', () => {
  expect(slowdownOf({ earlyMs: 10, lateMs: 30 }, { earlyMs: 10, lateMs: 30 })).toBeCloseTo(1);
  expect(slowdownOf({ earlyMs: 10, lateMs: 30 }, { earlyMs: 40, lateMs: 10 })).toBeCloseTo(3);
});

test('differences of up to 3 ms are noise', () => {
  expect(slowdownOf({ earlyMs: 1, lateMs: 3 }, { earlyMs: 3, lateMs: 1 })).toBe(1);
  expect(slowdownOf({ earlyMs: 2, lateMs: 9 }, { earlyMs: 1, lateMs: 1 })).toBe(3);
});
