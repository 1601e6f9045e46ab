import { expect, test } from 'vitest';
import { json } from '../../../../../apps/staff-proxy/test/stand-in-upstream.ts';
import { exchangeBytes } from '../../exchange-bytes.ts';
import { keys, shareStandInProxy, startStandInProxy, withKey } from '../stand-in-proxy.ts';

const proxies = shareStandInProxy();
const people = Array.from({ length: 200 }, (_, i) => ({ StaffKey: `S-${i}`, LastName: 'A name in a long list' }));

test('setting cors_origins, cors_credentials, cors_max_age_seconds: a listed origin is allowed, with a key, and another is not', async () => {
  const proxy = await proxies.serve({
    cors_origins: ['https://app.example'],
    cors_credentials: true,
    cors_max_age_seconds: 77,
  });
  const from = (origin: string, init: RequestInit = {}) =>
    fetch(`${proxy.url}/v2/staffmember`, { ...init, headers: { ...init.headers, Origin: origin } });
  const preflight = await from('https://app.example', {
    method: 'OPTIONS',
    headers: { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('Access-Control-Allow-Headers')?.toLowerCase()).toContain('x-api-key');
  expect(preflight.headers.get('Access-Control-Max-Age')).toBe('77');
  const listed = await from('https://app.example', withKey);
  expect([listed.status, listed.headers.get('Access-Control-Allow-Origin')]).toEqual([200, 'https://app.example']);
  expect(listed.headers.get('Access-Control-Allow-Credentials')).toBe('true');
  expect((await from('https://evil.example', withKey)).headers.get('Access-Control-Allow-Origin')).toBeNull();
  expect(await proxies.reject({ cors_origins: ['*'], cors_credentials: true })).toContain('cors_credentials');
});

test('setting enable_compression: responses are compressed for clients that accept it, and not with false', async () => {
  const proxy = await proxies.serve();
  const codingOf = async (accept: string) => {
    proxy.upstream.answers.push(json(200, people));
    const response = await proxy.call('/v2/staffmember', {
      headers: { ...withKey.headers, 'Accept-Encoding': accept },
    });
    expect(response.body).toEqual(people);
    return response.headers.get('Content-Encoding');
  };
  expect([await codingOf('gzip, br'), await codingOf('gzip'), await codingOf('identity')]).toEqual([
    'br',
    'gzip',
    null,
  ]);
  await proxy.applied(() => proxy.writeSettings({ enable_compression: false }));
  expect(await codingOf('gzip, br')).toBeNull();
});

test('setting trusted_proxies: the address is taken only from listed proxies', async () => {
  const limited = { rate_limit_enabled: true, rate_limit_per_minute: 2 };
  const proxy = await proxies.serve(limited);
  const asked = async (address: string) =>
    (await fetch(`${proxy.url}/nowhere`, { headers: { 'X-Forwarded-For': address } })).status;
  expect([await asked('192.0.2.1'), await asked('192.0.2.2'), await asked('192.0.2.3')]).toEqual([404, 404, 429]);
  await proxy.applied(() => proxy.writeSettings({ ...limited, trusted_proxies: ['127.0.0.1'] }));
  expect([await asked('192.0.2.1'), await asked('192.0.2.1'), await asked('192.0.2.1')]).toEqual([404, 404, 429]);
  expect(await asked('192.0.2.2')).toBe(404);
});

test('setting headers_timeout_ms, request_timeout_ms, keep_alive_timeout_ms: slow clients are disconnected, also after a reload of the settings', async () => {
  const proxy = await proxies.serve();
  const statusOf = async (bytes: string) => (await exchangeBytes(proxy.url, bytes)).status;
  await proxy.applied(() => proxy.writeSettings({ headers_timeout_ms: 300, request_timeout_ms: 600 }));
  const slow = [
    'GET /v2/staffmember HTTP/1.1\r\nHost: x\r\n',
    `POST /v2/staffmember HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.admin}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
  ];
  expect(await Promise.all(slow.map(statusOf))).toEqual([408, 408]);
  // Alone: this client may be slower than the timeouts above, too.
  await proxy.applied(() => proxy.writeSettings({ keep_alive_timeout_ms: 200 }));
  expect(await statusOf('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')).toBe(200);
});

test('setting log_sample_every: logs one in that many successful responses and every failed one', async () => {
  const proxy = await startStandInProxy({ settings: { log_sample_every: 10 } });
  for (let i = 0; i < 20; i++) await proxy.call('/v2/staffmember', withKey);
  for (let i = 0; i < 3; i++) await proxy.call('/v2/nowhere');
  await proxy.stop();
  const statuses = proxy.log.flatMap((line) => ('status' in line ? [line.status] : []));
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(statuses.filter((status) => status === 404)).toHaveLength(3);
});

test('setting log_level: no level shows a key, a password, a query value or a body', async () => {
  const proxy = await startStandInProxy({ settings: { log_level: 'trace' } });
  const json = { StaffId: 'canary-of-the-body' };
  await proxy.call('/v2/staffmember?$filter=LastName%20eq%20%27canary%27', withKey);
  await fetch(`${proxy.url}/v2/staffmember`, {
    method: 'POST',
    headers: { 'X-API-Key': keys.admin, 'Content-Type': 'application/json' },
    body: JSON.stringify(json),
  });
  await proxy.call('/v2/login', { method: 'POST', json: { email: 'desk', password: 'canary-guess' } });
  await proxy.stop();
  expect(proxy.log.length).toBeGreaterThan(3);
  expect(proxy.output()).not.toContain('canary');
});
