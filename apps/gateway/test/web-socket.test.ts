import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WebSocket } from 'ws';
import { startForwarding } from './start-forwarding.ts';
import { goodKey, type StartOptions } from './start-gateway.ts';
import { startRawOrigin } from './start-origin.ts';
import { closed, connect, exchange, startWebSocketOrigin } from './start-web-socket-origin.ts';
import { waitFor } from './wait-for.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const endpoint = (url: string, websocket: object = {}, more: object = {}) => ({
  path: '/live/{room}',
  service: 'http',
  requires_auth: true,
  upstream: { targets: [url], path: '/chat/{room}', websocket },
  ...more,
});
const key = { headers: { 'X-API-Key': goodKey } };
const keyProtocol = (text: string) => `rostergate.key.${Buffer.from(text).toString('base64url')}`;

/** Starts a gateway with one WebSocket endpoint in front of an upstream that returns each message. */
async function start(websocket: object = {}, options: StartOptions & { readonly more?: object } = {}) {
  const origin = await startWebSocketOrigin({
    handleProtocols: (offered) => (offered.has('chat') ? 'chat' : false),
  });
  const { more, ...rest } = options;
  const endpoints = [endpoint(origin.url, websocket, more), { path: '/plain', service: 'echo' }];
  const gateway = await startForwarding({ endpoints, ...rest });
  const apply = async (next: StartOptions) => gateway.app.apply(await gateway.configure({ endpoints, ...next }));
  return { ...gateway, origin, endpoints, apply };
}

const handshakeHeaders = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

/** Sends a handshake whose headers are changed, and returns the response that rejects it. */
async function reject(url: string, changes: Record<string, string | undefined> = {}, method = 'GET') {
  const headers = Object.entries({ ...handshakeHeaders, 'X-API-Key': goodKey, ...changes });
  const req = request(url, { method, headers: Object.fromEntries(headers.filter(([, value]) => value !== undefined)) });
  const upgraded = once(req, 'upgrade').then(([, socket]) => socket.destroy());
  upgraded.catch(() => {});
  const [res] = (await once(req.end(), 'response')) as [IncomingMessage];
  const body = await text(res);
  const { code, detail } = body.startsWith('{') ? JSON.parse(body) : { code: body, detail: undefined };
  return { status: res.statusCode, headers: res.headers, code, detail };
}

const metric = async (fetch: (path: string) => Promise<Response>, name: string) =>
  (await (await fetch('/metrics')).text()).split('\n').filter((line) => line.startsWith(name));

describe('a WebSocket', () => {
  it('passes messages of any size and kind both ways, and pings', async () => {
    const { url, origin } = await start();
    const webSocket = await connect(`${url}/live/a%20b?c=d`, [], key);
    expect((await exchange(webSocket, 'Hello')).toString()).toBe('Hello');
    const large = randomBytes(3_000_000);
    expect((await exchange(webSocket, large)).equals(large)).toBe(true);
    const ponged = once(webSocket, 'pong');
    webSocket.ping('p');
    expect(String((await ponged)[0])).toBe('p');
    const { url: path, headers } = origin.seen[0] as IncomingMessage;
    expect(path).toBe('/chat/a%20b?c=d');
    expect(headers).not.toHaveProperty('x-api-key');
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', via: '1.1 rostergate', upgrade: 'websocket' });
  });

  it('passes the close code and reason of either side', async () => {
    const { url, origin } = await start();
    const first = await connect(`${url}/live/a`, [], key);
    const [upstream] = origin.sockets as Set<WebSocket>;
    const seen = closed(upstream as WebSocket);
    first.close(4001, 'from the client');
    expect(await seen).toEqual([4001, 'from the client']);
    const second = await connect(`${url}/live/a`, [], key);
    for (const socket of origin.sockets) socket.close(4002, 'from the upstream');
    expect(await closed(second)).toEqual([4002, 'from the upstream']);
  });

  it('reads from one side as fast as the other accepts', async () => {
    const { url, origin } = await start();
    const webSocket = await connect(`${url}/live/a`, [], key);
    const [upstream] = origin.sockets as Set<WebSocket>;
    (upstream as WebSocket & { pause(): void }).pause();
    const message = Buffer.alloc(1_000_000);
    for (let i = 0; i < 100; i++) webSocket.send(message);
    await waitFor(() => expect(webSocket.bufferedAmount).toBeLessThan(99_000_000));
    const before = webSocket.bufferedAmount;
    await waitFor(async () => {
      const now = webSocket.bufferedAmount;
      await wait(200);
      expect(webSocket.bufferedAmount).toBe(now);
    });
    // Buffers of the system and the gateway hold the rest.
    expect(before).toBeGreaterThan(50_000_000);
    (upstream as WebSocket & { resume(): void }).resume();
    await waitFor(() => expect(webSocket.bufferedAmount).toBe(0));
  });

  it('frames that follow the handshake at once arrive', async () => {
    const { url, origin } = await start();
    const socket = connectTcp(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const head = Object.entries({ Host: 'x', ...handshakeHeaders, 'X-API-Key': goodKey });
    const frame = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]);
    socket.write(`GET /live/a HTTP/1.1\r\n${head.map(([n, v]) => `${n}: ${v}`).join('\r\n')}\r\n\r\n`);
    socket.write(frame);
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    await waitFor(() => expect(received.endsWith('\x81\x02hi')).toBe(true));
    expect(received).toMatch(/^HTTP\/1.1 101 Switching Protocols\r\n/);
    expect(origin.seen).toHaveLength(1);
  });
});

describe('a handshake', () => {
  it.each<[string, number, string, Record<string, string | undefined>, object?]>([
    ['without a key', 401, 'key_missing', { 'X-API-Key': undefined }],
    ['with a wrong key', 401, 'key_invalid', { 'X-API-Key': 'wrong' }],
    [
      'with a wrong key as subprotocol',
      401,
      'key_invalid',
      { 'X-API-Key': undefined, 'Sec-WebSocket-Protocol': `rostergate, ${keyProtocol('x')}` },
    ],
    [
      'with a subprotocol that is no base64url',
      401,
      'key_invalid',
      { 'X-API-Key': undefined, 'Sec-WebSocket-Protocol': 'rostergate, rostergate.key.!' },
    ],
    [
      'with the key in two ways',
      401,
      'key_repeated',
      { 'Sec-WebSocket-Protocol': `rostergate, ${keyProtocol(goodKey)}` },
    ],
    [
      'with the key as the only subprotocol',
      400,
      'malformed_request',
      { 'X-API-Key': undefined, 'Sec-WebSocket-Protocol': keyProtocol(goodKey) },
    ],
    ['from a page of another origin', 403, 'origin_forbidden', { Origin: 'https://evil.example' }],
    ['from a page without an origin', 403, 'origin_forbidden', { Origin: 'null' }],
    [
      'of another version',
      426,
      'upgrade_required',
      { 'Sec-WebSocket-Version': '8' },
      { 'sec-websocket-version': '13', upgrade: 'websocket' },
    ],
    ['without a version', 426, 'upgrade_required', { 'Sec-WebSocket-Version': undefined }],
    ['without a nonce', 400, 'malformed_request', { 'Sec-WebSocket-Key': undefined }],
    ['with a short nonce', 400, 'malformed_request', { 'Sec-WebSocket-Key': 'AAAA' }],
    [
      'without Upgrade',
      426,
      'upgrade_required',
      { Upgrade: undefined, Connection: undefined },
      { upgrade: 'websocket', connection: 'Upgrade' },
    ],
    ['without Connection: Upgrade', 426, 'upgrade_required', { Connection: undefined }],
    ['with a body', 426, 'upgrade_required', { 'Content-Length': '0', 'Transfer-Encoding': 'chunked' }],
    ['for another protocol', 426, 'upgrade_required', { Upgrade: 'h2c' }],
  ])('%s gets a problem, and the upstream no request', async (_, status, code, changes, headers = {}) => {
    const { url, origin } = await start({ origins: ['https://app.example'] });
    const { 'Content-Length': __, ...sent } = changes as Record<string, string>;
    expect(await reject(`${url}/live/a`, sent)).toMatchObject({ status, code, headers });
    expect(origin.seen).toHaveLength(0);
  });

  it.each(['GET /live/a HTTP/1.1\r\nConnection: close', 'GET /live/a HTTP/1.0'])(
    'that is none ends the connection of a client that expects it: %s',
    async (head) => {
      const { url } = await start();
      const socket = connectTcp(Number(new URL(url).port), '127.0.0.1');
      socket.write(`${head}\r\nHost: x\r\nX-API-Key: ${goodKey}\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 426 [\s\S]*\r\nConnection: Upgrade, close\r\n/);
    },
  );

  it('of an endpoint without WebSockets, or with another method, is rejected as before', async () => {
    const { url } = await start();
    expect(await reject(`${url}/plain`)).toMatchObject({ status: 501, code: 'not_implemented' });
    expect(await reject(`${url}/live/a`, {}, 'POST')).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(await reject(`${url}/nothing`)).toMatchObject({ status: 501 });
  });

  it('with a valid key and a needed scope is checked for the scope', async () => {
    const { url } = await start({}, { more: { scopes: ['live'] } });
    expect(await reject(`${url}/live/a`)).toMatchObject({ status: 403, code: 'scope_missing' });
  });

  it('counts against the limit like any request', async () => {
    const { url } = await start({}, { settings: { rate_limit_enabled: true, rate_limit_per_minute_authenticated: 2 } });
    await connect(`${url}/live/a`, [], key);
    expect(await reject(`${url}/live/a`, { Origin: 'https://x.example' })).toMatchObject({ status: 403 });
    expect(await reject(`${url}/live/a`)).toMatchObject({ status: 429, code: 'limit_exceeded' });
  });

  it('from an allowed page is accepted; so is any page with *', async () => {
    const allowed = { ...key, origin: 'https://app.example' };
    const first = await start({ origins: ['https://app.example'] });
    await connect(`${first.url}/live/a`, [], allowed);
    const second = await start({ origins: ['*'] });
    await connect(`${second.url}/live/a`, [], { ...key, origin: 'https://other.example' });
  });

  it('takes the key as a subprotocol, which is never forwarded nor selected', async () => {
    const { url, origin } = await start({ origins: ['*'] });
    const chosen = await connect(`${url}/live/a`, ['chat', 'other', keyProtocol(goodKey)]);
    expect(chosen.protocol).toBe('chat');
    expect(origin.seen[0]?.headers['sec-websocket-protocol']).toBe('chat, other');
    const own = await connect(`${url}/live/a`, ['rostergate', keyProtocol(goodKey)]);
    expect(own.protocol).toBe('rostergate');
    expect(origin.seen[1]?.headers).not.toHaveProperty('sec-websocket-protocol');
    expect(JSON.stringify(origin.seen.map(({ rawHeaders }) => rawHeaders))).not.toMatch(
      /rostergate\.key|Authorization/i,
    );
  });

  it('that the upstream rejects returns its response', async () => {
    const origin = await startWebSocketOrigin();
    const { url, fetch } = await startForwarding({
      endpoints: [{ ...endpoint(origin.url), upstream: { targets: [origin.url], path: '/refuse', websocket: {} } }],
    });
    expect(await reject(`${url}/live/a`)).toMatchObject({ status: 403, code: 'no', headers: { 'x-why': 'test' } });
    expect(await metric(fetch, 'live_connections{')).toEqual([]);
  });

  it('that the upstream rejects with a long response returns all of it', async () => {
    const body = 'x'.repeat(2_000_000);
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n`;
    const origin = await startRawOrigin((socket) => socket.write(head + body));
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    expect((await reject(`${url}/live/a`)).code).toHaveLength(body.length);
  });

  it.each([
    ['with a wrong Sec-WebSocket-Accept', 'Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA='],
    ['without Sec-WebSocket-Accept', 'X-A: b'],
    [
      'with a subprotocol that was not offered',
      'Sec-WebSocket-Accept: ICX+Yqv66kxgM0FcWaLWlFLwTAI=\r\nSec-WebSocket-Protocol: x',
    ],
  ])('that the upstream answers with a 101 %s is 502, and its connection is closed', async (_, field) => {
    const origin = await startRawOrigin((socket) =>
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${field}\r\n\r\n`),
    );
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    expect(await reject(`${url}/live/a`)).toMatchObject({ status: 502, code: 'upstream_failed' });
    await waitFor(() => expect(origin.sockets.size).toBe(0));
  });

  it('is 502 without an upstream, and 504 when it does not respond in time', async () => {
    const gone = await startForwarding({ endpoints: [endpoint('http://127.0.0.1:9')] });
    expect(await reject(`${gone.url}/live/a`)).toMatchObject({ status: 502 });
    const silent = await startRawOrigin(() => {});
    const { url } = await startForwarding({
      endpoints: [{ ...endpoint(silent.url), upstream: { targets: [silent.url], timeout_ms: 100, websocket: {} } }],
    });
    expect(await reject(`${url}/live/a`)).toMatchObject({ status: 504, code: 'upstream_timeout' });
  });

  it('that the client abandons is abandoned at the upstream', async () => {
    const origin = await startRawOrigin(() => {});
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    const req = request(`${url}/live/a`, { headers: { ...handshakeHeaders, ...key.headers } }).end();
    req.on('error', () => {});
    await waitFor(() => expect(origin.heads).toHaveLength(1));
    req.destroy();
    await waitFor(() => expect(origin.sockets.size).toBe(0));
  });

  it('above connections_max is 503 until another closes', async () => {
    const { url } = await start({ connections_max: 2 });
    const first = await connect(`${url}/live/a`, [], key);
    await connect(`${url}/live/b`, [], key);
    expect(await reject(`${url}/live/c`)).toMatchObject({
      status: 503,
      code: 'unavailable',
      headers: { 'retry-after': '1' },
    });
    first.close();
    await closed(first);
    await waitFor(() => connect(`${url}/live/c`, [], key));
  });
});

describe('an open WebSocket', () => {
  it('is closed with 1008 when its key is removed, and others stay open', async () => {
    const { url, apply } = await start({}, { settings: { api_keys: `${goodKey},other` } });
    const [first, second] = await Promise.all([
      connect(`${url}/live/a`, [], key),
      connect(`${url}/live/a`, [], { headers: { 'X-API-Key': 'other' } }),
    ]);
    const ended = closed(first);
    await apply({ settings: { api_keys: 'other' } });
    expect(await ended).toEqual([1008, 'The key is no longer valid for this endpoint.']);
    expect((await exchange(second, 'still')).toString()).toBe('still');
  });

  it('is closed with 1008 when its key expires or loses a scope', async () => {
    let nowMs = Date.now();
    const keysFile = (scopes: string[]) =>
      JSON.stringify({
        keys: [
          {
            name: 'a',
            owner: 'a',
            sha256: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
            scopes,
            expires_at: new Date(nowMs + 60_000).toISOString(),
          },
          { name: 'b', owner: 'b', sha256: '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d', scopes },
        ],
      });
    const { url, apply } = await start(
      {},
      {
        more: { scopes: ['live'] },
        files: { 'keys.json': keysFile(['live']) },
        clock: () => nowMs,
      },
    );
    const [a, b] = await Promise.all(
      ['a', 'b'].map((text) => connect(`${url}/live/a`, [], { headers: { 'X-API-Key': text } })),
    );
    const expired = closed(a as WebSocket);
    nowMs += 60_000;
    expect((await expired)[0]).toBe(1008);
    const lost = closed(b as WebSocket);
    await apply({ files: { 'keys.json': keysFile([]) } });
    expect((await lost)[0]).toBe(1008);
  });

  it('is closed with 1008 when its address is denied, also behind a proxy', async () => {
    const settings = { trusted_proxies: ['127.0.0.0/8'] };
    const { url, app, configure, endpoints } = await start({}, { settings });
    const from = (address: string) =>
      connect(`${url}/live/a`, [], { headers: { ...key.headers, 'X-Forwarded-For': address } });
    const [denied, other] = [await from('192.0.2.1'), await from('192.0.2.2')];
    const ended = closed(denied);
    const file = {
      policies: { office: { type: 'addresses', deny: ['192.0.2.1'] } },
      policies_for_all: ['office'],
      endpoints,
    };
    await app.apply(await configure({ settings, files: { 'endpoints.json': JSON.stringify(file) } }));
    expect(await ended).toEqual([1008, 'This address is no longer allowed to connect.']);
    expect((await exchange(other, 'still')).toString()).toBe('still');
  });

  it('is closed with 1001 when its endpoint is disabled', async () => {
    const { url, apply, endpoints } = await start();
    const webSocket = await connect(`${url}/live/a`, [], key);
    const ended = closed(webSocket);
    await apply({ endpoints: endpoints.map((one) => ({ ...one, enabled: false })) });
    expect(await ended).toEqual([1001, 'The endpoint is no longer served.']);
  });

  it('is closed with 1001 after silence, but not while data or pings pass', async () => {
    const { url } = await start({ idle_ms: 4_000 });
    const webSocket = await connect(`${url}/live/a`, [], key);
    const startedMs = performance.now();
    const ended = closed(webSocket);
    for (let i = 0; i < 9; i++) {
      await wait(500);
      webSocket.ping();
    }
    expect(webSocket.readyState).toBe(webSocket.OPEN);
    expect(await ended).toEqual([1001, 'No data was sent for too long.']);
    expect(performance.now() - startedMs).toBeGreaterThan(8_000);
  });

  it('is closed with 1001 when the server stops, also at the upstream', async () => {
    const { url, origin, app } = await start();
    const webSocket = await connect(`${url}/live/a`, [], key);
    const [upstream] = origin.sockets as Set<WebSocket>;
    const ended = Promise.all([closed(webSocket), closed(upstream as WebSocket)]);
    app.beginDrain();
    expect((await ended).map(([code]) => code)).toEqual([1001, 1001]);
  });

  it('gets a whole frame before the Close frame', async () => {
    const raw = await startRawOrigin((socket, head) => {
      const nonce = /sec-websocket-key: (\S+)/i.exec(head)?.[1] ?? '';
      expect(nonce).toBe(handshakeHeaders['Sec-WebSocket-Key']);
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ICX+Yqv66kxgM0FcWaLWlFLwTAI=\r\n\r\n',
      );
      socket.write(Buffer.from([0x82, 4, 1, 2]));
      sockets.push(socket);
    });
    const sockets: Socket[] = [];
    const { url, app } = await startForwarding({ endpoints: [endpoint(raw.url)] });
    const req = request(`${url}/live/a`, { headers: { ...handshakeHeaders, ...key.headers } }).end();
    const [, client, head] = (await once(req, 'upgrade')) as [IncomingMessage, Socket, Buffer];
    const received = [head];
    client.on('data', (chunk: Buffer) => received.push(chunk));
    await waitFor(() => expect(Buffer.concat(received)).toHaveLength(4));
    app.beginDrain();
    sockets[0]?.write(Buffer.from([3, 4, 0x82, 1, 5]));
    await once(client, 'end');
    const bytes = Buffer.concat(received);
    expect([...bytes.subarray(0, 8)]).toEqual([0x82, 4, 1, 2, 3, 4, 0x88, bytes.length - 8]);
    expect(bytes.readUInt16BE(8)).toBe(1001);
  });

  it('is counted while it is open, and logged with its duration and bytes at its end', async () => {
    const { url, fetch, log } = await start();
    const webSocket = await connect(`${url}/live/a`, [], key);
    expect(await metric(fetch, 'live_connections{')).toEqual([
      'live_connections{route="/live/{room}",kind="websocket"} 1',
    ]);
    await exchange(webSocket, 'x'.repeat(1_000));
    webSocket.close();
    await closed(webSocket);
    await waitFor(async () =>
      expect(await metric(fetch, 'live_connections')).toEqual([
        'live_connections{route="/live/{room}",kind="websocket"} 0',
        'live_connections_closed_total{route="/live/{room}",kind="websocket",reason="client"} 1',
      ]),
    );
    const lines = log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const line = lines.find(({ msg }) => msg === 'WebSocket closed');
    expect(line).toMatchObject({ route: '/live/{room}', reason: 'client', level: 'info' });
    expect(line.bytes_in).toBeGreaterThan(1_000);
    expect(line.bytes_out).toBeGreaterThan(1_000);
    expect(lines.find(({ status }) => status === 101)).toMatchObject({ request_id: line.request_id });
    expect(log()).not.toContain(goodKey);
  });

  it('stays open across 1,000 reloads and holds no earlier generation', async () => {
    const { url, apply, app } = await start();
    const before = await connect(`${url}/live/a`, [], key);
    const first = new WeakRef(app.generation().router);
    const later: WeakRef<object>[] = [];
    for (let i = 0; i < 1_000; i++) {
      await apply({ settings: { rate_limit_per_minute: 1 + (i % 9) } });
      if (i % 100 === 0) {
        await connect(`${url}/live/${i}`, [], key);
        later.push(new WeakRef(app.generation().router));
      }
    }
    await apply({});
    expect((await exchange(before, 'open')).toString()).toBe('open');
    await waitFor(() => {
      collectGarbage();
      expect([first, ...later].filter((ref) => ref.deref() !== undefined)).toHaveLength(0);
    });
  }, 400_000);
});
