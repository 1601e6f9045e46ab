import { expect, it } from 'vitest';
import { canonicalDateTime, canonicalTime } from './date-time.ts';

it.each([
  ['2024-02-29', '2024-02-29T00:00:00'],
  ['2024-02-29 09:30', '2024-02-29T09:30:00'],
  ['2024-02-29T09:30:15.2500z', '2024-02-29T09:30:15.25'],
  ['2024-01-01T00:30:00+01:00', '2023-12-31T23:30:00'],
  ['2024-01-01T23:30:00-0130', '2024-01-02T01:00:00'],
])('converts %s to %s', (text, canonical) => {
  expect(canonicalDateTime(text)).toBe(canonical);
});

it.each([
  ...['2024-02-30', '2023-02-29', '0000-01-01', '2024-13-01', '2024-1-1', '2024-01-01T', '2024-01-01T9:30', ''],
  ...['2024-01-01T24:00:00', '2024-01-01T25:00:00+01:00', '2024-01-01T09:60', '2024-01-01T09:30:61'],
  ...['2024-01-01T09:30:00+24:00', '2024-01-01T09:30:00+99:99', '0001-01-01T00:00:00+14:00'],
])('rejects %j as a date with time', (text) => {
  expect(canonicalDateTime(text)).toBeUndefined();
});

it('converts a time of day and rejects invalid times', () => {
  expect(['09:30', '23:59:59.50', '24:00', '09:60', '09:30:61'].map(canonicalTime)).toEqual([
    ...['09:30:00', '23:59:59.5', undefined, undefined, undefined],
  ]);
});
