import { describe, expect, it } from 'vitest';
import { acceptedCoding } from './content-coding.ts';

describe('acceptedCoding', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br', false],
    ['br;q=0.5, gzip', 'gzip', false],
    ['gzip;q=0.5', 'gzip', false],
    ['GZIP', 'gzip', false],
    ['*', 'br', false],
    ['*;q=0.1, br;q=0', 'gzip', false],
    ['identity, br;q=0.5', undefined, false],
    ['deflate', undefined, false],
    ['', undefined, false],
    ['br;q=0, gzip;q=0', undefined, false],
    ['gzip, identity;q=0', 'gzip', true],
    ['gzip, *;q=0', 'gzip', true],
    ['identity;q=0', undefined, true],
    ['*;q=0', undefined, true],
    ['br;q=nonsense', undefined, false],
  ])('takes of "%s" the coding %s', (header, coding, isPlainRefused) => {
    expect(acceptedCoding(header)).toEqual({ coding, isPlainRefused });
  });

  it('sends what no caller means to say uncompressed', () => {
    expect(acceptedCoding('br,'.repeat(10_000))).toEqual({ coding: undefined, isPlainRefused: false });
  });
});
