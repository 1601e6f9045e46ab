import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { brotliDecompressSync, createBrotliDecompress, createGunzip, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../tools/workspace/cpu-costs.ts';
import { startEdge } from '../../test/start-edge.ts';
import { createCors } from '../edge/cors.ts';
import { Problem } from '../problem/index.ts';
import type { Context } from './context.ts';
import { joinVary } from './reply-headers.ts';
import type { FormProblem } from './reply-writer.ts';

const large = 'a long answer, '.repeat(200);
const veryLarge = 'a very long answer, '.repeat(20_000);
const plain = { br: brotliDecompressSync, gzip: gunzipSync };

interface RawResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

/** Sends a request and returns the response without decoding it. */
async function send(
  port: number,
  headers: Record<string, string> = {},
  method = 'GET',
  path = '/a',
): Promise<RawResponse> {
  const request = http.request({ port, host: '127.0.0.1', path, method, headers, agent: false }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) };
}

describe('the form of problems', () => {
  const secret = 'Bearer a-secret-token';
  const fails = () => {
    throw new Problem('limit_exceeded', `Wait; ${secret} was counted.`, { headers: { 'Retry-After': '9' } });
  };
  const formProblem: FormProblem = ({ code, detail }, { url }) =>
    url?.startsWith('/b') === false
      ? { body: { code, detail }, contentType: 'application/json', headers: { 'OData-Version': '4.0' } }
      : undefined;

  it('is chosen by request, and keeps the status, the headers and the secrets of the problem', async () => {
    const { port, observed } = await startEdge({ getA: fails, getB: fails }, { router: { formProblem } });
    const formed = await send(port, { Authorization: secret });
    expect([formed.status, JSON.parse(String(formed.bytes))]).toEqual([
      429,
      { code: 'limit_exceeded', detail: 'Wait; Bearer [credential] was counted.' },
    ]);
    expect(formed.headers).toMatchObject({
      ...{ 'content-type': 'application/json', 'odata-version': '4.0', 'retry-after': '9' },
      'x-request-id': expect.any(String),
    });
    const other = await send(port, {}, 'GET', '/b');
    expect([other.status, other.headers['content-type']]).toEqual([429, 'application/problem+json']);
    expect(observed).toEqual([
      [429, 'limit_exceeded'],
      [429, 'limit_exceeded'],
    ]);
  });

  it('is also that of requests without an operation, and with a fault in their head', async () => {
    const { port } = await startEdge({}, { router: { formProblem } });
    for (const [response, code] of [
      [await send(port, {}, 'GET', '/none'), 'route_not_found'],
      [await send(port, {}, 'DELETE'), 'method_not_allowed'],
      [await send(port, { 'X-Long': 'x'.repeat(33_000) }), 'headers_too_large'],
      [await send(port, {}, 'GET', `/a?${'x'.repeat(17_000)}`), 'uri_too_long'],
    ] as const) {
      expect(JSON.parse(String(response.bytes)).code).toBe(code);
    }
  });
});

describe('compression', () => {
  it.each([
    ['text in place', large],
    ['text on another thread', veryLarge],
  ])('encodes a long response with the coding that the client prefers: %s', async (_case, text) => {
    const { port } = await startEdge({ getA: () => ({ status: 200, body: text, headers: { ETag: '"1"' } }) });
    for (const coding of ['br', 'gzip'] as const) {
      const { headers, bytes } = await send(port, { 'Accept-Encoding': coding });
      expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding', etag: 'W/"1"' });
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(JSON.parse(String(plain[coding](bytes)))).toBe(text);
    }
  });

  it('sends a long response uncompressed with Vary to a client without Accept-Encoding', async () => {
    const { port } = await startEdge({ getA: () => ({ status: 200, body: large, headers: { ETag: '"1"' } }) });
    const { headers, bytes } = await send(port);
    expect(headers).toMatchObject({ vary: 'Accept-Encoding', etag: '"1"' });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(bytes.length).toBe(large.length + 2);
  });

  it.each([
    [1023, undefined],
    [1024, 'br'],
  ])('encodes a response of %i bytes as %s', async (length, coding) => {
    const { port } = await startEdge({
      getA: () => ({ status: 200, raw: 'x'.repeat(length), contentType: 'text/plain' }),
    });
    expect((await send(port, { 'Accept-Encoding': 'br' })).headers['content-encoding']).toBe(coding);
  });

  it.each([
    ['an image', { contentType: 'image/png' }],
    ['an encoded response', { headers: { 'content-encoding': 'zstd' } }],
    ['a partial response', { status: 206, headers: { 'Content-Range': 'bytes 0-2999/9000' } }],
    ['a response with no-transform', { headers: { 'cache-control': 'public, no-transform' } }],
    ['a response with a digest', { headers: { 'Content-Digest': 'sha-256=:AAAA:' } }],
    ['a response with a digest of its representation', { headers: { 'repr-digest': 'sha-256=:AAAA:' } }],
  ])('does not compress %s', async (_case, reply) => {
    const { port } = await startEdge({
      getA: () => ({ status: 200, raw: large, contentType: 'text/plain', ...reply }),
    });
    const { headers, bytes } = await send(port, { 'Accept-Encoding': 'br' });
    expect(headers['content-encoding']).not.toBe('br');
    expect(headers.vary).toBeUndefined();
    expect(String(bytes)).toBe(large);
  });

  it('compresses nothing for a client that sends no-transform, or where it is disabled', async () => {
    const getA = () => ({ status: 200, body: large });
    const untransformed = await send((await startEdge({ getA })).port, {
      'Accept-Encoding': 'br',
      'Cache-Control': 'no-transform',
    });
    expect(untransformed.headers).toMatchObject({ vary: 'Accept-Encoding' });
    const off = await send((await startEdge({ getA }, { router: { isCompressing: false } })).port, {
      'Accept-Encoding': 'br',
    });
    expect(off.headers).not.toHaveProperty('vary');
    for (const { headers, bytes } of [untransformed, off]) {
      expect(headers).not.toHaveProperty('content-encoding');
      expect(bytes.length).toBe(large.length + 2);
    }
  });

  it('rejects a client that accepts no available coding before the handler runs', async () => {
    let handled = 0;
    const { port } = await startEdge({ getA: () => ({ status: 200, body: ++handled }) });
    const rejected = await send(port, { 'Accept-Encoding': 'identity;q=0, zstd' });
    expect([rejected.status, JSON.parse(String(rejected.bytes)).code, handled]).toEqual([406, 'not_acceptable', 0]);
    const small = await send(port, { 'Accept-Encoding': 'identity;q=0, gzip' });
    expect([small.status, small.headers['content-encoding'], String(gunzipSync(small.bytes))]).toEqual([
      200,
      'gzip',
      '1',
    ]);
    expect((await send(port, { 'Accept-Encoding': 'zstd' })).status).toBe(200);
  });

  it('joins a long Vary in linear time', async () => {
    const names = Array.from({ length: 16_000 }, (_, i) => i.toString(36));
    const { port } = await startEdge({
      getA: () => ({ status: 200, body: large, headers: { Vary: `${names.join(',')},A, a` } }),
    });
    const request = http.request({ port, host: '127.0.0.1', path: '/a', maxHeaderSize: 262_144 }).end();
    const [response] = (await once(
      request.on('response', (r) => r.resume()),
      'response',
    )) as [IncomingMessage];
    expect(response.headers.vary).toBe([...names, 'Accept-Encoding'].join(', '));
    const [few, many] = [names.slice(0, 2_000).join(','), names.join(',')];
    // Values that differ are not cached.
    let calls = 0;
    const run = () => void joinVary(many, `x${calls++}`);
    const peer = () => {
      for (let i = 0; i < 8; i++) joinVary(few, `x${calls++}`);
    };
    // Quadratic time would be eight times that of the peer.
    expect(costRatio({ run, peer, ratioMax: 3 })).toBeLessThan(3);
  });

  it('joins the Vary of a handler with its own', async () => {
    const { port } = await startEdge({
      getA: () => ({ status: 200, body: large, headers: { vary: 'Accept, accept-encoding' } }),
    });
    expect((await send(port)).headers.vary).toBe('Accept, accept-encoding');
  });

  it('omits no-store with Expires or an empty Cache-Control', async () => {
    const replies: Record<string, string>[] = [
      {},
      { expires: '0' },
      { 'cache-control': '' },
      { Expires: '0', 'Cache-Control': 'public' },
    ];
    let i = 0;
    const { port } = await startEdge({ getA: () => ({ status: 200, body: 1, headers: replies[i++] ?? {} }) });
    const sent = [];
    for (const _ of replies) sent.push((await send(port)).headers['cache-control']);
    expect(sent).toEqual(['no-store', undefined, undefined, 'public']);
  });

  it('compresses long problems', async () => {
    const { port } = await startEdge({
      getA: () => {
        throw new Problem('not_found', large);
      },
    });
    const { status, headers, bytes } = await send(port, { 'Accept-Encoding': 'gzip' });
    expect([status, headers['content-encoding']]).toEqual([404, 'gzip']);
    expect(JSON.parse(String(gunzipSync(bytes))).detail).toBe(large);
  });

  it('compresses repeated bytes once at a higher level', async () => {
    const raw = Buffer.from(Array.from({ length: 5_000 }, (_, i) => `${(i * 7919) % 10_007}`).join());
    const { port } = await startEdge({ getA: () => ({ status: 200, raw, contentType: 'text/css', isRepeated: true }) });
    const lengths: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { bytes } = await send(port, { 'Accept-Encoding': 'br' });
      expect(brotliDecompressSync(bytes).equals(raw)).toBe(true);
      lengths.push(bytes.length);
    }
    const [first = 0, second = 0, third] = lengths;
    expect(second).toBeLessThan(first);
    expect(third).toBe(second);
  });
});

describe('HEAD and 304', () => {
  it('have the headers of the corresponding 200', async () => {
    const reply = { status: 200, raw: large, contentType: 'text/plain', headers: { ETag: '"1"' } };
    const { port } = await startEdge({
      getA: () => reply,
      getB: () => ({ ...reply, status: 304, raw: '' }),
    });
    const whole = await send(port, { 'Accept-Encoding': 'br' });
    const head = await send(port, { 'Accept-Encoding': 'br' }, 'HEAD');
    const unchanged = await send(port, { 'Accept-Encoding': 'br' }, 'GET', '/b');
    for (const { headers } of [head, unchanged]) {
      expect([headers.etag, headers.vary]).toEqual([whole.headers.etag, whole.headers.vary]);
      expect(headers).not.toHaveProperty('content-length');
    }
    expect(head.headers['content-encoding']).toBe('br');
    expect(unchanged.status).toBe(304);
    expect((await send(port, {}, 'HEAD')).headers['content-length']).toBe(String(large.length));
  });

  it.each([
    ['with a short body', 'short', {}, '"1"'],
    ['with a long body', large, {}, 'W/"1"'],
    ['with an incompressible type', large, { contentType: 'image/png' }, '"1"'],
    ['with no-transform', large, { headers: { ETag: '"1"', 'Cache-Control': 'no-transform' } }, '"1"'],
  ])('have the ETag of the 200 %s', async (_case, raw, more, etag) => {
    const reply = { status: 200, raw, contentType: 'text/plain', headers: { ETag: '"1"' }, ...more };
    const { port } = await startEdge({
      getA: () => reply,
      getB: (_request: unknown, { req }: Pick<Context, 'req'>) => ({
        ...{ status: 304, raw: '', contentType: reply.contentType },
        // A cache knows the length of the 200; for a forwarded 304 only If-None-Match shows its coding.
        headers:
          req.headers['if-none-match'] === undefined
            ? { ...reply.headers, 'Content-Length': String(raw.length) }
            : reply.headers,
      }),
    });
    const accept = { 'Accept-Encoding': 'br' };
    const whole = await send(port, accept);
    expect(whole.headers.etag).toBe(etag);
    expect((await send(port, accept, 'GET', '/b')).headers.etag).toBe(etag);
    const named = await send(port, { ...accept, 'If-None-Match': `"0", ${etag}` }, 'GET', '/b');
    expect(named.headers.etag).toBe(etag);
    expect(named.headers).not.toHaveProperty('content-type');
  });

  it('destroy a stream that is not sent', async () => {
    const raw = new PassThrough();
    const { port } = await startEdge({ getA: () => ({ status: 200, raw, contentType: 'text/plain' }) });
    expect((await send(port, {}, 'HEAD')).bytes.length).toBe(0);
    expect(raw.destroyed).toBe(true);
  });
});

describe('a stream', () => {
  it.each([
    ['br', createBrotliDecompress],
    ['gzip', createGunzip],
  ])('is flushed after each chunk with the coding %s', async (coding, createDecoder) => {
    const raw = new PassThrough();
    const { port } = await startEdge({ getA: () => ({ status: 200, raw, contentType: 'text/event-stream' }) });
    const headers = { 'Accept-Encoding': coding };
    const request = http.get({ port, host: '127.0.0.1', path: '/a', headers, agent: false });
    // The head arrives before the first event.
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding' });
    const decoded = response.pipe(createDecoder());
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      raw.write(event);
      const [chunk] = await once(decoded, 'data');
      expect(String(chunk)).toBe(event);
    }
    raw.end();
    await once(decoded, 'end');
  });

  it('is not compressed when its known length is short', async () => {
    const { port } = await startEdge({
      getA: () => ({
        status: 200,
        raw: Readable.from(['[1]']),
        contentType: 'application/json',
        headers: { 'content-length': '3' },
      }),
    });
    const { headers, bytes } = await send(port, { 'Accept-Encoding': 'br' });
    expect([headers['content-length'], headers['content-encoding'], String(bytes)]).toEqual(['3', undefined, '[1]']);
  });

  it('has no Content-Length and no Accept-Ranges when it is compressed', async () => {
    const { port } = await startEdge({
      getA: () => ({
        status: 200,
        raw: Readable.from([large]),
        contentType: 'text/plain',
        headers: { 'Content-Length': String(large.length), 'Accept-Ranges': 'bytes' },
      }),
    });
    const { headers, bytes } = await send(port, { 'Accept-Encoding': 'gzip' });
    expect(headers).not.toHaveProperty('content-length');
    expect(headers).not.toHaveProperty('accept-ranges');
    expect(String(gunzipSync(bytes))).toBe(large);
  });

  it('that fails midway aborts the response', async () => {
    async function* broken() {
      for (let i = 0; i < 20; i++) yield randomBytes(64 * 1024);
      throw new Error('broken');
    }
    const { port } = await startEdge({
      getA: () => ({ status: 200, raw: Readable.from(broken()), contentType: 'text/plain' }),
    });
    await expect(send(port, { 'Accept-Encoding': 'gzip' })).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it.each(['gzip', 'identity'])(
    'that fails before its first byte becomes a problem, for a client that accepts %s',
    async (coding) => {
      const raw = new Readable({ read: () => raw.destroy(new Problem('upstream_timeout', 'Late.')) });
      const { port } = await startEdge({ getA: () => ({ status: 200, raw, contentType: 'text/plain' }) });
      const { status, headers } = await send(port, { 'Accept-Encoding': coding });
      expect([status, headers['content-type']]).toEqual([504, 'application/problem+json']);
    },
  );
});

describe('CORS', () => {
  const app = 'https://app.example';
  const start = (origins: string[], credentials = false) =>
    startEdge(
      {
        getA: () => ({ status: 200, body: large }),
        getB: () => {
          throw new Error('broken');
        },
      },
      {
        router: {
          cors: createCors({ origins, credentials }),
          authenticate: ({ req }) => {
            if (req.headers['x-api-key'] !== undefined) throw new Problem('key_invalid', 'No.');
            return null;
          },
        },
      },
    );
  const allowed = (response: RawResponse) => response.headers['access-control-allow-origin'];

  it('lets an allowed origin read all responses, errors included', async () => {
    const { port } = await start([app]);
    const origin = { Origin: app };
    const responses = [
      await send(port, origin),
      await send(port, origin, 'GET', '/b'),
      await send(port, origin, 'GET', '/none'),
      await send(port, origin, 'DELETE'),
      await send(port, { ...origin, 'X-API-Key': 'x' }),
      await send(port, { ...origin, Host: 'a@b' }),
      await send(port, { ...origin, 'X-A': 'a'.repeat(40_000) }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 500, 404, 405, 401, 400, 431]);
    for (const response of responses) {
      expect(allowed(response)).toBe(app);
      expect(response.headers.vary).toMatch(/^Origin(, Accept-Encoding)?$/);
      expect(response.headers['access-control-expose-headers']).toContain('RateLimit, RateLimit-Policy, Retry-After');
    }
  });

  it('gives other origins nothing but Vary', async () => {
    const { port } = await start([app]);
    for (const headers of [{ Origin: 'https://evil.example' }, { Origin: 'null' }, {}] as Record<string, string>[]) {
      const response = await send(port, headers);
      expect([response.status, allowed(response), response.headers.vary]).toEqual([
        200,
        undefined,
        'Origin, Accept-Encoding',
      ]);
    }
  });

  it('responds to a preflight without a key with the methods of the path', async () => {
    const { port, observed } = await start([app], true);
    const headers = {
      Origin: app,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-api-key',
    };
    const response = await send(port, headers, 'OPTIONS');
    expect(response.status).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS, POST',
      'access-control-allow-headers': 'x-api-key',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    expect(observed).toEqual([[204, undefined]]);
    expect((await send(port, headers, 'OPTIONS', '/none')).status).toBe(404);
  });

  it('counts a preflight like any request', async () => {
    const { port } = await startEdge(
      {},
      {
        router: {
          cors: createCors({ origins: [app] }),
          limit: () => {
            throw new Problem('limit_exceeded', 'Wait.', { headers: { 'Retry-After': '9' } });
          },
        },
      },
    );
    const response = await send(port, { Origin: app, 'Access-Control-Request-Method': 'GET' }, 'OPTIONS');
    expect([response.status, allowed(response), response.headers['retry-after']]).toEqual([429, app, '9']);
  });

  it('allows any origin with a star', async () => {
    const { port } = await start(['*']);
    const responses = [
      await send(port, { Origin: 'https://anybody.example' }),
      await send(port),
      await send(port, {}, 'GET', '/none'),
    ];
    for (const response of responses) {
      expect(allowed(response)).toBe('*');
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
      expect(String(response.headers.vary ?? '')).not.toContain('Origin');
    }
  });

  it('sends no CORS headers where no origin is allowed', async () => {
    const { port } = await start([]);
    const response = await send(port, { Origin: app, 'Access-Control-Request-Method': 'GET' }, 'OPTIONS');
    expect(response.status).toBe(204);
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(response.headers).not.toHaveProperty('vary');
  });
});
