import { expect, test } from 'vitest';
import { goodKey, startGateway } from '../../gateway-process.ts';

/** Returns the number of responses by status. */
async function statuses(url: string, count: number, headers: Record<string, string> = {}) {
  const responses = await Promise.all(Array.from({ length: count }, () => fetch(url, { headers })));
  await Promise.all(responses.map((response) => response.arrayBuffer()));
  const found: Record<number, number> = {};
  for (const { status } of responses) found[status] = (found[status] ?? 0) + 1;
  return found;
}

const limited = { rate_limit_enabled: true };

test('setting rate_limit_per_minute: limits an address to that many requests in 60 seconds', async () => {
  const { url } = await startGateway({ settings: { ...limited, rate_limit_per_minute: 4 } });
  expect(await statuses(`${url}/endpoints`, 7)).toEqual({ 200: 4, 429: 3 });
});

test('setting rate_limit_per_minute_authenticated: limits an owner, independent of the address', async () => {
  const { url } = await startGateway({
    settings: { ...limited, rate_limit_per_minute: 1, rate_limit_per_minute_authenticated: 5 },
  });
  expect(await statuses(`${url}/endpoints`, 2)).toEqual({ 200: 1, 429: 1 });
  expect(await statuses(`${url}/endpoints`, 8, { 'X-API-Key': goodKey })).toEqual({ 200: 5, 429: 3 });
});

test('setting rate_limit_enabled: false rejects nothing and removes the headers', async () => {
  const { url } = await startGateway({ settings: { rate_limit_enabled: false, rate_limit_per_minute: 1 } });
  expect(await statuses(`${url}/endpoints`, 20)).toEqual({ 200: 20 });
  const { headers } = await fetch(`${url}/endpoints`);
  expect([...headers.keys()].filter((name) => /^(ratelimit|retry-after)/.test(name))).toEqual([]);
});

test('setting trusted_proxies: the address is taken only from listed proxies', async () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const settings = { ...limited, rate_limit_per_minute: 2 };
  const direct = await startGateway({ settings });
  expect(await statuses(`${direct.url}/endpoints`, 3, from('198.51.100.1'))).toEqual({ 200: 2, 429: 1 });
  expect(await statuses(`${direct.url}/endpoints`, 1, from('198.51.100.2'))).toEqual({ 429: 1 });

  const behind = await startGateway({ settings: { ...settings, trusted_proxies: ['127.0.0.0/8'] } });
  expect(await statuses(`${behind.url}/endpoints`, 3, from('198.51.100.1'))).toEqual({ 200: 2, 429: 1 });
  expect(await statuses(`${behind.url}/endpoints`, 1, from('198.51.100.2'))).toEqual({ 200: 1 });
  expect(await statuses(`${behind.url}/endpoints`, 3, from('2001:db8:0:aa00::1'))).toEqual({ 200: 2, 429: 1 });
  expect(await statuses(`${behind.url}/endpoints`, 1, from('2001:db8:0:aaff::2'))).toEqual({ 429: 1 });
});
