import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startRedis } from '../../../../../packages/access/test/start-redis.ts';
import { startGateway } from '../../gateway-process.ts';
import { openKeys, statusOf, storeOf, untilAll } from '../../key-store.ts';
import { pollUntil } from '../../poll-until.ts';

test('setting key_store_url: keys in Redis are shared and outlive its restart, and an emptied Redis counts as away until a restart', async () => {
  const redis = await startRedis({ more: { appendonly: 'yes', appendfsync: 'always' } });
  onTestFinished(() => redis.close());
  const settings = { key_store_url: redis.url, key_store_stale_seconds_max: 3_600 };
  const keys = await openKeys(redis.url);
  const [kept, revoked] = [await keys.create('kept'), await keys.create('revoked')];
  const gateways = await Promise.all([
    startGateway({ settings }),
    startGateway({ settings: { ...settings, workers: 2 } }),
  ]);
  await untilAll(gateways, revoked, '200');
  await redis.stop();
  await redis.start();
  expect((await keys.run('revoke', 'revoked')).stdout).toBe('Revoked revoked.\n');
  await untilAll(gateways, revoked, '401 key_revoked');
  expect(await Promise.all(gateways.map((gateway) => statusOf(gateway, kept)))).toEqual(['200', '200']);

  // The first new key ends no others.
  const admin = connect(redis.port, '127.0.0.1').resume();
  admin.end('FLUSHALL\r\n');
  await once(admin, 'close');
  const restarted = await startGateway({ settings });
  expect(await statusOf(restarted, kept)).toBe('503 unavailable');
  expect(await storeOf(restarted)).toMatchObject({ reason: expect.stringContaining('no keys yet') });
  const fresh = await keys.create('fresh');
  await untilAll([restarted], fresh, '200');
  for (const gateway of gateways) {
    await pollUntil(async () => /emptied.*last known keys are used/.test(JSON.stringify(await storeOf(gateway))), {
      withinMs: 20_000,
      describe: gateway.output,
    });
    await untilAll([gateway], fresh, '503 unavailable');
    expect(await statusOf(gateway, kept)).toBe('200');
    expect(await statusOf(gateway, revoked)).toBe('401 key_revoked');
  }
  expect(await statusOf(restarted, kept)).toBe('401 key_invalid');
});

test('setting key_store_url: a key that is revoked while an upstream opens a WebSocket or a stream ends it', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const keys = await openKeys(redis.url);
  const [kept, revoked] = [await keys.create('kept'), await keys.create('revoked')];
  /** Lets the upstream respond to what it was asked for. */
  const waiting: (() => void)[] = [];
  const sockets = new WebSocketServer({ noServer: true });
  const upstream = createServer((_, res) => waiting.push(() => void res.write('data: 1\n\n')));
  upstream.on('upgrade', (req, socket, head) => {
    waiting.push(() => sockets.handleUpgrade(req, socket, head, (webSocket) => webSocket.on('error', () => {})));
  });
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    upstream.close();
    upstream.closeAllConnections();
  });
  const targets = [`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`];
  const gateway = await startGateway({
    settings: { key_store_url: redis.url, workers: 2 },
    endpoints: [
      { path: '/live', service: 'http', requires_auth: true, upstream: { targets, websocket: {} } },
      { path: '/events', service: 'http', requires_auth: true, upstream: { targets, stream_idle_ms: 60_000 } },
    ],
  });
  await untilAll([gateway], revoked, '200');
  await untilAll([gateway], kept, '200');
  const connect = (key: string) => {
    const webSocket = new WebSocket(`${gateway.url.replace('http', 'ws')}/live`, { headers: { 'X-API-Key': key } });
    webSocket.on('error', () => {});
    onTestFinished(() => webSocket.terminate());
    return webSocket;
  };
  const [staying, leaving] = [connect(kept), connect(revoked)];
  const [opened, closed] = [once(staying, 'open'), once(leaving, 'close')];
  const streaming = fetch(`${gateway.url}/events`, { headers: { 'X-API-Key': revoked } });
  await pollUntil(() => waiting.length === 3, { withinMs: 10_000, describe: gateway.output });
  expect((await keys.run('revoke', 'revoked')).exitCode).toBe(0);
  await untilAll([gateway], revoked, '401 key_revoked');
  for (const respond of waiting) respond();
  await opened;
  expect((await closed)[0]).toBe(1008);
  await expect(streaming.then((response) => response.text())).rejects.toThrow();
  expect(staying.readyState).toBe(WebSocket.OPEN);
});
