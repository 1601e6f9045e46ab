import { expect, test } from 'vitest';
import { goodKey, startGateway, withKey } from '../../gateway-process.ts';

const answer = { message: 'fixed' };
const fixed = { path: '/api/fixed', service: 'static', parameters: { answer } };

test('field path: parameters in it reach the service, and any other path is 404', async () => {
  const { call } = await startGateway({ endpoints: [{ path: '/api/coins/{symbol}', service: 'crypto' }] });
  expect((await call('/api/coins/eth')).body.symbol).toBe('ETH');
  expect((await call('/api/coins')).status).toBe(404);
  expect((await call('/api/coins/eth/more')).status).toBe(404);
});

test('field method: each of the five is served, and where it is alone every other one is 405', async () => {
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];
  const { call } = await startGateway({
    endpoints: methods.map((method) => ({ ...fixed, method, path: `/api/${method.toLowerCase()}` })),
  });
  for (const method of methods) {
    const path = `/api/${method.toLowerCase()}`;
    expect((await call(path, { method })).body).toEqual(answer);
    const other = await call(path, { method: method === 'POST' ? 'PUT' : 'POST' });
    const allowed = [method, 'OPTIONS', ...(method === 'GET' ? ['HEAD'] : [])].sort().join(', ');
    expect([other.status, other.headers.get('Allow')]).toEqual([405, allowed]);
  }
});

test('field service: is found in any case', async () => {
  const { call } = await startGateway({ endpoints: [{ ...fixed, service: 'STATIC' }] });
  expect((await call('/api/fixed')).body).toEqual(answer);
});

test('field enabled: false leaves the endpoint out everywhere', async () => {
  const { call } = await startGateway({
    endpoints: [
      { ...fixed, enabled: false },
      { ...fixed, path: '/api/other' },
    ],
  });
  expect((await call('/api/fixed')).status).toBe(404);
  expect((await call('/endpoints')).body.endpoints.map(({ path }: { path: string }) => path)).toEqual(['/api/other']);
  expect(Object.keys((await call('/openapi.json')).body.paths)).not.toContain('/api/fixed');
});

test('field requires_auth: true answers 401 without a key, and the document says so', async () => {
  const { call } = await startGateway({ endpoints: [{ ...fixed, requires_auth: true }] });
  const refused = await call('/api/fixed');
  expect([refused.status, refused.body.code]).toEqual([401, 'key_missing']);
  expect((await call('/api/fixed', withKey)).body).toEqual(answer);
  const { security } = (await call('/openapi.json')).body.paths['/api/fixed'].get;
  expect(security).toEqual([{ apiKeyHeader: [] }, { apiKeyBearer: [] }]);
});

test('field api_keys: replace the global ones for the endpoint, and open no other', async () => {
  const endpoints = [
    { ...fixed, requires_auth: true, api_keys: 'own-key, other-key' },
    { ...fixed, path: '/api/global', requires_auth: true },
    { ...fixed, path: '/api/public' },
  ];
  const { call } = await startGateway({ endpoints });
  const status = async (path: string, key: string) => (await call(path, { headers: { 'X-API-Key': key } })).status;
  expect([await status('/api/fixed', 'own-key'), await status('/api/fixed', 'other-key')]).toEqual([200, 200]);
  expect(await status('/api/fixed', goodKey)).toBe(401);
  expect(await status('/api/global', 'own-key')).toBe(401);
  expect(await status('/api/global', goodKey)).toBe(200);
  expect(await status('/api/public', 'own-key')).toBe(200);
  expect(await status('/api/public', 'nobody-has-this')).toBe(401);
});

test('field description: stands in the list and in the document', async () => {
  const description = 'A long text about the fixed answer.';
  const { call } = await startGateway({ endpoints: [{ ...fixed, description }] });
  expect((await call('/endpoints')).body.endpoints[0].description).toBe(description);
  expect((await call('/openapi.json')).body.paths['/api/fixed'].get.description).toBe(description);
});

test('field summary: stands in the list and in the document, else the description does', async () => {
  const { call } = await startGateway({
    endpoints: [
      { ...fixed, summary: 'Short' },
      { ...fixed, path: '/api/other', description: 'Long' },
    ],
  });
  const { endpoints } = (await call('/endpoints')).body;
  expect(endpoints.map(({ summary }: { summary: string }) => summary)).toEqual(['Short', 'Long']);
  expect((await call('/openapi.json')).body.paths['/api/fixed'].get.summary).toBe('Short');
});

test('field tags: group the endpoint in the document', async () => {
  const { call } = await startGateway({ endpoints: [{ ...fixed, tags: ['rosters', 'demo'] }] });
  const { paths, tags } = (await call('/openapi.json')).body;
  expect(paths['/api/fixed'].get.tags).toEqual(['rosters', 'demo']);
  expect(tags.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['rosters', 'demo']));
});

test('field parameters: a literal is fixed, a source renames, and the caller cannot reach past either', async () => {
  const { call } = await startGateway({
    endpoints: [
      { path: '/api/renamed', service: 'crypto', parameters: { symbol: { source: 'query', key: 'coin' } } },
      { path: '/api/fixed-coin', service: 'crypto', parameters: { symbol: 'ETH' } },
    ],
  });
  expect((await call('/api/renamed?coin=ETH')).body.symbol).toBe('ETH');
  expect((await call('/api/renamed?symbol=ETH')).status).toBe(400);
  expect((await call('/api/fixed-coin')).body.symbol).toBe('ETH');
  expect((await call('/api/fixed-coin?symbol=BTC')).status).toBe(400);
});
