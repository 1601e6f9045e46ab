import { expect, test } from 'vitest';
import { pickFreePort } from '../../../../workspace/free-ports.ts';
import { leastMs } from '../../least-ms.ts';
import { pollUntil } from '../../poll-until.ts';
import { digestOf, keys, shareStandInProxy, startStandInProxy, usualKeysFile, withKey } from '../stand-in-proxy.ts';

const proxies = shareStandInProxy();
const people = '/v2/staffmember';
const limits = { rate_limit_enabled: true, rate_limit_per_minute: 2, rate_limit_per_minute_authenticated: 3 };

test('setting host: listens only on that address', async () => {
  // Free on the other address too, where the test expects no server.
  const env = { ROSTERGATE_PROXY_PORT: String(await pickFreePort()) };
  const { url, log } = await startStandInProxy({ settings: { host: '127.0.0.2' }, env });
  expect(log).toContainEqual(expect.objectContaining({ msg: 'listening', address: '127.0.0.2' }));
  expect((await fetch(url.replace('127.0.0.1', '127.0.0.2') + people, withKey)).status).toBe(200);
  await expect(fetch(url + people, withKey)).rejects.toThrow();
});

test('setting port: listens on it, and on a free port for 0', async () => {
  const port = await pickFreePort();
  expect((await startStandInProxy({ env: { ROSTERGATE_PROXY_PORT: String(port) } })).url).toMatch(`:${port}`);
  expect((await startStandInProxy({ env: { ROSTERGATE_PROXY_PORT: '0' } })).url).not.toMatch(/:0$/);
});

test('setting keys_file: only its keys are valid', async () => {
  const other = { ...usualKeysFile, keys: [{ ...usualKeysFile.keys[0], sha256: digestOf('another-key') }] };
  const proxy = await startStandInProxy({
    settings: { keys_file: 'others.json' },
    files: { 'others.json': JSON.stringify(other) },
  });
  expect((await proxy.callWith('another-key', people)).status).toBe(200);
  expect((await proxy.callWith(keys.admin, people)).status).toBe(401);
});

test('setting token_lifetime_s: is in the response to a login', async () => {
  const proxy = await proxies.serve({ token_lifetime_s: 7 });
  const login = { email: 'desk', password: keys.reader };
  expect((await proxy.call('/v2/login', { method: 'POST', json: login })).body.expires_in).toBe('7');
});

test('setting rate_limit_enabled: false counts nothing, and responses have no limit headers', async () => {
  const proxy = await proxies.serve({ ...limits, rate_limit_enabled: false });
  for (let i = 0; i < 6; i++) {
    const { status, headers } = await proxy.call(people, withKey);
    expect([status, headers.get('RateLimit'), headers.get('RateLimit-Policy')]).toEqual([200, null, null]);
  }
});

test('setting rate_limit_per_minute, rate_limit_per_minute_authenticated: limit an address and an owner', async () => {
  const proxy = await proxies.serve(limits);
  const statuses = async (count: number, ask: () => Promise<{ status: number }>) => {
    const responses: number[] = [];
    for (let i = 0; i < count; i++) responses.push((await ask()).status);
    return responses;
  };
  expect(await statuses(3, () => proxy.call('/nowhere'))).toEqual([404, 404, 429]);
  expect(await statuses(4, () => proxy.call(people, withKey))).toEqual([200, 200, 200, 429]);
});

test('setting body_bytes_max: a body of that many bytes is accepted, one more byte is 413', async () => {
  const proxy = await proxies.serve({ body_bytes_max: 100 });
  const empty = JSON.stringify({ email: 'desk', password: '' }).length;
  const send = (length: number) =>
    proxy.call('/v2/login', { method: 'POST', json: { email: 'desk', password: 'x'.repeat(length - empty) } });
  expect([(await send(100)).status, (await send(101)).status]).toEqual([401, 413]);
});

test('setting drain_ms: a request in progress at SIGTERM has that long to end', async () => {
  const stop = async () => {
    const proxy = await startStandInProxy({ settings: { drain_ms: 400 } });
    proxy.upstream.answers.push(() => {});
    const cut = expect(fetch(proxy.url + people, withKey)).rejects.toThrow();
    await pollUntil(() => proxy.upstream.seen.length === 1, { withinMs: 10_000, describe: proxy.output });
    const before = performance.now();
    await proxy.stop();
    await cut;
    const tookMs = performance.now() - before;
    expect(proxy.log).toContainEqual(expect.objectContaining({ msg: 'stopped', cut_connections: 1 }));
    return tookMs;
  };
  // The default is 5 s.
  const msMax = 5_000;
  expect(await leastMs(stop, { msMax })).toBeLessThan(msMax);
});
