import { expect, inject, test } from 'vitest';
import { call } from '../call.ts';

const headers = { 'X-API-Key': inject('servers').credentials.GATEWAY_KEY };

test('an endpoint that needs a key responds 401 without one', async () => {
  expect((await call('gateway', '/api/crypto/ETH', { headers })).body.symbol).toBe('ETH');
  for (const [method, path] of [
    ['GET', '/api/crypto/ETH'],
    ['POST', '/api/echo'],
  ] as const) {
    const { status, body } = await call('gateway', path, { method });
    expect([status, body.kind]).toEqual([401, 'AuthenticationError']);
  }
});

test('literal parameters of an endpoint reach its service', async () => {
  const { status, body } = await call('gateway', '/api/hello');
  expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining('Hello')]);
});

test('a plus in a query is a space', async () => {
  const { status, body } = await call('gateway', '/api/echo?message=two+words', { method: 'POST', headers, json: {} });
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain('two words');
});

test('a wrong method of an endpoint is 405, a body above 10 MiB 413', async () => {
  const wrong = await call('gateway', '/api/crypto', { method: 'DELETE' });
  expect([wrong.status, wrong.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  const json = { text: 'x'.repeat(10 * 1024 * 1024) };
  const large = await call('gateway', '/api/echo', { method: 'POST', headers, json });
  expect([large.status, large.body.code]).toEqual([413, 'body_too_large']);
});
