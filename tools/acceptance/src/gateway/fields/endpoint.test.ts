import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEndings } from '../../at-end.ts';
import { type CallOptions, call as callServer, forgetContract, type TestResponse } from '../../call.ts';
import { goodKey, withKey } from '../../gateway-process.ts';
import { spawnGateway } from '../../spawn-gateway.ts';

const response = { message: 'fixed' };
const fixed = { service: 'static', parameters: { answer: response } };
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];
const description = 'A long text about the fixed answer.';

const endpoints = [
  { path: '/api/coins/{symbol}', service: 'crypto' },
  ...methods.map((method) => ({ ...fixed, method, path: `/api/${method.toLowerCase()}` })),
  { path: '/api/tree/{symbol*}', service: 'crypto' },
  { ...fixed, path: '/api/several', methods: ['GET', 'PUT'] },
  { ...fixed, path: '/api/upper-case', service: 'STATIC' },
  { ...fixed, path: '/api/disabled', enabled: false },
  { ...fixed, path: '/api/secured', requires_auth: true },
  { ...fixed, path: '/api/own-keys', requires_auth: true, api_keys: 'own-key, other-key' },
  { ...fixed, path: '/api/public' },
  { ...fixed, path: '/api/described', description },
  { ...fixed, path: '/api/summarized', description, summary: 'Short' },
  { ...fixed, path: '/api/tagged', tags: ['rosters', 'demo'] },
  { path: '/api/renamed', service: 'crypto', parameters: { symbol: { source: 'query', key: 'coin' } } },
  { path: '/api/fixed-coin', service: 'crypto', parameters: { symbol: 'ETH' } },
];

const endings = createEndings();
let baseUrl: string;
beforeAll(async () => {
  ({ url: baseUrl } = await spawnGateway({ endpoints }, endings.atEnd));
  // An earlier server may have used the port.
  forgetContract(baseUrl);
});
afterAll(endings.end);

const call = (path: string, options?: CallOptions): Promise<TestResponse> =>
  callServer('gateway', path, { baseUrl, ...options });

/** Returns the endpoint in the list and its operation in the document. */
async function describedAt(path: string) {
  const listed = (await call('/endpoints')).body.endpoints.find((each: { path: string }) => each.path === path);
  return { listed, documented: (await call('/openapi.json')).body.paths[path]?.get };
}

test('field path: parameters in it reach the service, and any other path is 404', async () => {
  expect((await call('/api/coins/eth')).body.symbol).toBe('ETH');
  expect((await call('/api/coins')).status).toBe(404);
  expect((await call('/api/coins/eth/more')).status).toBe(404);
});

test('field path: {name*} is the rest of the path, one or more plain segments', async () => {
  expect((await call('/api/tree/eth')).body.symbol).toBe('ETH');
  // A service without such a value: the whole rest reached it.
  expect((await call('/api/tree/eth/more')).body.code).toBe('symbol_not_found');
  expect((await call('/api/tree')).status).toBe(404);
  for (const rest of ['a//b', 'a%2Fb', 'a;b']) expect((await call(`/api/tree/${rest}`)).status).toBe(400);
});

test('field methods: each is an operation, and the others are 405', async () => {
  for (const method of ['GET', 'PUT']) expect((await call('/api/several', { method })).body).toEqual(response);
  const other = await call('/api/several', { method: 'POST' });
  expect([other.status, other.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS, PUT']);
  const { paths } = (await call('/openapi.json')).body;
  const ids = ['get', 'put'].map((method) => paths['/api/several'][method].operationId);
  expect(ids).toEqual(['getApiSeveral', 'putApiSeveral']);
});

test('field method: each of the five is served, and the others are 405', async () => {
  for (const method of methods) {
    const path = `/api/${method.toLowerCase()}`;
    expect((await call(path, { method })).body).toEqual(response);
    const other = await call(path, { method: method === 'POST' ? 'PUT' : 'POST' });
    const allowed = [method, 'OPTIONS', ...(method === 'GET' ? ['HEAD'] : [])].sort().join(', ');
    expect([other.status, other.headers.get('Allow')]).toEqual([405, allowed]);
  }
});

test('field service: its case is ignored', async () => {
  expect((await call('/api/upper-case')).body).toEqual(response);
});

test('field enabled: false removes the endpoint everywhere', async () => {
  expect((await call('/api/disabled')).status).toBe(404);
  expect(await describedAt('/api/disabled')).toEqual({ listed: undefined, documented: undefined });
});

test('field requires_auth: true responds 401 without a key and is in the document', async () => {
  const rejected = await call('/api/secured');
  expect([rejected.status, rejected.body.code]).toEqual([401, 'key_missing']);
  expect((await call('/api/secured', withKey)).body).toEqual(response);
  const { documented } = await describedAt('/api/secured');
  expect(documented.security).toEqual([{ apiKeyHeader: [] }, { apiKeyBearer: [] }]);
});

test('field api_keys: replace the global keys for this endpoint only', async () => {
  const status = async (path: string, key: string) => (await call(path, { headers: { 'X-API-Key': key } })).status;
  expect([await status('/api/own-keys', 'own-key'), await status('/api/own-keys', 'other-key')]).toEqual([200, 200]);
  expect(await status('/api/own-keys', goodKey)).toBe(401);
  expect(await status('/api/secured', 'own-key')).toBe(401);
  expect(await status('/api/secured', goodKey)).toBe(200);
  expect(await status('/api/public', 'own-key')).toBe(200);
  expect(await status('/api/public', 'unknown-key')).toBe(401);
});

test('field description: is in the list and in the document', async () => {
  const { listed, documented } = await describedAt('/api/described');
  expect([listed.description, documented.description]).toEqual([description, description]);
});

test('field summary: is in the list and in the document, by default the description', async () => {
  const { listed, documented } = await describedAt('/api/summarized');
  expect([listed.summary, documented.summary]).toEqual(['Short', 'Short']);
  expect((await describedAt('/api/described')).listed.summary).toBe(description);
});

test('field tags: group the endpoint in the document', async () => {
  expect((await describedAt('/api/tagged')).documented.tags).toEqual(['rosters', 'demo']);
  const { tags } = (await call('/openapi.json')).body;
  expect(tags.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['rosters', 'demo']));
});

test('field parameters: a literal is fixed, a source renames, and clients cannot override either', async () => {
  expect((await call('/api/renamed?coin=ETH')).body.symbol).toBe('ETH');
  expect((await call('/api/renamed?symbol=ETH')).status).toBe(400);
  expect((await call('/api/fixed-coin')).body.symbol).toBe('ETH');
  expect((await call('/api/fixed-coin?symbol=BTC')).status).toBe(400);
});
