import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startGateway } from '../../gateway-process.ts';

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
const fixed = { path: '/api/fixed', service: 'static', parameters: { answer: 'fixed' } };

test('field scopes: the key needs all of them; otherwise 403 names the missing ones', async () => {
  const keys = [
    { name: 'both', owner: 'a', sha256: sha256('key-of-both'), scopes: ['read', 'write'] },
    { name: 'one', owner: 'b', sha256: sha256('key-of-one'), scopes: ['read'] },
  ];
  const { call } = await startGateway({
    endpoints: [{ ...fixed, requires_auth: true, scopes: ['read', 'write'] }],
    files: { 'keys.json': JSON.stringify({ keys }) },
  });
  const as = (key: string) => call('/api/fixed', { headers: { 'X-API-Key': key } });
  expect((await as('key-of-both')).status).toBe(200);
  const rejected = await as('key-of-one');
  expect([rejected.status, rejected.body.code, rejected.body.kind]).toEqual([
    403,
    'scope_missing',
    'AuthorizationError',
  ]);
  expect(rejected.body.detail).toContain('write');
  expect((await call('/openapi.json')).body.paths['/api/fixed'].get['x-required-scopes']).toEqual(['read', 'write']);
});

test('field rate_limit_per_minute: applies to the endpoint, within the limit of the server', async () => {
  const { url } = await startGateway({
    settings: { rate_limit_enabled: true },
    endpoints: [
      { ...fixed, rate_limit_per_minute: 2 },
      { ...fixed, path: '/api/other' },
    ],
  });
  const responses = [];
  for (let i = 0; i < 4; i++) responses.push(await fetch(`${url}/api/fixed`));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
  expect(responses[0]?.headers.get('RateLimit-Policy')).toMatch(/;q=60;w=60.*;q=2;w=60/);
  const other = await fetch(`${url}/api/other`);
  expect(other.status).toBe(200);
  // Rejected requests cost nothing: two of the server's 60 went there and one here.
  expect(other.headers.get('RateLimit')).toMatch(/;r=57;/);
});

test('field policies: run in the order of the list and are in the document and in the list of endpoints', async () => {
  const { call } = await startGateway({
    endpoints: [{ ...fixed, policies: ['second', 'first'] }],
    policies: {
      first: { type: 'headers', response: { add: { 'X-Order': 'first' } } },
      second: { type: 'headers', response: { add: { 'X-Order': 'second' } } },
    },
  });
  expect((await call('/api/fixed')).headers.get('X-Order')).toBe('second, first');
  expect((await call('/openapi.json')).body.paths['/api/fixed'].get['x-policies']).toEqual(['second', 'first']);
  expect((await call('/endpoints')).body.endpoints[0].policies).toEqual(['second', 'first']);
});
