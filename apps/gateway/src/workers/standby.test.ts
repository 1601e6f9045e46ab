import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createHealthHandlers } from '@rostergate/server/lifecycle';
import { expect, it, onTestFinished } from 'vitest';
import { createStandby } from './standby.ts';

it.each([
  ['a request', 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a WebSocket handshake', 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ['an unknown coding', 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
  ['two hosts', 'GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
])('responds to %s with 503', async (_, sent) => {
  const standby = createStandby({
    health: createHealthHandlers({ version: '1', clock: Date.now, startedMs: Date.now(), dependencies: {} }),
    randomId: () => 'id',
    portSetting: '--port',
  });
  const { port } = await standby.open({ host: '127.0.0.1', port: 0, tls: undefined });
  onTestFinished(() => standby.close());
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(sent);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 503 /);
});
