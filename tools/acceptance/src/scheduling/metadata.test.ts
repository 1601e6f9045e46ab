import { expect, test } from 'vitest';
import { call } from '../call.ts';

const plain = { 'Accept-Encoding': 'identity' };

test.each([
  ['/v2/', undefined, 'application/json'],
  ['/v2/$metadata', undefined, 'application/xml'],
  ['/v2/$metadata', 'application/json', 'application/json'],
])('%s with Accept %s is %s, and 304 for a client that has it', async (path, accept, contentType) => {
  const headers = { ...plain, ...(accept !== undefined && { Accept: accept }) };
  const read = await call('scheduling', path, { headers });
  expect([read.status, read.headers.get('Content-Type')?.split(';')[0]]).toEqual([200, contentType]);
  expect(read.headers.get('OData-Version')).toBe('4.01');
  const etag = read.headers.get('ETag') ?? '';
  const again = await call('scheduling', path, { headers: { ...headers, 'If-None-Match': etag } });
  expect([again.status, again.headers.get('ETag')]).toEqual([304, etag]);
});

test.each(['/v2/?surprise=1', '/v2/$metadata?$format=atom'])('%s is 400', async (path) => {
  const { status, body } = await call('scheduling', path);
  expect([status, body.error.code]).toEqual([400, 'validation_failed']);
});
