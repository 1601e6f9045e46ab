import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bearer, corp, createSigningKey, createStandInIssuer, signToken } from './stand-in-issuer.ts';
import { startForwarding } from './start-forwarding.ts';
import { startOrigin } from './start-origin.ts';
import { closed, connect, exchange, startWebSocketOrigin } from './start-web-socket-origin.ts';

const key = createSigningKey('first');
const toleranceSeconds = 60;

/** Starts a gateway with a WebSocket and an event stream that take tokens; `time` is its clock. */
async function start() {
  const sockets = await startWebSocketOrigin();
  const events = await startOrigin((_request, _req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
  });
  const time = { ms: Date.now() };
  const endpoint = (path: string, upstream: object) => ({ path, service: 'http', auth: ['jwt:corp'], upstream });
  const endpoints = [
    endpoint('/live', { targets: [sockets.url], websocket: {} }),
    endpoint('/events', { targets: [events.url], stream_idle_ms: 0 }),
  ];
  const settings = { jwt_issuers: [{ ...corp, clock_tolerance_seconds: toleranceSeconds }] };
  const { loadKeys } = createStandInIssuer(key);
  const gateway = await startForwarding({ endpoints, settings, loadKeys, clock: () => time.ms });
  const reload = async () => gateway.app.apply(await gateway.configure({ endpoints, settings }));
  /** Returns a token that expires in so many seconds. */
  const tokenFor = (seconds: number) => signToken(key, { claims: { exp: Math.floor(time.ms / 1000) + seconds } });
  return { ...gateway, sockets, time, reload, tokenFor };
}

async function openEvents(url: string, token: string) {
  const req = get(`${url}/events`, { ...bearer(token), agent: false });
  onTestFinished(() => void req.destroy());
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  res.on('error', () => {}).resume();
  return { status: res.statusCode, broken: once(res, 'error').then(() => true as const) };
}

/** Longer than connections take to end after the expiry of their credential. */
const checkedMs = 1_000;

describe('a connection with a token', () => {
  it('stays open within the clock tolerance, also across a reload, and ends with it', async () => {
    const { url, time, reload, tokenFor } = await start();
    const token = await tokenFor(-10);
    const webSocket = await connect(`${url}/live`, [], bearer(token));
    const ended = closed(webSocket);
    const { status, broken } = await openEvents(url, token);
    expect(status).toBe(200);
    expect(await reload()).toBe(true);
    expect(await Promise.race([ended, broken, wait(checkedMs, 'open')])).toBe('open');
    expect((await exchange(webSocket, 'Hello')).toString()).toBe('Hello');
    time.ms += toleranceSeconds * 1000;
    expect((await ended)[0]).toBe(1008);
    expect(await broken).toBe(true);
  });

  it('ends within 1 s when the token expires while it is open', async () => {
    const { url, time, tokenFor } = await start();
    let token = '';
    // The least of three times: a busy machine only adds.
    let leastMs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 3 && leastMs >= checkedMs; i++) {
      token = await tokenFor(300);
      const webSocket = await connect(`${url}/live`, [], bearer(token));
      const ended = closed(webSocket);
      const { broken } = await openEvents(url, token);
      time.ms += (300 + toleranceSeconds) * 1000;
      const expiredMs = performance.now();
      expect(await Promise.all([ended, broken])).toEqual([
        [1008, 'The key is no longer valid for this endpoint.'],
        true,
      ]);
      leastMs = Math.min(leastMs, performance.now() - expiredMs);
    }
    expect(leastMs).toBeLessThan(checkedMs);
    await expect(connect(`${url}/live`, [], bearer(token))).rejects.toThrow('401');
  });

  it('takes the token as a subprotocol, which is never forwarded, and ends with it too', async () => {
    const { url, sockets, time, tokenFor } = await start();
    const protocol = `rostergate.key.${Buffer.from(await tokenFor(300)).toString('base64url')}`;
    const webSocket = await connect(`${url}/live`, ['rostergate', protocol]);
    const ended = closed(webSocket);
    expect([webSocket.protocol, (await exchange(webSocket, 'Hello')).toString()]).toEqual(['rostergate', 'Hello']);
    for (const name of ['authorization', 'sec-websocket-protocol', 'x-api-key']) {
      expect(sockets.seen[0]?.headers).not.toHaveProperty(name);
    }
    await expect(connect(`${url}/live`, ['rostergate', `${protocol}x`])).rejects.toThrow('401');
    time.ms += (300 + toleranceSeconds) * 1000;
    expect((await ended)[0]).toBe(1008);
  });
});
