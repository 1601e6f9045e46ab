import { describe, expect, it } from 'vitest';
import { acceptedCoding, isCompressibleType } from './compress.ts';

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
  ])('reads "%s" as the coding %s', (header, coding, isPlainRejected) => {
    expect(acceptedCoding(header)).toEqual({ coding, isPlainRejected });
  });

  it('ignores a header longer than any client sends', () => {
    expect(acceptedCoding('br,'.repeat(10_000))).toEqual({ coding: undefined, isPlainRejected: false });
  });
});

describe('isCompressibleType', () => {
  it.each([
    'application/json',
    'application/problem+json',
    'application/json; charset=utf-8',
    'text/html; charset=utf-8',
    'text/event-stream',
    'Text/CSS',
    'application/atom+xml',
    'image/svg+xml',
    'application/x-ndjson',
  ])('compresses %s', (type) => expect(isCompressibleType(type)).toBe(true));

  it.each([
    'image/png',
    'font/woff2',
    'application/zip',
    'application/octet-stream',
    'application/jsonish-archive',
    'video/mp4',
    '',
  ])('does not compress "%s"', (type) => expect(isCompressibleType(type)).toBe(false));
});
