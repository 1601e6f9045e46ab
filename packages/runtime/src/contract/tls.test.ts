import { once } from 'node:events';
import https from 'node:https';
import { connect as connectPlainly } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { exchange, parseAnswers, readAll } from '../../test/raw-exchange.ts';
import { startEdge } from '../../test/start-edge.ts';
import { tlsPair } from '../../test/tls-pairs.ts';
import { renewTls } from './server.ts';

const tls = tlsPair('first');

/** Trusts the pairs of the tests and nothing else. */
const trust = { ca: [tls.certificate, tlsPair('second').certificate], servername: 'localhost' };

async function open(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', ...trust, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

async function askOverTls(port: number, ...parts: string[]) {
  const socket = await open(port);
  const text = readAll(socket);
  for (const part of parts) socket.write(part);
  return parseAnswers(await text);
}

describe('a server with TLS', () => {
  it.each([
    ['a good one', 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 200],
    ['an unknown route', 'GET /none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
    ['no Host', 'GET /a HTTP/1.1\r\n\r\n', 400],
    ['what is no request', 'nonsense\r\n\r\n', 400],
    ['a request that never ends', 'GET /a HTTP/1.1\r\nHost: a\r\n', 408],
    ['too long a head', `GET /a HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(80_000)}\r\n\r\n`, 431],
    ['a tunnel', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 501],
  ])('tells browsers to stay with TLS in the answer to %s', async (_case, bytes, status) => {
    const { port } = await startEdge({}, { tls, timeouts: { headersMs: 300 } });
    const [answer] = await askOverTls(port, bytes);
    expect([answer?.status, answer?.header('strict-transport-security')]).toEqual([status, 'max-age=31536000']);
  });

  it('speaks HTTP/1.1 over TLS 1.2 and above', async () => {
    const { port } = await startEdge({}, { tls });
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await open(port, { minVersion: version, maxVersion: version, ALPNProtocols: ['h2', 'http/1.1'] });
      expect([socket.getProtocol(), socket.alpnProtocol]).toEqual([version, 'http/1.1']);
      socket.destroy();
    }
    const old = open(port, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
    await expect(old).rejects.toThrow();
    await expect(open(port, { ALPNProtocols: ['h2'] })).rejects.toThrow();
  });

  it('tells who asks in plain HTTP to ask with https', async () => {
    const { port } = await startEdge({}, { tls });
    const [answer] = parseAnswers(await exchange(port, 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n'));
    expect(answer).toMatchObject({ status: 400 });
    expect(answer?.header('strict-transport-security')).toBeUndefined();
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({
      code: 'malformed_request',
      detail: expect.stringContaining('https'),
    });
  });

  it('ends connections that are no TLS, and that never become it', async () => {
    const { port } = await startEdge({}, { tls, timeouts: { headersMs: 200 } });
    expect(await exchange(port, '\x16\x03\x01 garbage of many bytes')).not.toContain('HTTP/');
    expect(await exchange(port)).toBe('');
    const gone = connectPlainly(port, '127.0.0.1');
    await once(gone, 'connect');
    gone.resetAndDestroy();
    expect((await askOverTls(port, 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'))[0]?.status).toBe(200);
  });

  it('serves a renewed certificate to new connections and goes on with the old ones', async () => {
    const { port, server } = await startEdge({}, { tls });
    const nameOf = (socket: TLSSocket) => socket.getPeerCertificate().subject.CN;
    const old = await open(port);
    expect(nameOf(old)).toBe('first.test');
    renewTls(server, tlsPair('second'));
    const renewed = await open(port);
    expect(nameOf(renewed)).toBe('second.test');
    const text = readAll(old);
    old.write('GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(parseAnswers(await text)[0]?.status).toBe(200);
    await expect(open(port, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })).rejects.toThrow();
    renewed.destroy();
  });

  it('keeps connections for the next request', async () => {
    const { port } = await startEdge({}, { tls });
    const agent = new https.Agent({ keepAlive: true, ...trust });
    const sockets = new Set<unknown>();
    for (let i = 0; i < 2; i++) {
      const request = https.get({ port, host: '127.0.0.1', path: '/a', agent });
      const [answer] = await once(request, 'response');
      sockets.add(request.socket);
      answer.resume();
      await once(answer, 'end');
    }
    agent.destroy();
    expect(sockets.size).toBe(1);
  });
});

describe('renewTls', () => {
  it('is refused for a server without TLS', async () => {
    const { server } = await startEdge({});
    expect(() => renewTls(server, tls)).toThrow('does not speak TLS');
  });
});
