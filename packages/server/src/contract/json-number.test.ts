import { expect, it } from 'vitest';
import { parseExactInteger, parseJsonNumber } from './json-number.ts';

it.each([
  ['0', 0],
  ['-0.5', -0.5],
  ['1e2', 100],
  ['1.10', 1.1],
  ['9007199254740993', 9007199254740992],
])('parses %s as a number', (text, value) => {
  expect(parseJsonNumber(text)).toBe(value);
});

it.each([
  ...['', ' ', ' 5', '5 ', '+5', '.5', '5.', '007', '0x10', '0b11', '0o7', '1_000', '1n', 'Infinity', '-Infinity'],
  ...['NaN', '1e400', '-1e400', '1e', '١', '5\n', 'true'],
])('rejects %j as a number', (text) => {
  expect(parseJsonNumber(text)).toBeUndefined();
});

it.each([
  ['9007199254740993', 9007199254740993n],
  ['-12.50e1', -125n],
  ['1.000', 1n],
  ['0.0e5', 0n],
  ['1.0000000000000000001', undefined],
  ['12.5', undefined],
  ['125e-1', undefined],
  ['120e-1', 12n],
  ['007', 7n],
  ['1e20', 10n ** 20n],
  ['1e999999999', undefined],
])('parses %s exactly as %s', (text, value) => {
  expect(parseExactInteger(text)).toBe(value);
});

it.each(['number', 'integer'])('parses a megabyte of zeros as a %s about as fast as JSON.parse', (kind) => {
  const read = kind === 'number' ? parseJsonNumber : parseExactInteger;
  for (const text of [`1.${'0'.repeat(1_000_000)}1`, '0'.repeat(1_000_000), `1${'0'.repeat(1_000_000)}`]) {
    expect(read(text)).toBeUndefined();
    expect(cpuMs(() => read(text))).toBeLessThan(10 * cpuMs(() => JSON.parse(`"${text}"`)) + 5);
  }
});

function cpuMs(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
