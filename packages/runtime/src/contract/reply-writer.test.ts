import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { brotliDecompressSync, createBrotliDecompress, createGunzip, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startEdge } from '../../test/start-edge.ts';
import { createCors } from '../edge/cors.ts';
import { Problem } from '../problem/index.ts';
import type { Context } from './context.ts';

const large = 'a long answer, '.repeat(200);
const veryLarge = 'a very long answer, '.repeat(20_000);
const plain = { br: brotliDecompressSync, gzip: gunzipSync };

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

/** Asks without undoing any coding. */
async function ask(port: number, headers: Record<string, string> = {}, method = 'GET', path = '/a'): Promise<Answer> {
  const request = http.request({ port, host: '127.0.0.1', path, method, headers, agent: false }).end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) };
}

describe('compression', () => {
  it.each([
    ['text in place', large],
    ['text on another thread', veryLarge],
  ])('codes a long answer with what the caller prefers: %s', async (_case, text) => {
    const { port } = await startEdge({ getA: () => ({ status: 200, body: text, headers: { ETag: '"1"' } }) });
    for (const coding of ['br', 'gzip'] as const) {
      const { headers, bytes } = await ask(port, { 'Accept-Encoding': coding });
      expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding', etag: 'W/"1"' });
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(JSON.parse(String(plain[coding](bytes)))).toBe(text);
    }
  });

  it('sends it plain to who does not ask, and says that it could differ', async () => {
    const { port } = await startEdge({ getA: () => ({ status: 200, body: large, headers: { ETag: '"1"' } }) });
    const { headers, bytes } = await ask(port);
    expect(headers).toMatchObject({ vary: 'Accept-Encoding', etag: '"1"' });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(bytes.length).toBe(large.length + 2);
  });

  it.each([
    [1023, undefined],
    [1024, 'br'],
  ])('of %i bytes uses the coding %s', async (length, coding) => {
    const { port } = await startEdge({
      getA: () => ({ status: 200, raw: 'x'.repeat(length), contentType: 'text/plain' }),
    });
    expect((await ask(port, { 'Accept-Encoding': 'br' })).headers['content-encoding']).toBe(coding);
  });

  it.each([
    ['an image', { contentType: 'image/png' }],
    ['what is coded already', { headers: { 'content-encoding': 'zstd' } }],
    ['a part', { status: 206, headers: { 'Content-Range': 'bytes 0-2999/9000' } }],
    ['what must not be changed', { headers: { 'cache-control': 'public, no-transform' } }],
    ['what is summed up', { headers: { 'Content-Digest': 'sha-256=:AAAA:' } }],
  ])('leaves %s alone', async (_case, reply) => {
    const { port } = await startEdge({
      getA: () => ({ status: 200, raw: large, contentType: 'text/plain', ...reply }),
    });
    const { headers, bytes } = await ask(port, { 'Accept-Encoding': 'br' });
    expect(headers['content-encoding']).not.toBe('br');
    expect(headers.vary).toBeUndefined();
    expect(String(bytes)).toBe(large);
  });

  it('leaves everything alone for a caller that says no-transform, and where it is off', async () => {
    const getA = () => ({ status: 200, body: large });
    const asked = await ask((await startEdge({ getA })).port, {
      'Accept-Encoding': 'br',
      'Cache-Control': 'no-transform',
    });
    expect(asked.headers).toMatchObject({ vary: 'Accept-Encoding' });
    const off = await ask((await startEdge({ getA }, { router: { isCompressing: false } })).port, {
      'Accept-Encoding': 'br',
    });
    expect(off.headers).not.toHaveProperty('vary');
    for (const { headers, bytes } of [asked, off]) {
      expect(headers).not.toHaveProperty('content-encoding');
      expect(bytes.length).toBe(large.length + 2);
    }
  });

  it('refuses only a caller for whom nothing fits, before the handler has done anything', async () => {
    let handled = 0;
    const { port } = await startEdge({ getA: () => ({ status: 200, body: ++handled }) });
    const refused = await ask(port, { 'Accept-Encoding': 'identity;q=0, zstd' });
    expect([refused.status, JSON.parse(String(refused.bytes)).code, handled]).toEqual([406, 'not_acceptable', 0]);
    const small = await ask(port, { 'Accept-Encoding': 'identity;q=0, gzip' });
    expect([small.status, small.headers['content-encoding'], String(gunzipSync(small.bytes))]).toEqual([
      200,
      'gzip',
      '1',
    ]);
    expect((await ask(port, { 'Accept-Encoding': 'zstd' })).status).toBe(200);
  });

  it('joins a long Vary in linear time', async () => {
    const names = Array.from({ length: 16_000 }, (_, i) => i.toString(36));
    const { port } = await startEdge({
      getA: () => ({ status: 200, body: large, headers: { Vary: `${names.join(',')},A, a` } }),
    });
    const startedMs = performance.now();
    const request = http.request({ port, host: '127.0.0.1', path: '/a', maxHeaderSize: 262_144 }).end();
    const [answer] = (await once(
      request.on('response', (r) => r.resume()),
      'response',
    )) as [IncomingMessage];
    expect(performance.now() - startedMs).toBeLessThan(500);
    expect(answer.headers.vary).toBe([...names, 'Accept-Encoding'].join(', '));
  });

  it('joins what a handler says of Vary', async () => {
    const { port } = await startEdge({
      getA: () => ({ status: 200, body: large, headers: { vary: 'Accept, accept-encoding' } }),
    });
    expect((await ask(port)).headers.vary).toBe('Accept, accept-encoding');
  });

  it('leave without no-store beside Expires, or where a reply asks for that', async () => {
    const replies: Record<string, string>[] = [
      {},
      { expires: '0' },
      { 'cache-control': '' },
      { Expires: '0', 'Cache-Control': 'public' },
    ];
    let i = 0;
    const { port } = await startEdge({ getA: () => ({ status: 200, body: 1, headers: replies[i++] ?? {} }) });
    const said = [];
    for (const _ of replies) said.push((await ask(port)).headers['cache-control']);
    expect(said).toEqual(['no-store', undefined, undefined, 'public']);
  });

  it('codes long problems as well', async () => {
    const { port } = await startEdge({
      getA: () => {
        throw new Problem('not_found', large);
      },
    });
    const { status, headers, bytes } = await ask(port, { 'Accept-Encoding': 'gzip' });
    expect([status, headers['content-encoding']]).toEqual([404, 'gzip']);
    expect(JSON.parse(String(gunzipSync(bytes))).detail).toBe(large);
  });

  it('compresses harder, once, what is sent again', async () => {
    const raw = Buffer.from(Array.from({ length: 5_000 }, (_, i) => `${(i * 7919) % 10_007}`).join());
    const { port } = await startEdge({ getA: () => ({ status: 200, raw, contentType: 'text/css', isKept: true }) });
    const lengths: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { bytes } = await ask(port, { 'Accept-Encoding': 'br' });
      expect(brotliDecompressSync(bytes).equals(raw)).toBe(true);
      lengths.push(bytes.length);
    }
    const [first = 0, second = 0, third] = lengths;
    expect(second).toBeLessThan(first);
    expect(third).toBe(second);
  });
});

describe('HEAD and 304', () => {
  it('have the headers of the answer they stand for', async () => {
    const reply = { status: 200, raw: large, contentType: 'text/plain', headers: { ETag: '"1"' } };
    const { port } = await startEdge({
      getA: () => reply,
      getB: () => ({ ...reply, status: 304, raw: '' }),
    });
    const whole = await ask(port, { 'Accept-Encoding': 'br' });
    const head = await ask(port, { 'Accept-Encoding': 'br' }, 'HEAD');
    const unchanged = await ask(port, { 'Accept-Encoding': 'br' }, 'GET', '/b');
    for (const { headers } of [head, unchanged]) {
      expect([headers.etag, headers.vary]).toEqual([whole.headers.etag, whole.headers.vary]);
      expect(headers).not.toHaveProperty('content-length');
    }
    expect(head.headers['content-encoding']).toBe('br');
    expect(unchanged.status).toBe(304);
    expect((await ask(port, {}, 'HEAD')).headers['content-length']).toBe(String(large.length));
  });

  it.each([
    ['with a short body', 'short', {}, '"1"'],
    ['with a long body', large, {}, 'W/"1"'],
    ['with a type that is not compressed', large, { contentType: 'image/png' }, '"1"'],
    ['that must not be transformed', large, { headers: { ETag: '"1"', 'Cache-Control': 'no-transform' } }, '"1"'],
  ])('have the tag of the 200 %s', async (_case, raw, more, etag) => {
    const reply = { status: 200, raw, contentType: 'text/plain', headers: { ETag: '"1"' }, ...more };
    const { port } = await startEdge({
      getA: () => reply,
      getB: (_request: unknown, { req }: Pick<Context, 'req'>) => ({
        ...{ status: 304, raw: '', contentType: reply.contentType },
        // A cache knows how long the 200 is; of a 304 that is forwarded only the caller's copy tells.
        headers:
          req.headers['if-none-match'] === undefined
            ? { ...reply.headers, 'Content-Length': String(raw.length) }
            : reply.headers,
      }),
    });
    const accept = { 'Accept-Encoding': 'br' };
    const whole = await ask(port, accept);
    expect(whole.headers.etag).toBe(etag);
    expect((await ask(port, accept, 'GET', '/b')).headers.etag).toBe(etag);
    const named = await ask(port, { ...accept, 'If-None-Match': `"0", ${etag}` }, 'GET', '/b');
    expect(named.headers.etag).toBe(etag);
    expect(named.headers).not.toHaveProperty('content-type');
  });

  it('end a stream that nobody is to read', async () => {
    const raw = new PassThrough();
    const { port } = await startEdge({ getA: () => ({ status: 200, raw, contentType: 'text/plain' }) });
    expect((await ask(port, {}, 'HEAD')).bytes.length).toBe(0);
    expect(raw.destroyed).toBe(true);
  });
});

describe('a stream', () => {
  it.each([
    ['br', createBrotliDecompress],
    ['gzip', createGunzip],
  ])('coded with %s comes out piece by piece, as it goes in', async (coding, createDecoder) => {
    const raw = new PassThrough();
    const { port } = await startEdge({ getA: () => ({ status: 200, raw, contentType: 'text/event-stream' }) });
    const headers = { 'Accept-Encoding': coding };
    const request = http.get({ port, host: '127.0.0.1', path: '/a', headers, agent: false });
    // The head is here before the first event.
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    expect(answer.headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding' });
    const decoded = answer.pipe(createDecoder());
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      raw.write(event);
      const [chunk] = await once(decoded, 'data');
      expect(String(chunk)).toBe(event);
    }
    raw.end();
    await once(decoded, 'end');
  });

  it('of a known, short length is sent as it is', async () => {
    const { port } = await startEdge({
      getA: () => ({
        status: 200,
        raw: Readable.from(['[1]']),
        contentType: 'application/json',
        headers: { 'content-length': '3' },
      }),
    });
    const { headers, bytes } = await ask(port, { 'Accept-Encoding': 'br' });
    expect([headers['content-length'], headers['content-encoding'], String(bytes)]).toEqual(['3', undefined, '[1]']);
  });

  it('loses the length and the ranges of its plain form when it is coded', async () => {
    const { port } = await startEdge({
      getA: () => ({
        status: 200,
        raw: Readable.from([large]),
        contentType: 'text/plain',
        headers: { 'Content-Length': String(large.length), 'Accept-Ranges': 'bytes' },
      }),
    });
    const { headers, bytes } = await ask(port, { 'Accept-Encoding': 'gzip' });
    expect(headers).not.toHaveProperty('content-length');
    expect(headers).not.toHaveProperty('accept-ranges');
    expect(String(gunzipSync(bytes))).toBe(large);
  });

  it('that breaks leaves no answer that looks whole', async () => {
    async function* broken() {
      for (let i = 0; i < 20; i++) yield randomBytes(64 * 1024);
      throw new Error('broken');
    }
    const { port } = await startEdge({
      getA: () => ({ status: 200, raw: Readable.from(broken()), contentType: 'text/plain' }),
    });
    await expect(ask(port, { 'Accept-Encoding': 'gzip' })).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it.each(['gzip', 'identity'])(
    'that breaks before its first byte is a problem, for a client of %s',
    async (coding) => {
      const raw = new Readable({ read: () => raw.destroy(new Problem('upstream_timeout', 'Late.')) });
      const { port } = await startEdge({ getA: () => ({ status: 200, raw, contentType: 'text/plain' }) });
      const { status, headers } = await ask(port, { 'Accept-Encoding': coding });
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
  const allowed = (answer: Answer) => answer.headers['access-control-allow-origin'];

  it('lets an allowed origin read answers, errors of every kind among them', async () => {
    const { port } = await start([app]);
    const origin = { Origin: app };
    const answers = [
      await ask(port, origin),
      await ask(port, origin, 'GET', '/b'),
      await ask(port, origin, 'GET', '/none'),
      await ask(port, origin, 'DELETE'),
      await ask(port, { ...origin, 'X-API-Key': 'x' }),
      await ask(port, { ...origin, Host: 'a@b' }),
      await ask(port, { ...origin, 'X-A': 'a'.repeat(40_000) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 404, 405, 401, 400, 431]);
    for (const answer of answers) {
      expect(allowed(answer)).toBe(app);
      expect(answer.headers.vary).toMatch(/^Origin(, Accept-Encoding)?$/);
      expect(answer.headers['access-control-expose-headers']).toContain('RateLimit, RateLimit-Policy, Retry-After');
    }
  });

  it('tells any other origin nothing, but that answers differ by it', async () => {
    const { port } = await start([app]);
    for (const headers of [{ Origin: 'https://evil.example' }, { Origin: 'null' }, {}] as Record<string, string>[]) {
      const answer = await ask(port, headers);
      expect([answer.status, allowed(answer), answer.headers.vary]).toEqual([
        200,
        undefined,
        'Origin, Accept-Encoding',
      ]);
    }
  });

  it('answers a preflight without a key, with the methods of the path', async () => {
    const { port, observed } = await start([app], true);
    const headers = {
      Origin: app,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-api-key',
    };
    const answer = await ask(port, headers, 'OPTIONS');
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS, POST',
      'access-control-allow-headers': 'x-api-key',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    expect(observed).toEqual([[204, undefined]]);
    expect((await ask(port, headers, 'OPTIONS', '/none')).status).toBe(404);
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
    const answer = await ask(port, { Origin: app, 'Access-Control-Request-Method': 'GET' }, 'OPTIONS');
    expect([answer.status, allowed(answer), answer.headers['retry-after']]).toEqual([429, app, '9']);
  });

  it('is a star for any origin, whoever asks', async () => {
    const { port } = await start(['*']);
    const answers = [
      await ask(port, { Origin: 'https://anybody.example' }),
      await ask(port),
      await ask(port, {}, 'GET', '/none'),
    ];
    for (const answer of answers) {
      expect(allowed(answer)).toBe('*');
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
      expect(String(answer.headers.vary ?? '')).not.toContain('Origin');
    }
  });

  it('is silent where no origin is allowed', async () => {
    const { port } = await start([]);
    const answer = await ask(port, { Origin: app, 'Access-Control-Request-Method': 'GET' }, 'OPTIONS');
    expect(answer.status).toBe(204);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(answer.headers).not.toHaveProperty('vary');
  });
});
