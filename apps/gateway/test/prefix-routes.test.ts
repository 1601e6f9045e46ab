import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { defineService, z } from '@rostergate/endpoints';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startForwarding } from './start-forwarding.ts';
import { goodKey, withKey } from './start-gateway.ts';
import { startOrigin } from './start-origin.ts';

const files = (target: string, more: object = {}) => ({
  path: '/files/{rest*}',
  methods: ['GET', 'PUT', 'DELETE'],
  service: 'http',
  upstream: { targets: [target], path: '/v1/{rest*}' },
  ...more,
});

/** Sends a path unchanged, which fetch would normalize, and returns the response as text. */
async function send(url: string, path: string, method = 'GET', headers: readonly string[] = []): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const head = [`${method} ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  return text(socket);
}

const statusOf = (response: string) => Number(response.split(' ', 2)[1]);

describe('a prefix route', () => {
  it.each([
    ['/files/a', '/v1/a'],
    ['/files/a/b/c.txt?x=/../1', '/v1/a/b/c.txt?x=/../1'],
    ['/files/a%20b/%C3%A9/%c3%a9', '/v1/a%20b/%C3%A9/%c3%a9'],
    ["/files/~a/b:c@d,e=f!g$h&i'(j)*k+l", "/v1/~a/b:c@d,e=f!g$h&i'(j)*k+l"],
    ['/files/.../.a/a..b/100%25', '/v1/.../.a/a..b/100%25'],
    ['/%66iles/%61', '/v1/%61'],
  ])('forwards %s as %s, byte for byte', async (path, forwarded) => {
    const origin = await startOrigin();
    const { url } = await startForwarding({ endpoints: [files(origin.url)] });
    expect(statusOf(await send(url, path))).toBe(200);
    expect(origin.seen.map(({ url: seen }) => seen)).toEqual([forwarded]);
  });

  it('matches whole segments, at least one', async () => {
    const origin = await startOrigin();
    const { url } = await startForwarding({ endpoints: [files(origin.url)] });
    for (const path of ['/files', '/files/', '/filesystem', '/filesystem/a', '/files%2Fa', '/Files/a', '/a/files/b'])
      expect([path, statusOf(await send(url, path))]).toEqual([path, 404]);
    expect(origin.seen).toEqual([]);
  });

  it.each([
    ...['..', '../a', 'a/../../b', './a', 'a/.', '%2e%2e/a', '.%2E/a', '..%2Fa', 'a%2fb', 'a%5Cb', '..\\a', 'a;b'],
    ...['..;/a', '..%3b/a', 'a//b', '/a', 'a/', '//evil.example', '%252e%252e/a', 'a%252fb', '%25%32%65/a', '%2561'],
    ...['a%00b', 'a%0d%0aX-A:%201', '%7f'],
  ])('400: rejects the rest %s', async (rest) => {
    const origin = await startOrigin();
    const { url } = await startForwarding({ endpoints: [files(origin.url)] });
    const response = await send(url, `/files/${rest}`);
    expect(statusOf(response)).toBe(400);
    expect(response).toContain('application/problem+json');
    expect(response).toContain('"parameter":"rest"');
    expect(origin.seen).toEqual([]);
  });

  it('never requests a path of the upstream outside of its own, for any bytes that a client sends', async () => {
    const origin = await startOrigin();
    const endpoints = [
      files(origin.url),
      { path: '/docs-of/{id}/{rest*}', service: 'http', upstream: { targets: [origin.url], path: '/v1/{id}/{rest*}' } },
    ];
    const { url } = await startForwarding({ endpoints, settings: { enable_landing_page: false } });
    const piece = fc.oneof(
      fc.constantFrom(
        '/',
        '//',
        '.',
        '..',
        '...',
        '%2e',
        '%2E',
        '%2f',
        '%5c',
        '\\',
        ';',
        '%3b',
        '%25',
        '%',
        '2e',
        '2f',
      ),
      fc.constantFrom(
        'a',
        'v1',
        'http://evil.example',
        '@evil.example',
        '?',
        '#',
        '%00',
        '%0a',
        '%c0%ae',
        '%u002e',
        '\xff',
      ),
      fc.string({ unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 2 }),
    );
    const path = fc
      .tuple(fc.constantFrom('/files/', '/files', '/docs-of/1/', '/docs-of/', '/'), fc.array(piece, { maxLength: 7 }))
      .map(([start, pieces]) => start + pieces.join(''));
    await fc.assert(
      fc.asyncProperty(path, async (target) => {
        origin.seen.length = 0;
        const status = statusOf(await send(url, target));
        expect([200, 400, 404]).toContain(status);
        for (const { url: seen } of origin.seen) {
          expect(seen).toMatch(/^\/v1\/[^/?]/);
          let decoded = seen.split('?', 1)[0] as string;
          for (let i = 0; i < 3; i++) {
            expect(decoded.split(/[/\\]/).filter((segment) => /^\.{1,2}(;|$)/.test(segment))).toEqual([]);
            decoded = decoded.replaceAll(/%([\da-f]{2})/gi, (_, code) =>
              String.fromCharCode(Number.parseInt(code, 16)),
            );
          }
        }
        expect(origin.seen).toHaveLength(status === 200 ? 1 : 0);
      }),
      { numRuns: 400 },
    );
  });

  it('prefers a literal to a parameter to the rest, and a longer prefix to a shorter one', async () => {
    const origin = await startOrigin();
    const to = (path: string) => ({ service: 'http', upstream: { targets: [origin.url], path } });
    const { url } = await startForwarding({
      endpoints: [
        files(origin.url),
        { path: '/files/{id}/parts', ...to('/parts/{id}') },
        { path: '/files/latest/parts', ...to('/latest') },
        { path: '/files/old/{rest*}', ...to('/old/{rest*}') },
      ],
    });
    for (const path of ['/files/latest/parts', '/files/7/parts', '/files/7/others', '/files/old/a', '/files/%6fld/a'])
      await send(url, path);
    expect(origin.seen.map(({ url: seen }) => seen)).toEqual([
      ...['/latest', '/parts/7', '/v1/7/others', '/old/a', '/old/a'],
    ]);
  });

  it('needs a key under a prefix that does, however the path is written', async () => {
    const origin = await startOrigin();
    const admin = files(origin.url, { path: '/files/admin/{rest*}', requires_auth: true });
    const one = files(origin.url, {
      path: '/files/a@b',
      methods: ['GET'],
      requires_auth: true,
      upstream: { targets: [origin.url] },
    });
    const { url } = await startForwarding({ endpoints: [files(origin.url), admin, one] });
    for (const path of [
      ...['admin/x', '%61dmin/x', 'admin', '%61dmin', 'admin/', 'admin//x', 'x/../admin/y', 'admin%2fx', './admin/x'],
      ...['%2561dmin/x', 'admin;/x', 'admin/../admin/x', '%2e/admin/x', 'a@b', 'a%40b', 'a@b/', 'a%2540b'],
    ])
      expect(statusOf(await send(url, `/files/${path}`)), path).toBeGreaterThanOrEqual(400);
    expect(statusOf(await send(url, '/files/a@b', 'PUT'))).toBe(405);
    expect(origin.seen).toEqual([]);
    expect(statusOf(await send(url, '/files/admin/x', 'GET', [`X-API-Key: ${goodKey}`]))).toBe(200);
  });

  it('accepts no parameter before the rest that a server could read as several segments', async () => {
    const origin = await startOrigin();
    const { url } = await startForwarding({
      endpoints: [
        { path: '/t/{tenant}/{rest*}', service: 'http', upstream: { targets: [origin.url] } },
        { path: '/t/acme/admin/{rest*}', service: 'http', requires_auth: true, upstream: { targets: [origin.url] } },
      ],
    });
    for (const tenant of [
      ...['acme%2Fadmin', 'acme%2fadmin', 'acme%5Cadmin', 'acme\\admin', 'acme;x', 'acme%3Bx', 'acme%252Fadmin'],
      ...['%2e', '%2e%2e', 'x%2f..%2facme', '%2561cme', 'acme%00'],
    ])
      expect(await send(url, `/t/${tenant}/admin/x`), tenant).toMatch(/^HTTP\/1.1 400 .*"parameter":"tenant"/s);
    expect(origin.seen).toEqual([]);
    expect(statusOf(await send(url, '/t/caf%C3%A9%20%25/x'))).toBe(200);
    expect(origin.seen.map(({ url: seen }) => seen)).toEqual(['/t/caf%C3%A9%20%25/x']);
  });

  it('rewrites addresses of the upstream to its own', async () => {
    const origin = await startOrigin((_seen, req, res) =>
      res.writeHead(302, { Location: `http://${req.headers.host}/v1/x/y?z`, Link: '</v1/a/b>; rel="next"' }).end(),
    );
    const { fetch } = await startForwarding({ endpoints: [files(origin.url)] });
    const response = await fetch('/files/a', { redirect: 'manual' });
    expect([response.headers.get('location'), response.headers.get('link')]).toEqual([
      '/files/x/y?z',
      '</files/a/b>; rel="next"',
    ]);
  });

  it('caches each URI of GET, and a write removes that URI only', async () => {
    let count = 0;
    const origin = await startOrigin((_seen, _req, res) => res.writeHead(200).end(`${++count}`));
    const { fetch } = await startForwarding({ endpoints: [files(origin.url, { cache_seconds: 60 })] });
    const read = async (path: string) => (await fetch(path)).text();
    const [a, b] = ['/files/a/1', '/files/a/2'];
    expect([await read(a), await read(b), await read(a), await read(b)]).toEqual(['1', '2', '1', '2']);
    expect(await read(`${a}?x`)).toBe('3');
    await fetch(a, { method: 'PUT', body: 'new' });
    expect([await read(a), await read(b)]).toEqual(['5', '2']);
  });

  it('passes the decoded rest to a service, and validates it', async () => {
    const service = defineService({
      name: 'look-up',
      summary: 'Looks up a path',
      parameters: z.object({ where: z.string().max(20) }),
      response: z.object({ where: z.string() }),
      handle: ({ where }) => ({ where }),
    });
    const { fetch } = await startForwarding({
      endpoints: [
        { path: '/tree/{where*}', service: 'look-up' },
        { path: '/other/{rest*}', service: 'look-up', parameters: { where: { source: 'path', key: 'rest' } } },
      ],
      services: [service],
    });
    expect(await (await fetch('/tree/a/b%20c/%C3%A9')).json()).toEqual({ where: 'a/b c/é' });
    expect(await (await fetch('/other/a/b')).json()).toEqual({ where: 'a/b' });
    for (const path of [`/tree/${'a/'.repeat(20)}a`, '/tree/a%2Fb']) {
      const rejected = await fetch(path);
      expect([rejected.status, await rejected.json()]).toMatchObject([400, { errors: [{ parameter: 'where' }] }]);
    }
  });

  it('is one label in metrics and logs', async () => {
    const origin = await startOrigin();
    const { fetch, log } = await startForwarding({ endpoints: [files(origin.url)], settings: { log_level: 'info' } });
    for (const path of ['/files/a/secret-name', '/files/b', '/files/a;b']) await fetch(path);
    const metrics = await (await fetch('/metrics')).text();
    expect(metrics).toContain('method="GET",route="/files/{rest*}"');
    expect(metrics + log()).not.toContain('secret-name');
    expect(log()).toContain('"route":"/files/{rest*}"');
  });
});

describe('several methods', () => {
  const endpoint = (target: string) => files(target, { methods: ['GET', 'POST'], requires_auth: true });

  it('are operations with their own ids, bodies and places in the list and the document', async () => {
    const origin = await startOrigin();
    const { fetch } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    const { endpoints } = (await (await fetch('/endpoints')).json()) as {
      endpoints: { method: string; path: string }[];
    };
    expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /files/{rest*}',
      'POST /files/{rest*}',
    ]);
    const { paths } = (await (await fetch('/openapi.json')).json()) as {
      paths: Record<string, Record<string, object>>;
    };
    const { get, post } = paths['/files/{rest}'] as Record<string, object>;
    const rest = { name: 'rest', in: 'path', required: true, schema: { type: 'string' }, 'x-multi-segment': true };
    expect(get).toMatchObject({ operationId: 'getFilesByRest', parameters: [rest, { in: 'query' }] });
    expect(get).not.toHaveProperty('requestBody');
    expect(post).toMatchObject({ operationId: 'postFilesByRest', requestBody: {} });
  });

  it('have one Allow, also in a preflight, and HEAD is served with GET', async () => {
    const origin = await startOrigin();
    const { fetch } = await startForwarding({
      endpoints: [endpoint(origin.url)],
      settings: { cors_origins: ['https://app.example'] },
    });
    const rejected = await fetch('/files/a/b', { method: 'DELETE', ...withKey });
    expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
    const preflight = await fetch('/files/a/b', {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, HEAD, OPTIONS, POST',
    ]);
    expect((await fetch('/files/a/b', { method: 'HEAD', ...withKey })).status).toBe(200);
    expect((await fetch('/files/a/b', { method: 'POST', body: 'x', ...withKey })).status).toBe(200);
    expect((await fetch('/files/a/b')).status).toBe(401);
    expect(origin.seen.map(({ method, body }) => [method, body])).toEqual([
      ['HEAD', ''],
      ['POST', 'x'],
    ]);
  });
});
