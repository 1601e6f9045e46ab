import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startForwarding } from './start-forwarding.ts';
import { goodKey } from './start-gateway.ts';
import { startWebSocketOrigin } from './start-web-socket-origin.ts';

const lines = [
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  `X-API-Key: ${goodKey}`,
];

const odd = fc.constantFrom(
  'Connection: keep-alive, Upgrade',
  'Connection: close',
  'Upgrade: websocket, h2c',
  'Upgrade: WebSocket/13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Sec-WebSocket-Key: \x80\xff',
  'Sec-WebSocket-Version: 13, 8',
  'Sec-WebSocket-Protocol: ,,,',
  'Sec-WebSocket-Protocol: rostergate',
  'Sec-WebSocket-Protocol: rostergate.key.',
  'Sec-WebSocket-Protocol: rostergate.key.%00, a',
  'Sec-WebSocket-Extensions: permessage-deflate; a="\\"',
  'Content-Length: 0',
  'Content-Length: 5',
  'Transfer-Encoding: chunked',
  'Expect: 100-continue',
  'Origin: https://evil.example',
  'X: y\r\n folded',
);

const change = fc.oneof(
  fc.record({ kind: fc.constant('drop'), at: fc.nat(lines.length - 1) }),
  fc.record({ kind: fc.constant('add'), at: fc.nat(lines.length), line: odd }),
  fc.record({ kind: fc.constant('byte'), at: fc.nat(260), byte: fc.nat(255) }),
  fc.record({ kind: fc.constant('cut'), at: fc.nat(260) }),
);
type Change = { kind: string; at: number; line?: string; byte?: number };

function handshakeOf(changes: readonly Change[], method: string, body: string): Buffer {
  const given = [...lines];
  for (const { kind, at, line } of changes) {
    if (kind === 'drop') given.splice(at, 1);
    if (kind === 'add') given.splice(at, 0, line as string);
  }
  let bytes = Buffer.from(`${method} /live/a HTTP/1.1\r\n${given.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  for (const { kind, at, byte } of changes) {
    if (kind === 'byte' && at < bytes.length) bytes[at] = byte as number;
    if (kind === 'cut') bytes = bytes.subarray(0, at);
  }
  return bytes;
}

/** Sends bytes in two parts, and returns the response, or what arrives until the connection ends. */
async function send(url: string, bytes: Buffer, cut: number): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {}).setNoDelay(true);
  let text = '';
  const ended = new Promise<void>((resolve) => {
    socket
      .on('close', () => resolve())
      .on('data', (chunk) => {
        text += chunk.toString('latin1');
        const end = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        if (end >= 0 && text.length >= end + 4 + length) resolve();
      });
  });
  await once(socket, 'connect');
  socket.write(bytes.subarray(0, cut));
  setImmediate(() => socket.write(bytes.subarray(cut)));
  await ended;
  socket.destroy();
  return text;
}

it('answers any handshake with a response, and only a valid one reaches the upstream', async () => {
  const origin = await startWebSocketOrigin();
  const { url, fetch } = await startForwarding({
    settings: { headers_timeout_ms: 300, request_timeout_ms: 600, keep_alive_timeout_ms: 100 },
    endpoints: [
      {
        path: '/live/{room}',
        service: 'http',
        requires_auth: true,
        upstream: { targets: [origin.url], path: '/live/{room}', websocket: {} },
      },
    ],
  });
  let opened = 0;
  await fc.assert(
    fc.asyncProperty(
      // Enough handshakes are unchanged that some open in every run.
      fc.oneof(
        { weight: 1, arbitrary: fc.array(change, { maxLength: 0 }) },
        { weight: 2, arbitrary: fc.array(change, { maxLength: 4 }) },
      ),
      fc.constantFrom('GET', 'GET', 'GET', 'POST', 'get', 'CONNECT'),
      fc.constantFrom('', '\x81\x80\0\0\0\0', '\xff'.repeat(100), 'GET /live/b HTTP/1.1\r\n\r\n'),
      fc.nat(300),
      async (changes, method, body, cut) => {
        const before = origin.seen.length;
        const text = await send(url, handshakeOf(changes as Change[], method, body), cut);
        const isOpen = text.startsWith('HTTP/1.1 101 ');
        if (isOpen) opened++;
        expect(text).toMatch(/^$|^HTTP\/1\.1 (?:101|400|401|403|404|405|408|417|426|431|501) /);
        expect(origin.seen.length - before).toBeLessThanOrEqual(1);
        const [seen] = origin.seen.slice(before);
        if (isOpen) expect(seen?.headers).toMatchObject({ upgrade: 'websocket', 'sec-websocket-version': '13' });
        if (seen !== undefined) expect(JSON.stringify(seen.rawHeaders)).not.toMatch(/x-api-key|rostergate\.key/i);
      },
    ),
    { numRuns: 150 },
  );
  expect(opened).toBeGreaterThan(5);
  expect((await fetch('/health/live')).status).toBe(200);
}, 120_000);
