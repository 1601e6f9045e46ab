import { once } from 'node:events';
import https from 'node:https';
import { connect as connectTcp } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { exchange, parseResponses, readAll } from '../../test/raw-exchange.ts';
import { startEdge } from '../../test/start-edge.ts';
import { tlsPair } from '../../test/tls-pairs.ts';
import { renewTls } from './server.ts';

const tls = tlsPair('first');

/** Trusts only the certificates of the tests. */
const trust = { ca: [tls.certificate, tlsPair('second').certificate], servername: 'localhost' };

async function open(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', ...trust, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

async function sendOverTls(port: number, ...parts: string[]) {
  const socket = await open(port);
  const text = readAll(socket);
  for (const part of parts) socket.write(part);
  return parseResponses(await text);
}

describe('a server with TLS', () => {
  it.each([
    ['a valid request', 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 200],
    ['an unknown route', 'GET /none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
    ['no Host', 'GET /a HTTP/1.1\r\n\r\n', 400],
    ['an invalid request', 'nonsense\r\n\r\n', 400],
    ['a request that never ends', 'GET /a HTTP/1.1\r\nHost: a\r\n', 408],
    ['a head that is too long', `GET /a HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(80_000)}\r\n\r\n`, 431],
    ['a tunnel', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 501],
  ])('sends Strict-Transport-Security for %s', async (_case, bytes, status) => {
    const { port } = await startEdge({}, { tls, timeouts: status === 408 ? { headersMs: 2_000 } : {} });
    const [response] = await sendOverTls(port, bytes);
    expect([response?.status, response?.header('strict-transport-security')]).toEqual([status, 'max-age=31536000']);
  });

  it('uses HTTP/1.1 over TLS 1.2 and later', async () => {
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

  it('asks clients of plain HTTP to use https', async () => {
    const { port } = await startEdge({}, { tls });
    const [response] = parseResponses(await exchange(port, 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n'));
    expect(response).toMatchObject({ status: 400 });
    expect(response?.header('strict-transport-security')).toBeUndefined();
    expect(JSON.parse(response?.body ?? '')).toMatchObject({
      code: 'malformed_request',
      detail: expect.stringContaining('https'),
    });
  });

  it('closes connections without a TLS handshake', async () => {
    const { port } = await startEdge({}, { tls, timeouts: { headersMs: 2_000 } });
    expect(await exchange(port, '\x16\x03\x01 garbage of many bytes')).not.toContain('HTTP/');
    expect(await exchange(port)).toBe('');
    const gone = connectTcp(port, '127.0.0.1');
    await once(gone, 'connect');
    gone.resetAndDestroy();
    expect((await sendOverTls(port, 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'))[0]?.status).toBe(200);
  });

  it('uses a renewed certificate for new connections and serves open ones', async () => {
    const { port, server } = await startEdge({}, { tls });
    const nameOf = (socket: TLSSocket) => socket.getPeerCertificate().subject.CN;
    const old = await open(port);
    expect(nameOf(old)).toBe('first.test');
    renewTls(server, tlsPair('second'));
    const renewed = await open(port);
    expect(nameOf(renewed)).toBe('second.test');
    const text = readAll(old);
    old.write('GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(parseResponses(await text)[0]?.status).toBe(200);
    await expect(open(port, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })).rejects.toThrow();
    renewed.destroy();
  });

  it('reuses connections', async () => {
    const { port } = await startEdge({}, { tls });
    const agent = new https.Agent({ keepAlive: true, ...trust });
    const sockets = new Set<unknown>();
    for (let i = 0; i < 2; i++) {
      const request = https.get({ port, host: '127.0.0.1', path: '/a', agent });
      const [response] = await once(request, 'response');
      sockets.add(request.socket);
      response.resume();
      await once(response, 'end');
    }
    agent.destroy();
    expect(sockets.size).toBe(1);
  });
});

describe('renewTls', () => {
  it('throws for a server without TLS', async () => {
    const { server } = await startEdge({});
    expect(() => renewTls(server, tls)).toThrow('does not use TLS');
  });
});
