import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { type GatewayProcess, startGateway } from '../../gateway-process.ts';

/** Sends bytes and leaves the connection open; returns the received bytes and the time until the server closed it. */
async function converse({ url }: GatewayProcess, bytes: string): Promise<{ text: string; ms: number }> {
  const startedMs = performance.now();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return { text, ms: performance.now() - startedMs };
}

const statusOf = (text: string) => Number(text.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3));

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
  const { text, ms } = await converse(gateway, 'GET /endpoints HTTP/1.1\r\nHost: x\r\n');
  expect(statusOf(text)).toBe(408);
  expect(text).toContain('application/problem+json');
  expect(ms).toBeLessThan(10_000);
});

test('setting request_timeout_ms: an unfinished request body closes the connection', async () => {
  const gateway = await startGateway({
    settings: { request_timeout_ms: 500, headers_timeout_ms: 400 },
    endpoints: [{ path: '/api/echo', method: 'POST', service: 'echo' }],
  });
  const head = 'POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{';
  const { text, ms } = await converse(gateway, head);
  expect([408, 400]).toContain(statusOf(text));
  expect(ms).toBeLessThan(10_000);
});

test('setting keep_alive_timeout_ms: an idle connection is closed after that time', async () => {
  const gateway = await startGateway({ settings: { keep_alive_timeout_ms: 200 } });
  const { text, ms } = await converse(gateway, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(statusOf(text)).toBe(200);
  expect(ms).toBeLessThan(5_000);
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
