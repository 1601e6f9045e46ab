import { expect, it } from 'vitest';
import { parseDuration, parseFuture, parsePast } from './duration.ts';

const nowMs = Date.UTC(2026, 0, 1);

it.each([
  ['90d', 7_776_000_000],
  ['12h', 43_200_000],
  ['30m', 1_800_000],
  ['45s', 45_000],
  ['2w', 1_209_600_000],
  [' 1D ', 86_400_000],
])('parses %s as a duration', (text, durationMs) => expect(parseDuration(text)).toBe(durationMs));

it.each(['', '90', 'd', '0d', '-1d', '1.5h', '90 d', '1y', '1e3d', '9999999d'])('rejects %j as a duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

it.each([
  ['90d', '2026-04-01T00:00:00.000Z'],
  ['2027-01-01', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01T12:30Z', '2027-01-01T12:30:00.000Z'],
  ['2027-01-01T12:30:15+02:00', '2027-01-01T10:30:15.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
])('parses %s as a future time', (text, iso) => expect(parseFuture(text, nowMs)?.toISOString()).toBe(iso));

it.each(['2026-01-01', '2020-01-01', '2027-02-30', '2027-13-01', '2027-01-01T12:30', 'tomorrow', '2027', '999999w'])(
  'rejects %j as a future time',
  (text) => expect(parseFuture(text, nowMs)).toBeUndefined(),
);

it.each([
  ['1d', '2025-12-31T00:00:00.000Z'],
  ['2025-12-24', '2025-12-24T00:00:00.000Z'],
  ['2026-01-01T02:00+02:00', '2026-01-01T00:00:00.000Z'],
])('parses %s as a past time', (text, iso) => expect(parsePast(text, nowMs)?.toISOString()).toBe(iso));

it.each(['2026-01-02', '1960-01-01', '2025-02-30', 'yesterday', '999999w'])('rejects %j as a past time', (text) =>
  expect(parsePast(text, nowMs)).toBeUndefined(),
);
