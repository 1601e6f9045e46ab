import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { exchangeBytes } from '../../exchange-bytes.ts';
import { startGateway } from '../../gateway-process.ts';

test('setting host: listens on that address', async () => {
  const { url, log } = await startGateway({ settings: { host: '127.0.0.2' } });
  expect(log.find(({ msg }) => msg === 'listening')).toMatchObject({ address: '127.0.0.2' });
  expect((await fetch(url.replace('127.0.0.1', '127.0.0.2'))).status).toBe(200);
});

test('setting port: a taken port is reported in one line with its variable', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  await expect(startGateway({ settings: { port }, env: { ROSTERGATE_PORT: '' } })).rejects.toThrow(
    new RegExp(`${port}[\\s\\S]*ROSTERGATE_PORT|ROSTERGATE_PORT[\\s\\S]*${port}`),
  );
  taken.close();
});

test('setting headers_timeout_ms: an unfinished request head is 408, and the connection closes', async () => {
  const gateway = await startGateway({ settings: { headers_timeout_ms: 300 } });
  const { status, headers } = await exchangeBytes(gateway.url, 'GET /endpoints HTTP/1.1\r\nHost: x\r\n', 10_000);
  expect([status, headers.get('Content-Type')]).toEqual([408, 'application/problem+json']);
});

test('setting request_timeout_ms: an unfinished request body closes the connection', async () => {
  const gateway = await startGateway({
    settings: { request_timeout_ms: 500, headers_timeout_ms: 400 },
    endpoints: [{ path: '/api/echo', method: 'POST', service: 'echo' }],
  });
  const head = 'POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{';
  expect([408, 400]).toContain((await exchangeBytes(gateway.url, head, 10_000)).status);
});

test('setting keep_alive_timeout_ms: an idle connection is closed after that time', async () => {
  const gateway = await startGateway({ settings: { keep_alive_timeout_ms: 200 } });
  const { status } = await exchangeBytes(gateway.url, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n', 5_000);
  expect(status).toBe(200);
});

test('setting drain_ms: a request in progress at SIGTERM has that long to end', async () => {
  const upstream = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as AddressInfo;
  const reached = once(upstream, 'connection');
  const gateway = await startGateway({
    settings: { drain_ms: 300 },
    endpoints: [{ path: '/api/slow', service: 'http', upstream: { targets: [`http://127.0.0.1:${port}`] } }],
  });
  const slow = fetch(`${gateway.url}/api/slow`).then(
    ({ status }) => status,
    () => 'cut',
  );
  await reached;
  const startedMs = performance.now();
  expect(await gateway.stop()).toBe(0);
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  expect(await slow).toBe('cut');
  upstream.close();
});
