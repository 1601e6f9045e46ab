import { expect, test } from 'vitest';
import { goodKey, startGateway, withKey } from '../../gateway-process.ts';
import { shareGateway } from '../../shared-gateway.ts';

const gateways = shareGateway();

const rows = Array.from({ length: 200 }, (_, n) => ({ n, text: 'a row of the answer' }));
const large = { path: '/api/large', service: 'static', parameters: { answer: rows } };
const small = { path: '/api/small', service: 'static', parameters: { answer: 'small' } };

test('setting cors_origins: a listed origin is allowed, and another is not', async () => {
  const { url } = await gateways.serve({ settings: { cors_origins: ['https://app.example'] } });
  const from = (origin: string, init: RequestInit = {}) =>
    fetch(`${url}/endpoints`, { ...init, headers: { ...init.headers, Origin: origin } });
  const listed = await from('https://app.example');
  expect(listed.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example');
  expect(listed.headers.get('Access-Control-Allow-Credentials')).toBeNull();
  expect(listed.headers.get('Vary')).toMatch(/\bOrigin\b/i);
  const other = await from('https://evil.example');
  expect([other.status, other.headers.get('Access-Control-Allow-Origin')]).toEqual([200, null]);
  const preflight = await from('https://app.example', {
    method: 'OPTIONS',
    headers: { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('Access-Control-Allow-Methods')).toMatch(/\bGET\b/);
  expect(preflight.headers.get('Access-Control-Allow-Headers')?.toLowerCase()).toContain('x-api-key');
});

test('setting cors_credentials: allows them for listed origins, and is invalid with *', async () => {
  const { url } = await gateways.serve({ settings: { cors_origins: ['https://app.example'], cors_credentials: true } });
  const { headers } = await fetch(`${url}/endpoints`, { headers: { Origin: 'https://app.example' } });
  expect(headers.get('Access-Control-Allow-Credentials')).toBe('true');
  expect(await gateways.reject({ settings: { cors_origins: ['*'], cors_credentials: true } })).toContain(
    'cors_credentials',
  );
});

test('setting cors_max_age_seconds: is in the response to a preflight', async () => {
  const { url } = await gateways.serve({ settings: { cors_origins: ['*'], cors_max_age_seconds: 77 } });
  const { headers } = await fetch(`${url}/endpoints`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://any.example', 'Access-Control-Request-Method': 'GET' },
  });
  expect(headers.get('Access-Control-Max-Age')).toBe('77');
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
});

test('setting enable_compression: br or gzip above 1 KiB for clients that accept it, none with false', async () => {
  const endpoints = [large, small];
  const { url } = await gateways.serve({ endpoints });
  const encoding = async (base: string, path: string, accept: string) => {
    const response = await fetch(base + path, { headers: { 'Accept-Encoding': accept } });
    expect(await response.json()).toEqual(path === '/api/small' ? 'small' : rows);
    return [response.headers.get('Content-Encoding'), response.headers.get('Vary')];
  };
  expect(await encoding(url, '/api/large', 'gzip, br')).toEqual(['br', expect.stringMatching(/Accept-Encoding/i)]);
  expect(await encoding(url, '/api/large', 'gzip')).toEqual(['gzip', expect.stringMatching(/Accept-Encoding/i)]);
  expect(await encoding(url, '/api/large', 'identity')).toEqual([null, expect.stringMatching(/Accept-Encoding/i)]);
  expect((await encoding(url, '/api/small', 'gzip, br'))[0]).toBeNull();
  const off = await gateways.serve({ endpoints, settings: { enable_compression: false } });
  expect((await encoding(off.url, '/api/large', 'gzip, br'))[0]).toBeNull();
});

test('setting body_bytes_max: a body of that many bytes is accepted, one more byte is 413', async () => {
  const { call } = await gateways.serve({
    settings: { body_bytes_max: 100 },
    endpoints: [{ path: '/api/echo', method: 'POST', service: 'echo' }],
  });
  const send = (bytes: number) =>
    call('/api/echo', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) }),
    });
  expect((await send(100)).status).toBe(200);
  const rejected = await send(101);
  expect([rejected.status, rejected.body.code]).toEqual([413, 'body_too_large']);
});

test('setting metrics_requires_auth: true responds 401 without a key and is in the document', async () => {
  const { call } = await gateways.serve({ settings: { metrics_requires_auth: true } });
  expect((await call('/metrics')).status).toBe(401);
  expect((await call('/metrics', withKey)).status).toBe(200);
  expect((await call('/openapi.json')).body.paths['/metrics'].get.security).not.toEqual([]);
  const open = await gateways.serve({});
  expect((await open.call('/metrics')).status).toBe(200);
});

test('setting log_level: warn logs no successful requests, and an edit takes effect at once', async () => {
  const gateway = await startGateway();
  await gateway.write('settings.json', { log_level: 'warn', rate_limit_enabled: false, enable_docs: false });
  await expect.poll(async () => (await fetch(`${gateway.url}/docs`)).status, { timeout: 10_000 }).toBe(404);
  await gateway.call('/endpoints');
  await gateway.write('settings.json', { log_level: 'info', rate_limit_enabled: false });
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  await gateway.call('/health');
  await gateway.stop();
  const routes = gateway.log.map(({ route }) => route);
  expect([routes.includes('/endpoints'), routes.includes('/health')]).toEqual([false, true]);
});

test('setting log_sample_every: logs one in that many successful responses and every failed one', async () => {
  const gateway = await startGateway({ settings: { log_sample_every: 10 } });
  for (let i = 0; i < 20; i++) await gateway.call('/endpoints');
  for (let i = 0; i < 3; i++) await gateway.call('/nowhere');
  await gateway.stop();
  const requests = gateway.log.filter((line) => 'status' in line);
  expect(requests.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(requests.filter(({ status }) => status === 404)).toHaveLength(3);
});

test('setting log_level: no level logs a key, a query value or a body', async () => {
  const gateway = await startGateway({
    settings: { log_level: 'trace' },
    endpoints: [{ path: '/api/echo', method: 'POST', service: 'echo', requires_auth: true }],
  });
  const json = { text: 'canary-of-the-body' };
  await gateway.call('/api/echo?message=canary-of-the-query', { method: 'POST', json, ...withKey });
  await gateway.call('/auth/status', { headers: { 'X-API-Key': 'canary-key' } });
  await gateway.stop();
  expect(gateway.output()).not.toMatch(new RegExp(`canary|${goodKey}`));
});
