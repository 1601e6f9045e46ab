import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { keyDigest } from '@rostergate/access/keys';
import { defineRawService, defineService, type ServiceContext, z } from '@rostergate/endpoints';
import { describe, expect, it } from 'vitest';
import { startForwarding } from './start-forwarding.ts';
import { startOrigin } from './start-origin.ts';

const up = (target: string, more: object = {}) => ({
  path: '/up',
  service: 'http',
  cache_seconds: 60,
  upstream: { targets: [target] },
  ...more,
});

/** Stopped clocks, so that no stored response gets older on a busy machine. */
function stopClocks() {
  const nowMs = Date.now();
  return { clock: () => nowMs, steadyClock: () => nowMs };
}

/** Starts an upstream that responds to GET with a count, and to other methods with `status` and these headers. */
function startVersions(headers: Record<string, string> = {}, status = 200) {
  let version = 0;
  return startOrigin(({ method }, _req, res) => {
    if (method === 'GET') res.setHeader('Content-Type', 'text/plain').end(`v${++version}`);
    else res.writeHead(status, headers).end();
  });
}

describe('an unsafe request (RFC 9111 §4.4)', () => {
  it.each(['PUT', 'POST', 'PATCH', 'DELETE'])(
    '%s removes the cached responses of its URI for every caller',
    async (method) => {
      const origin = await startVersions();
      const { fetch } = await startForwarding({
        settings: { api_keys: 'key-a,key-b' },
        endpoints: [up(origin.url), up(origin.url, { method, cache_seconds: 0 })],
      });
      const read = async () => {
        const bodies = [];
        for (const headers of [{}, { 'X-API-Key': 'key-a' }, { 'X-API-Key': 'key-b' }]) {
          bodies.push(await (await fetch('/up?id=1', { headers })).text());
        }
        return bodies;
      };
      expect([await read(), await read()]).toEqual([
        ['v1', 'v2', 'v3'],
        ['v1', 'v2', 'v3'],
      ]);
      await fetch('/up?id=2', { method });
      expect(await read()).toEqual(['v1', 'v2', 'v3']);
      await fetch('/up?id=1', { method });
      expect(await read()).toEqual(['v4', 'v5', 'v6']);
    },
  );

  it('removes the responses of every spelling of its URI, each of which has its own', async () => {
    const origin = await startVersions();
    const { url } = await startForwarding({
      endpoints: [
        up(origin.url, { path: '/u/{id}' }),
        up(origin.url, { path: '/u/{id}', method: 'DELETE', cache_seconds: 0 }),
      ],
    });
    const send = async (path: string, method = 'GET') => (await fetch(url + path, { method })).text();
    const spellings = ['/u/p%C3%A9?a=%7E', '/%75/p%c3%a9?a=~', '/u/p%c3%A9?%61=~'];
    const read = () => Promise.all(spellings.map((path) => send(path)));
    const first = await read();
    expect([new Set(first).size, await read()]).toEqual([3, first]);
    await send('/u/%70%C3%a9?a=~', 'DELETE');
    expect(new Set([...first, ...(await read())]).size).toBe(6);
  });

  it('treats a request target in absolute form as the same URI', async () => {
    const origin = await startVersions();
    const { fetch, url } = await startForwarding({
      endpoints: [up(origin.url), up(origin.url, { method: 'DELETE', cache_seconds: 0 })],
    });
    expect(await (await fetch('/up?id=1')).text()).toBe('v1');
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, method: 'DELETE', path: `${url}/up?id=1` }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(await (await fetch('/up?id=1')).text()).toBe('v2');
  });

  it.each([
    [204, {}, ['v2', 'v3', 'v4']],
    [303, {}, ['v2', 'v3', 'v4']],
    [404, {}, ['v2', 'v3', 'v1']],
    [500, {}, ['v2', 'v3', 'v1']],
    [201, { Location: '/up/1' }, ['v4', 'v3', 'v5']],
    [200, { 'Content-Location': '/up/2?x=1' }, ['v2', 'v4', 'v5']],
    [201, { Location: 'GATEWAY/up/1' }, ['v4', 'v3', 'v5']],
    [201, { Location: 'http://other.example/up/1' }, ['v2', 'v3', 'v4']],
    [404, { Location: '/up/1' }, ['v2', 'v3', 'v1']],
  ] as [number, Record<string, string>, string[]][])(
    '%i with %j leaves /up/1, /up/2?x=1 and /up as %j',
    async (status, headers, expected) => {
      const sent = { ...headers };
      const origin = await startVersions(sent, status);
      const one = up(origin.url, { path: '/up/{id}' });
      const { fetch, url } = await startForwarding({
        endpoints: [up(origin.url), one, up(origin.url, { method: 'POST', cache_seconds: 0 })],
      });
      if (sent.Location !== undefined) sent.Location = sent.Location.replace('GATEWAY', url);
      const read = async (path: string) => (await fetch(path)).text();
      for (const path of ['/up', '/up/1', '/up/2?x=1']) await read(path);
      await fetch('/up', { method: 'POST', redirect: 'manual' });
      expect([await read('/up/1'), await read('/up/2?x=1'), await read('/up')]).toEqual(expected);
    },
  );
});

describe('a caching header of the upstream', () => {
  it('reaches the caller: Age, Expires, Cache-Control and both validators', async () => {
    const expires = new Date(Date.now() + 3_600_000).toUTCString();
    const lastModified = 'Thu, 01 Jan 2026 00:00:00 GMT';
    const origin = await startOrigin((_seen, _req, res) => {
      res.writeHead(200, { Expires: expires, Age: '5', 'Last-Modified': lastModified }).end('a');
    });
    const { fetch } = await startForwarding({ endpoints: [up(origin.url)] });
    for (let i = 0; i < 2; i++) {
      const { headers } = await fetch('/up');
      expect([headers.get('expires'), headers.get('cache-control'), headers.get('etag')]).toEqual([
        expires,
        null,
        null,
      ]);
      expect(Number(headers.get('age'))).toBeGreaterThanOrEqual(5);
    }
    await fetch('/up', { headers: { 'Cache-Control': 'no-cache' } });
    expect(origin.seen.map((seen) => [seen.headers['if-modified-since'], seen.headers['if-none-match']])).toEqual([
      [undefined, undefined],
      [lastModified, undefined],
    ]);
  });

  it.each(['3600', 'Thu Jan  1 00:00:00 2026'])('Expires: %s is not fresh', async (expires) => {
    let count = 0;
    const origin = await startOrigin((_seen, _req, res) => res.writeHead(200, { Expires: expires }).end(`${++count}`));
    const { fetch } = await startForwarding({ endpoints: [up(origin.url)] });
    expect([await (await fetch('/up')).text(), await (await fetch('/up')).text()]).toEqual(['1', '2']);
  });

  it('is the same for HEAD on a miss, with the tag of the coding on both and on a 304', async () => {
    const body = 'a text that is long enough to be compressed '.repeat(60);
    const origin = await startOrigin((_seen, _req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/plain', ETag: '"abc"', 'Content-Length': body.length }).end(body);
    });
    const { fetch } = await startForwarding({ endpoints: [up(origin.url)] });
    const fields = ({ headers }: Response) => ['etag', 'cache-control', 'vary'].map((name) => headers.get(name));
    const headers = { 'Accept-Encoding': 'gzip' };
    const head = fields(await fetch('/up', { method: 'HEAD', headers }));
    const whole = await fetch('/up', { headers });
    await whole.text();
    expect(fields(whole)).toEqual(head);
    expect(head[0]).toBe('W/"abc"');
    const same = await fetch('/up', {
      headers: { ...headers, 'If-None-Match': '"abc"', 'Cache-Control': 'max-age=9' },
    });
    expect([same.status, ...fields(same)]).toEqual([304, ...head]);
    const plain = await fetch('/up', { headers: { 'Accept-Encoding': 'identity' } });
    expect(plain.headers.get('etag')).toBe('"abc"');
  });

  it('selects by X-Forwarded-For as forwarded, not as sent by the caller', async () => {
    const origin = await startOrigin(({ headers }, _req, res) => {
      res.writeHead(200, { Vary: 'X-Forwarded-For' }).end(String(headers['x-forwarded-for']));
    });
    const endpoints = [up(origin.url)];
    const claim = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
    const untrusting = await startForwarding({ endpoints });
    for (const address of ['9.9.9.9', '8.8.8.8']) {
      expect(await (await untrusting.fetch('/up', claim(address))).text()).toBe('127.0.0.1');
    }
    expect(origin.seen).toHaveLength(1);
    const trusting = await startForwarding({ endpoints, trustedProxies: ['127.0.0.1'] });
    for (const address of ['9.9.9.9', '8.8.8.8', '9.9.9.9']) {
      expect(await (await trusting.fetch('/up', claim(address))).text()).toBe(`${address}, 127.0.0.1`);
    }
    expect(origin.seen).toHaveLength(3);
  });

  it('is not requested with only-if-cached: 504', async () => {
    const origin = await startVersions();
    const { fetch } = await startForwarding({ endpoints: [up(origin.url)] });
    const only = { headers: { 'Cache-Control': 'only-if-cached' } };
    const missing = await fetch('/up', only);
    expect([missing.status, ((await missing.json()) as { code: string }).code]).toEqual([504, 'not_cached']);
    await (await fetch('/up')).text();
    expect(await (await fetch('/up', only)).text()).toBe('v1');
    expect(origin.seen).toHaveLength(1);
  });
});

describe('a stale response', () => {
  it('is served while it is revalidated, and instead of an error, if the upstream allows it', async () => {
    let count = 0;
    const origin = await startOrigin(({ url }, _req, res) => {
      count++;
      if (url === '/error' && count > 1) res.writeHead(503).end();
      else
        res
          .writeHead(200, { 'Cache-Control': `max-age=0, stale-while-${url.slice(1)}=60, stale-if-error=60` })
          .end(`${count}`);
    });
    const upstream = { targets: [origin.url], retries: 0 };
    const { fetch } = await startForwarding({
      endpoints: [up(origin.url, { path: '/error', upstream }), up(origin.url, { path: '/revalidate', upstream })],
    });
    const read = async (path: string) => {
      const response = await fetch(path);
      return [response.status, await response.text()];
    };
    expect([await read('/error'), await read('/error')]).toEqual([
      [200, '1'],
      [200, '1'],
    ]);
    expect([await read('/revalidate'), await read('/revalidate')]).toEqual([
      [200, '3'],
      [200, '3'],
    ]);
    // The revalidation of the last request has ended by then, or the next request waits for it.
    await expect.poll(async () => Number((await read('/revalidate'))[1])).toBeGreaterThan(3);
    origin.server.close();
    origin.server.closeAllConnections();
    expect(await read('/error')).toEqual([200, '1']);
  });

  it('describes each response in Cache-Status after the upstream’s own entry (RFC 9211), and counts it', async () => {
    let isFailing = false;
    const origin = await startOrigin(({ headers }, _req, res) => {
      const own = { 'Cache-Status': 'inner; hit', ETag: '"a"', 'Cache-Control': 'max-age=60, stale-if-error=60' };
      if (isFailing) res.writeHead(503).end();
      else if (headers['if-none-match'] === '"a"') res.writeHead(304, own).end();
      else res.writeHead(200, own).end('a');
    });
    const { fetch } = await startForwarding({
      endpoints: [
        up(origin.url, { upstream: { targets: [origin.url], retries: 0 } }),
        up(origin.url, { path: '/plain', cache_seconds: 0 }),
      ],
      ...stopClocks(),
    });
    const read = async (path: string, headers = {}) => (await fetch(path, { headers })).headers.get('cache-status');
    expect(await read('/up')).toBe('inner; hit, rostergate; fwd=uri-miss; fwd-status=200; stored');
    expect(await read('/up')).toMatch(/^inner; hit, rostergate; hit; ttl=(60|59|58)$/);
    expect(await read('/up', { 'If-None-Match': '"a"', 'Cache-Control': 'max-age=60' })).toMatch(
      /^rostergate; hit; ttl=(60|59|58)$/,
    );
    expect(await read('/up', { 'Cache-Control': 'no-cache' })).toBe(
      'inner; hit, rostergate; fwd=request; fwd-status=304; stored',
    );
    expect(await read('/up', { 'Cache-Control': 'no-store' })).toBe(
      'inner; hit, rostergate; fwd=request; fwd-status=200',
    );
    isFailing = true;
    expect(await read('/up?x', {})).toBe('rostergate; fwd=uri-miss; fwd-status=503');
    // An endpoint without a cache adds nothing.
    isFailing = false;
    expect(await read('/plain')).toBe('inner; hit');
    const metrics = await (await fetch('/metrics')).text();
    const counted = [...metrics.matchAll(/^response_cache_requests_total\{.*result="(\w+)".*\} (\d+)$/gm)];
    expect(Object.fromEntries(counted.map(([, result, count]) => [result, Number(count)]))).toEqual({
      hit: 2,
      miss: 2,
      revalidated: 1,
      bypass: 1,
    });
  });

  it('calls a stored response that replaces a failure stale, and requests that share a fetch collapsed', async () => {
    let count = 0;
    const origin = await startOrigin((_seen, _req, res) => {
      const status = ++count > 1 ? 503 : 200;
      res.writeHead(status, { 'Cache-Control': 'max-age=0, stale-if-error=60' }).end();
    });
    const { fetch } = await startForwarding({
      endpoints: [up(origin.url, { upstream: { targets: [origin.url], retries: 0 } })],
      ...stopClocks(),
    });
    await fetch('/up');
    expect((await fetch('/up')).headers.get('cache-status')).toMatch(
      /^rostergate; fwd=stale; fwd-status=503; ttl=(0|-1|-2)$/,
    );
    const waiting = Promise.withResolvers<void>();
    const slow = await startOrigin((_seen, _req, res) => void waiting.promise.then(() => res.end('a')));
    const shared = await startForwarding({ endpoints: [up(slow.url)] });
    const both = [shared.fetch('/up'), shared.fetch('/up')];
    await expect.poll(() => slow.seen.length).toBe(1);
    waiting.resolve();
    const texts = (await Promise.all(both)).map(({ headers }) => headers.get('cache-status'));
    expect(texts.sort()).toEqual([
      'rostergate; fwd=uri-miss; fwd-status=200; stored',
      expect.stringMatching(/^rostergate; fwd=uri-miss; ttl=\d+; collapsed$/),
    ]);
  });

  it('serves ranges while it is fresh', async () => {
    const origin = await startOrigin((_seen, _req, res) => res.writeHead(200, { ETag: '"a"' }).end('abcdef'));
    const { fetch } = await startForwarding({ endpoints: [up(origin.url)] });
    await (await fetch('/up')).text();
    const part = await fetch('/up', {
      headers: { Range: 'bytes=1-2', 'If-Range': '"a"', 'Cache-Control': 'max-age=60' },
    });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, 'bc', 'bytes 1-2/6']);
    const beyond = await fetch('/up', { headers: { Range: 'bytes=9-' } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */6']);
    expect(origin.seen).toHaveLength(1);
  });
});

describe('a service that sees the caller', () => {
  const tell = ({ principal }: ServiceContext) => principal && `${principal.name} ${principal.scopes.join()}`;
  const teller = defineService({
    name: 'teller',
    summary: 'Who calls',
    parameters: z.object({}),
    response: z.string().nullable(),
    handle: (_input, context) => tell(context),
  });
  const rawTeller = defineRawService({
    name: 'raw-teller',
    summary: 'Who calls',
    open: () => ({
      handle: (_request, context) => ({
        ...{ status: 200, raw: JSON.stringify(tell(context)), contentType: 'application/json' },
        headers: { 'cache-control': 'public, max-age=60' },
      }),
    }),
  });
  const keys = 'key-a,key-b';
  const start = (endpoint: object) =>
    startForwarding({ settings: { api_keys: keys }, services: [teller, rawTeller], endpoints: [endpoint] });

  it.each(['teller', 'raw-teller'])(
    '%s on a public endpoint: cached per key, and marked so for downstream caches',
    async (service) => {
      const { fetch } = await start({ path: '/who', service, cache_seconds: 60 });
      const seen = new Set();
      for (const key of [undefined, 'key-a', 'key-b', undefined, 'key-a']) {
        const response = await fetch('/who', key === undefined ? {} : { headers: { 'X-API-Key': key } });
        seen.add(await response.text());
        expect(response.headers.get('vary')).toMatch(/Authorization, X-API-Key/);
        expect(response.headers.get('cache-control')?.startsWith('private')).toBe(key !== undefined);
      }
      expect(seen.size).toBe(3);
    },
  );

  it('is marked for downstream caches even if nothing is cached', async () => {
    const { fetch } = await start({ path: '/who', service: 'raw-teller' });
    const { headers } = await fetch('/who', { headers: { 'X-API-Key': 'key-a' } });
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
      ...['private, max-age=60', 'Authorization, X-API-Key'],
    ]);
    expect((await fetch('/who')).headers.get('cache-control')).toBe('public, max-age=60');
  });

  it.each(['teller', 'raw-teller'])('%s: two keys of one owner share nothing', async (service) => {
    const key = (name: string, scopes: string[]) => ({ name, owner: 'one', scopes, sha256: keyDigest(name) });
    const keys = { keys: [key('admin', ['write']), key('reader', [])] };
    const { fetch } = await startForwarding({
      services: [teller, rawTeller],
      endpoints: [{ path: '/who', service, requires_auth: true, cache_seconds: 60 }],
      files: { 'keys.json': JSON.stringify(keys) },
    });
    const bodies = [];
    for (const name of ['admin', 'reader', 'admin']) {
      bodies.push(await (await fetch('/who', { headers: { 'X-API-Key': name } })).json());
    }
    expect(bodies).toEqual(['admin write', 'reader ', 'admin write']);
  });
});

describe('a response whose caller has disconnected', () => {
  it('is not cached: a service that stops then returns only a part of it', async () => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const stopping = defineService({
      name: 'stopping',
      summary: 'Rows',
      parameters: z.object({}),
      response: z.array(z.number()),
      async handle(_input, { signal }) {
        if (isFirst) {
          isFirst = false;
          begun.resolve();
          await once(signal, 'abort');
          setImmediate(ended.resolve);
          return [1];
        }
        return [1, 2, 3];
      },
    });
    let isFirst = true;
    const { fetch, url } = await startForwarding({
      services: [stopping],
      endpoints: [{ path: '/rows', service: 'stopping', cache_seconds: 60 }],
    });
    const leaving = request(`${url}/rows`).on('error', () => {});
    leaving.end();
    await begun.promise;
    leaving.destroy();
    await ended.promise;
    for (let i = 0; i < 2; i++) expect(await (await fetch('/rows')).json()).toEqual([1, 2, 3]);
  });
});

describe('a reload', () => {
  const keysFile = (...names: string[]) => ({
    'keys.json': JSON.stringify({
      keys: names.map((name) => ({ name, owner: name, scopes: [], sha256: keyDigest(name) })),
    }),
  });

  it('preserves cached responses of unchanged endpoints, even if keys changed', async () => {
    const origin = await startVersions();
    const endpoints = [up(origin.url), up(origin.url, { path: '/other' })];
    const { fetch, app, configure } = await startForwarding({ endpoints, files: keysFile('a') });
    const read = async () => [await (await fetch('/up')).text(), await (await fetch('/other')).text()];
    expect(await read()).toEqual(['v1', 'v2']);
    await app.apply(await configure({ endpoints, files: keysFile('a', 'b') }));
    expect(await read()).toEqual(['v1', 'v2']);
    const changed = up(origin.url, { path: '/other', upstream: { targets: [origin.url], timeout_ms: 9_000 } });
    await app.apply(await configure({ endpoints: [endpoints[0] as object, changed], files: keysFile('a', 'b') }));
    expect(await read()).toEqual(['v1', 'v3']);
    await app.apply(await configure({ endpoints: [], files: keysFile('a') }));
    await app.apply(await configure({ endpoints, files: keysFile('a') }));
    expect(await read()).toEqual(['v4', 'v5']);
  });
});

it('does not reuse a response for longer if the clock is set back', async () => {
  const origin = await startOrigin(({ method }, _req, res) => {
    res.setHeader('Cache-Control', 'max-age=50').end(`${method} ${++fetches}`);
  });
  let fetches = 0;
  let [wallMs, steadyMs] = [Date.now(), 1_000_000];
  const { fetch } = await startForwarding({
    endpoints: [up(origin.url)],
    clock: () => wallMs,
    steadyClock: () => steadyMs,
  });
  const read = async () => (await fetch('/up')).text();
  expect([await read(), await read()]).toEqual(['GET 1', 'GET 1']);
  wallMs -= 3_600_000;
  for (let n = 2; n < 5; n++) {
    wallMs += 100_000;
    steadyMs += 100_000;
    expect(await read()).toBe(`GET ${n}`);
  }
});
