import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { call } from '../call.ts';
import { startGateway } from '../gateway-process.ts';
import { startProxy } from '../proxy-process.ts';
import { sendBytes } from '../send-bytes.ts';
import { serverNames } from '../server-names.ts';

function expectSecure(headers: Headers): void {
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
  expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
  for (const name of ['X-Powered-By', 'Server']) expect(headers.get(name), name).toBeNull();
}

const long = 'a'.repeat(40_000);
/** Requests that Node's parser rejects, or that no route can handle. */
const rejected: [string, number, string][] = [
  ['bytes that are not a request', 400, 'hello\r\n\r\n'],
  ['no Host', 400, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['a URL that is too long', 414, `GET /${long} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
  ['headers that are too large', 431, `GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${long}\r\n\r\n`],
  ['a tunnel', 501, 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a WebSocket', 501, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
];

describe.each(serverNames)('%s', (server) => {
  test.each([
    ['GET', '/health', 200],
    ['GET', '/', 200],
    ['GET', '/docs', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/nowhere', 404],
    ['DELETE', '/health', 405],
    ['GET', '/health?nothing=1', 400],
  ])('%s %s (%i) has the security headers', async (method, path, status) => {
    const response = await call(server, path, { method });
    expect(response.status).toBe(status);
    expectSecure(response.headers);
  });

  test.each(rejected)('%s (%i) has the security headers', async (_, status, bytes) => {
    const response = await sendBytes(server, bytes);
    expect(response.status).toBe(status);
    expectSecure(response.headers);
  });

  test.each(['/', '/docs', '/redoc'])(
    'the page %s runs only scripts that this server serves as files',
    async (path) => {
      const policy = (await call(server, path)).headers.get('Content-Security-Policy') ?? '';
      const scripts = /script-src([^;]*)/.exec(policy)?.[1] ?? '';
      expect(policy).toMatch(/^default-src 'none'/);
      expect(policy).toMatch(/base-uri 'none'/);
      expect(scripts).not.toMatch(/unsafe-inline|unsafe-eval|\*|https?:|data:/);
    },
  );

  test('no origin is allowed by default', async () => {
    const response = await call(server, '/health', { headers: { Origin: 'https://elsewhere.example' } });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

describe('over TLS', () => {
  const files = { tls_certificate_file: 'cert.pem', tls_key_file: 'key.pem' };
  const read = (part: string) =>
    readFileSync(new URL(`../../../../packages/server/test/tls/first.${part}.pem`, import.meta.url), 'utf8');
  const pair = { 'cert.pem': read('certificate'), 'key.pem': read('key') };
  const keysFile = { accounts: { a: { email: 'a@b.example', password: 'x', company_key: 'C' } } };

  test.each([
    ['gateway', () => startGateway({ settings: files, files: pair })],
    ['staff-proxy', () => startProxy({ keysFile, settings: files, files: pair })],
  ])('%s sends Strict-Transport-Security, also with responses to rejected bytes', async (_, start) => {
    const { url } = await start();
    const requests = [
      'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ...rejected.map(([, , bytes]) => bytes),
    ];
    for (const request of requests) {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.on('error', () => {});
      socket.write(request);
      await once(socket, 'close');
      expect(text, request.slice(0, 40)).toMatch(/^Strict-Transport-Security: max-age=\d{8,}/m);
      expect(text).toMatch(/^X-Content-Type-Options: nosniff/m);
    }
  });
});
