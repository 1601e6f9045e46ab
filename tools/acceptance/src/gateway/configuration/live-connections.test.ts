import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type GatewayProcess, runCommand, startGateway } from '../../gateway-process.ts';
import { withPunctualWorkers } from '../../punctual-workers.ts';

const digest = (key: string) => createHash('sha256').update(key).digest('hex');
const entry = (name: string) => ({ name, owner: name, sha256: digest(`key-${name}`) });

/** Starts an upstream of WebSockets and of event streams. */
async function startUpstream(): Promise<string> {
  const server = createServer((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    res.flushHeaders();
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (webSocket) => webSocket.on('error', () => {}));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const webSocket of sockets.clients) webSocket.terminate();
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function start(workers: number): Promise<GatewayProcess> {
  const target = { targets: [await startUpstream()] };
  const common = { service: 'http', requires_auth: true };
  return startGateway({
    settings: { workers, drain_ms: 20_000 },
    endpoints: [
      { path: '/live', ...common, upstream: { ...target, websocket: {} } },
      { path: '/events', ...common, upstream: { ...target, stream_idle_ms: 0 } },
    ],
    files: { 'keys.json': JSON.stringify({ keys: [entry('one'), entry('two')] }) },
  });
}

async function openWebSocket({ url }: GatewayProcess, key: string) {
  const webSocket = new WebSocket(`${url.replace('http', 'ws')}/live`, { headers: { 'X-API-Key': key } });
  onTestFinished(() => webSocket.terminate());
  await once(webSocket, 'open');
  return { webSocket, closed: once(webSocket, 'close').then(([code]) => ({ code })) };
}

/** Resolves, once the stream is open, with a promise for how it ends. */
async function openStream({ url }: GatewayProcess, key: string) {
  const response = await fetch(`${url}/events`, { headers: { 'X-API-Key': key } });
  const ended = response.text().then(
    () => ({ isWhole: true }),
    () => ({ isWhole: false }),
  );
  return { ended };
}

describe.each([1, 2])('with %i workers', (workers) => {
  test('a revoked key closes its WebSockets with 1008 and its streams, which never end by silence, and no others', async () => {
    await withPunctualWorkers(
      () => start(workers),
      async (gateway) => {
        const sockets = await Promise.all(Array.from({ length: 8 }, () => openWebSocket(gateway, 'key-one')));
        const streams = await Promise.all(Array.from({ length: 8 }, () => openStream(gateway, 'key-one')));
        const other = await openWebSocket(gateway, 'key-two');
        expect(await runCommand(['keys', 'revoke', 'one'], { cwd: gateway.folder })).toMatchObject({ exitCode: 0 });
        const closed = await Promise.all(sockets.map((one) => one.closed));
        const ended = await Promise.all(streams.map((one) => one.ended));
        expect(closed.map(({ code }) => code)).toEqual(Array(8).fill(1008));
        expect(ended.map(({ isWhole }) => isWhole)).toEqual(Array(8).fill(false));
        expect(other.webSocket.readyState).toBe(WebSocket.OPEN);
      },
    );
  });

  test('SIGTERM closes WebSockets with 1001 and ends streams, before the deadline of the drain', async () => {
    const gateway = await start(workers);
    const sockets = await Promise.all(Array.from({ length: 4 }, () => openWebSocket(gateway, 'key-one')));
    const streams = await Promise.all(Array.from({ length: 4 }, () => openStream(gateway, 'key-one')));
    const startedMs = performance.now();
    const exited = once(gateway.child, 'exit');
    gateway.child.kill('SIGTERM');
    expect((await Promise.all(sockets.map((one) => one.closed))).map(({ code }) => code)).toEqual(Array(4).fill(1001));
    expect((await Promise.all(streams.map((one) => one.ended))).map(({ isWhole }) => isWhole)).toEqual(
      Array(4).fill(true),
    );
    expect((await exited)[0]).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(15_000);
  });
});
