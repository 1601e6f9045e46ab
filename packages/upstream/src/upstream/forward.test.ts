import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createRouter, createServer, type Handlers, type OpenApiDocument } from '@rostergate/server';
import { afterEach, describe, expect, it } from 'vitest';
import { type ForwardOptions, forward } from './forward.ts';
import { createUpstream } from './upstream.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function listening(server: http.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const responses = { default: { description: 'Anything' } };
const document: OpenApiDocument = {
  openapi: '3.0.3',
  info: { title: 'Front', version: '1' },
  paths: {
    '/thing': {
      get: { operationId: 'getThing', security: [], responses },
      post: { operationId: 'makeThing', security: [], requestBody: { content: { '*/*': {} } }, responses },
    },
  },
};

/** A server that forwards /thing to an upstream, as the gateway and the proxy do. */
async function start(handle: http.RequestListener, options: Partial<ForwardOptions> = {}) {
  const upstreamServer = http.createServer(handle);
  const upstreamPort = await listening(upstreamServer);
  const upstream = createUpstream({ baseUrl: `http://127.0.0.1:${upstreamPort}`, headersTimeoutMs: 20_000 });
  stops.unshift(() => upstream.close());
  const pass = (_request: never, context: never) =>
    forward(context, { send: upstream.request, path: '/up?x=1', ...options });
  const handlers: Handlers = { getThing: pass, makeThing: pass };
  const router = createRouter({ document, handlers });
  const port = await listening(createServer({ router: () => router }));
  const call = async (method: string, headers: string[] = [], body?: string | Buffer, onHead?: () => void) => {
    const req = http.request({
      port,
      host: '127.0.0.1',
      path: '/thing',
      method,
      headers: ['Host', 'front', ...headers],
    });
    req.end(body);
    const [res] = (await once(req, 'response')) as [http.IncomingMessage];
    onHead?.();
    return { status: res.statusCode, headers: res.headers, body: await text(res) };
  };
  return { call, upstreamServer };
}

const echoHead: http.RequestListener = (req, res) =>
  res.end(JSON.stringify({ url: req.url, method: req.method, headers: req.headers }));

describe('forward', () => {
  it('forwards path, method, body and ordinary headers, and returns the response', async () => {
    const { call } = await start(async (req, res) => {
      res.writeHead(201, { 'Content-Type': 'text/plain', 'X-Up': `${req.method} ${req.url} ${req.headers['x-a']}` });
      res.end(`${await text(req)} back`);
    });
    const response = await call('POST', ['X-A', '1', 'Content-Length', '5'], 'hello');
    expect(response).toMatchObject({
      status: 201,
      body: 'hello back',
      headers: { 'content-type': 'text/plain', 'x-up': 'POST /up?x=1 1' },
    });
  });

  it('does not forward the caller’s key, connection and claimed origin', async () => {
    const { call } = await start(echoHead);
    const { body } = await call('GET', [
      ...['X-API-Key', 'canary'],
      ...['Authorization', 'Bearer canary'],
      ...['Proxy-Authorization', 'canary'],
      ...['Connection', 'keep-alive, X-Secret'],
      ...['x-secret', 'canary'],
      ...['TE', 'trailers'],
      ...['X-Forwarded-For', '6.6.6.6'],
      ...['X-Forwarded-Host', 'canary'],
      ...['Forwarded', 'for=canary'],
      ...['Accept', 'application/json'],
    ]);
    expect(body).not.toMatch(/canary|6\.6\.6\.6/);
    expect(JSON.parse(body).headers).toMatchObject({
      accept: 'application/json',
      'x-forwarded-for': '127.0.0.1',
      via: '1.1 rostergate',
      'x-request-id': expect.any(String),
    });
    expect(JSON.parse(body).headers).not.toHaveProperty('te');
  });

  it('keeps the origin that a trusted proxy states, and adds that proxy to each chain', async () => {
    const origin = ['X-Forwarded-For', '203.0.113.7', 'Forwarded', 'for=203.0.113.7', 'X-Forwarded-Proto', 'https'];
    for (const isTrusted of [true, false]) {
      const { call } = await start(echoHead, { isTrustedProxy: () => isTrusted });
      const { headers } = JSON.parse((await call('GET', origin)).body);
      expect([headers['x-forwarded-for'], headers.forwarded, headers['x-forwarded-proto']]).toEqual(
        isTrusted
          ? ['203.0.113.7, 127.0.0.1', 'for=203.0.113.7, for=127.0.0.1', 'https']
          : ['127.0.0.1', undefined, 'http'],
      );
    }
  });

  it('replaces the caller’s conditions with those of a cache', async () => {
    const own = ['If-None-Match', '"mine"', 'If-Modified-Since', 'x', 'Range', 'bytes=0-1'];
    const plain = await start(echoHead);
    expect(JSON.parse((await plain.call('GET', own)).body).headers).toMatchObject({
      'if-none-match': '"mine"',
      range: 'bytes=0-1',
    });
    const cached = await start(echoHead, { conditions: { 'If-None-Match': '"kept"' } });
    const { headers } = JSON.parse((await cached.call('GET', own)).body);
    expect([headers['if-none-match'], headers['if-modified-since'], headers.range]).toEqual([
      '"kept"',
      undefined,
      undefined,
    ]);
  });

  it('sends no body for null, and bytes that were already read in their coding', async () => {
    const { call } = await start(async (req, res) => res.end(`${req.headers['content-encoding']} ${await text(req)}`), {
      body: null,
    });
    expect((await call('POST', ['Content-Length', '5'], 'hello')).body).toBe('undefined ');
    const read = await start(async (req, res) => res.end(`${req.headers['content-encoding']} ${await text(req)}`), {
      body: Buffer.from('coded'),
    });
    expect((await read.call('POST', ['Content-Length', '5', 'Content-Encoding', 'gzip'], 'coded')).body).toBe(
      'gzip coded',
    );
  });

  it('adds headers that callers cannot remove or replace', async () => {
    const { call } = await start(echoHead, { headers: { 'X-Service-Token': 'ours', Authorization: 'Bearer ours' } });
    const { body } = await call('GET', ['Connection', 'x-service-token, x-request-id', 'X-Service-Token', 'theirs']);
    expect(JSON.parse(body).headers).toMatchObject({
      'x-service-token': 'ours',
      authorization: 'Bearer ours',
      'x-request-id': expect.any(String),
    });
  });

  it('streams a body of unknown length', async () => {
    const { call } = await start(async (req, res) =>
      res.end(`${req.headers['transfer-encoding']} ${(await text(req)).length}`),
    );
    const response = await call('POST', ['Transfer-Encoding', 'chunked'], Buffer.alloc(300_000, 'x'));
    expect(response.body).toBe('chunked 300000');
  });

  it('sends bytes that were already read in place of the caller’s body', async () => {
    const { call } = await start(async (req, res) => res.end(await text(req)), { body: 'checked' });
    expect((await call('POST', ['Content-Length', '5'], 'hello')).body).toBe('checked');
  });

  it('returns no connection headers and no headers that only this server sets', async () => {
    const { call } = await start((_req, res) => {
      res.writeHead(200, {
        Connection: 'X-Inner',
        'X-Inner': '1',
        RateLimit: '"up";r=0;t=9',
        'X-Request-Id': 'theirs',
        'Cache-Control': 'max-age=60',
        'Set-Cookie': ['a=1', 'b=2'],
        Vary: ['Accept', 'Origin'],
      });
      res.end('{}');
    });
    const { headers } = await call('GET');
    expect(headers).not.toHaveProperty('x-inner');
    expect(headers).not.toHaveProperty('ratelimit');
    expect(headers['x-request-id']).not.toBe('theirs');
    expect(headers).toMatchObject({
      'cache-control': 'max-age=60',
      'set-cookie': ['a=1', 'b=2'],
      vary: 'Accept, Origin',
    });
    expect(headers).not.toHaveProperty('content-type');
  });

  it('forwards HEAD and empty responses', async () => {
    const { call } = await start((req, res) =>
      req.method === 'HEAD' ? res.setHeader('Content-Length', 7).end() : res.writeHead(204).end(),
    );
    expect(await call('HEAD')).toMatchObject({ status: 200, body: '', headers: { 'content-length': '7' } });
    expect(await call('GET')).toMatchObject({ status: 204, body: '' });
  });

  it('returns 204 without a body for any Content-Length of the upstream', async () => {
    const { call } = await start((_req, res) => {
      res.socket?.end('HTTP/1.1 204 No Content\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n');
    });
    const { status, headers } = await call('GET');
    expect(status).toBe(204);
    expect(headers).not.toHaveProperty('content-length');
    expect(headers).not.toHaveProperty('content-type');
  });

  it('reports a closed upstream to a caller who is still sending', async () => {
    const { call, upstreamServer } = await start(() => {});
    upstreamServer.close();
    const response = await call('POST', ['Transfer-Encoding', 'chunked'], Buffer.alloc(2_000_000, 'x'));
    expect([response.status, JSON.parse(response.body).code]).toEqual([502, 'upstream_failed']);
  });

  it('sends the length of a response that arrived with its head, chunked or not', async () => {
    const { call } = await start((_req, res) => {
      const response = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n';
      res.socket?.end(response);
    });
    expect(await call('GET')).toMatchObject({ status: 200, body: 'abcde', headers: { 'content-length': '5' } });
  });

  it('streams a response that has not arrived completely', async () => {
    let end = () => {};
    const { call } = await start((_req, res) => {
      res.write('first ');
      end = () => res.end('and last');
    });
    const { body, headers } = await call('GET', [], undefined, () => end());
    expect([body, headers['transfer-encoding']]).toEqual(['first and last', 'chunked']);
  });

  it('never completes a truncated response', async () => {
    const { call } = await start((_req, res) => {
      res.writeHead(200, { 'Content-Length': '100' });
      res.write('half', () => res.destroy());
    });
    await expect(call('GET')).rejects.toThrow();
  });
});
