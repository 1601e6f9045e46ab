import { describe, expect, it } from 'vitest';
import { isCompressibleType } from './compressible-type.ts';

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
  ])('leaves %s alone', (type) => expect(isCompressibleType(type)).toBe(false));
});
