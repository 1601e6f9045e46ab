import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startForwarding, startTimelessUpstreams } from './start-forwarding.ts';
import { configure, goodKey, problemOf, startGateway, withKey } from './start-gateway.ts';
import { startOrigin } from './start-origin.ts';

const endpoint = (target: string, more: object = {}) => ({
  path: '/up',
  service: 'http',
  upstream: { targets: [target] },
  ...more,
});

/** Sends a path unchanged, which fetch would normalize. */
async function rawGet(url: string, path: string, headers: readonly string[] = []): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\n${['Host: a', ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  return text(socket);
}

describe('the service http', () => {
  it('200: forwards path, query and response unchanged', async () => {
    const origin = await startOrigin((_seen, _req, res) => {
      res.writeHead(203, { 'Content-Type': 'text/csv', 'X-Up': 'yes', 'Set-Cookie': ['a=1', 'b=2'] }).end('a,b\n');
    });
    const { fetch } = await startForwarding({ endpoints: [endpoint(`${origin.url}/base/`)] });
    const response = await fetch("/up?a=1&a=2&$filter=Name%20eq%20'x'&%zz");
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      203,
      'text/csv',
      'a,b\n',
    ]);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('x-up')).toBe('yes');
    expect(origin.seen[0]?.url).toBe('/base/up?a=1&a=2&$filter=Name%20eq%20%27x%27&%zz');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('200: forwards any body of a %s unread', async (method) => {
    const origin = await startOrigin();
    const { fetch } = await startForwarding({ endpoints: [endpoint(origin.url, { method })] });
    const headers = { 'Content-Type': 'application/json; charset=ebcdic', 'Content-Encoding': 'x-mine' };
    const response = await fetch('/up', { method, headers, body: '{not json' });
    expect(await response.json()).toMatchObject({
      method,
      body: '{not json',
      headers: { 'content-type': headers['Content-Type'], 'content-encoding': 'x-mine', 'content-length': '9' },
    });
  });

  it('200: streams both ways: the first bytes arrive before the rest is sent', async () => {
    const origin = await startOrigin();
    origin.server.removeAllListeners('request').on('request', (req, res) => req.pipe(res));
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url, { method: 'POST' })] });
    const outgoing = request(`${url}/up`, { method: 'POST' });
    outgoing.write('first');
    const [incoming] = await once(outgoing, 'response');
    const [chunk] = await once(incoming, 'data');
    expect(String(chunk)).toBe('first');
    outgoing.end('second');
    expect(await text(incoming)).toBe('second');
  });

  it('200: sends HEAD for HEAD; 400: rejects a GET with a body, which could not be forwarded', async () => {
    const origin = await startOrigin();
    const { url, fetch } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    expect((await fetch('/up', { method: 'HEAD' })).status).toBe(200);
    const outgoing = request(`${url}/up`, { method: 'GET', headers: { 'Content-Length': 4 } }).end('body');
    const [incoming] = await once(outgoing, 'response');
    expect([incoming.statusCode, JSON.parse(await text(incoming)).errors]).toMatchObject([400, [{ pointer: '' }]]);
    expect(origin.seen.map(({ method, body }) => [method, body])).toEqual([['HEAD', '']]);
  });

  it('200: fills the parameters into the path of the upstream', async () => {
    const origin = await startOrigin();
    const { fetch } = await startForwarding({
      endpoints: [
        endpoint(origin.url, { path: '/a/{x}/{y}', upstream: { targets: [origin.url], path: '/v2/{y}/t/{x}' } }),
      ],
    });
    await fetch('/a/1%202/b%2Fc%3F%23;%2525');
    expect(origin.seen[0]?.url).toBe('/v2/b%2Fc%3F%23;%2525/t/1%202');
  });

  it.each([
    '..',
    '.',
    '%2e%2e',
    '..%2fadmin',
    'a%2f..%2f..%2fadmin',
    'a%00b',
    '%0d%0aX-A:%201',
    '%252e%252e',
    '%252e%252e%252f',
    'a%252f%252e%252e%252fb',
    '%25252e%25252e%25255c',
    '..%5cadmin',
  ])('400: the value %s does not leave its segment', async (value) => {
    const origin = await startOrigin();
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url, { path: '/files/{name}/x' })] });
    const answer = await rawGet(url, `/files/${value}/x`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(origin.seen).toEqual([]);
  });

  it('200: uses only the path of an absolute request target', async () => {
    const [origin, other] = [await startOrigin(), await startOrigin()];
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    expect(await rawGet(url, `${other.url}/up?x=1`)).toMatch(/^HTTP\/1\.1 200 /);
    expect([origin.seen[0]?.url, other.seen]).toEqual(['/up?x=1', []]);
  });

  it('200, 502: logs the target that was asked', async () => {
    const origin = await startOrigin();
    const down = 'http://127.0.0.1:9';
    const { fetch, log } = await startForwarding({
      endpoints: [endpoint(origin.url), endpoint(down, { path: '/down', upstream: { targets: [down], retries: 0 } })],
    });
    expect([(await fetch('/up')).status, (await fetch('/down')).status, (await fetch('/health')).status]).toEqual([
      200, 502, 200,
    ]);
    const lines = () =>
      log()
        .split('\n')
        .flatMap((line) => (line.includes('"duration_ms"') ? [JSON.parse(line) as { upstream?: string }] : []));
    await expect.poll(() => lines().map(({ upstream }) => upstream)).toEqual([origin.host, '127.0.0.1:9', undefined]);
  });

  it('302: follows no redirect', async () => {
    const other = await startOrigin();
    const origin = await startOrigin((_seen, _req, res) => res.writeHead(302, { Location: other.url }).end());
    const { fetch } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    const response = await fetch('/up', { redirect: 'manual' });
    expect([response.status, response.headers.get('location'), other.seen]).toEqual([302, other.url, []]);
  });

  it('does not forward the key, the host, hop-by-hop headers and untrusted forwarding headers', async () => {
    const origin = await startOrigin();
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url, { requires_auth: true })] });
    const answer = await rawGet(url, '/up', [
      `X-API-Key: ${goodKey}`,
      'Connection: keep-alive, X-Named, X-API-Key, X-Request-Id',
      'X-Named: canary',
      'X-Forwarded-For: 6.6.6.6',
      'X-Forwarded-Host: canary',
      'X-Real-IP: 6.6.6.6',
      'Proxy-Authorization: canary',
      'TE: trailers',
      'Upgrade: canary',
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    const { headers } = origin.seen[0] as { headers: object };
    expect(JSON.stringify(headers)).not.toMatch(new RegExp(`${goodKey}|canary|6\\.6\\.6\\.6|trailers`));
    expect(headers).toMatchObject({
      host: origin.host,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-request-id': expect.any(String),
    });
  });

  it('forwards the chain of a trusted proxy, and adds its address', async () => {
    const origin = await startOrigin();
    const trustedProxies = ['127.0.0.0/8'];
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url)], trustedProxies });
    await rawGet(url, '/up', [
      'X-Forwarded-For: 203.0.113.7',
      'X-Forwarded-Proto: https',
      'X-Forwarded-Host: a.example',
    ]);
    expect(origin.seen[0]?.headers).toMatchObject({
      'x-forwarded-for': '203.0.113.7, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'a.example',
    });
  });

  it('503: opens the circuit for one client behind a trusted proxy, and for no other', async () => {
    const origin = await startOrigin(({ headers }, _req, res) => {
      res.writeHead(String(headers['x-forwarded-for']).startsWith('203.0.113.7') ? 503 : 200).end();
    });
    const { fetch } = await startForwarding({
      endpoints: [endpoint(origin.url, { method: 'POST' })],
      trustedProxies: ['127.0.0.0/8'],
      upstreams: startTimelessUpstreams(),
    });
    const statusFor = async (client: string) =>
      (await fetch('/up', { method: 'POST', headers: { 'X-Forwarded-For': client } })).status;
    for (let i = 0; i < 6; i++) expect(await statusFor('203.0.113.7')).toBe(503);
    expect(origin.seen).toHaveLength(5);
    expect(await statusFor('198.51.100.9')).toBe(200);
    expect(origin.seen).toHaveLength(6);
  });

  it('adds configured headers, filled in from the environment, and never reveals their values', async () => {
    const origin = await startOrigin((_seen, _req, res) => res.end('{}'));
    const headers = {
      'X-Token': 'Bearer ${TOKEN}',
      'X-None': '${NONE:-}',
      'X-Default': '${NONE:-b}',
      'X-Api-Key': '${TOKEN}',
    };
    const { fetch, log } = await startForwarding({
      env: { TOKEN: 'canary-token', HOST: origin.host },
      endpoints: [endpoint('', { upstream: { targets: ['http://${HOST}'], headers } })],
    });
    await fetch('/up', { headers: { 'X-Token': 'theirs', 'X-None': 'passes' } });
    expect(origin.seen[0]?.headers).toMatchObject({
      'x-token': 'Bearer canary-token',
      'x-api-key': 'canary-token',
      'x-default': 'b',
    });
    for (const path of ['/endpoints', '/openapi.json', '/metrics', '/health/ready', '/']) {
      expect(await (await fetch(path)).text()).not.toContain('canary');
    }
    expect(log()).not.toContain('canary');
  });

  it('413: enforces the body limit while streaming, with or without Content-Length', async () => {
    const origin = await startOrigin();
    const { fetch } = await startForwarding({
      settings: { body_bytes_max: 100_000 },
      endpoints: [endpoint(origin.url, { method: 'POST' })],
    });
    const send = (bytes: number, isAnnounced: boolean) =>
      fetch('/up', {
        method: 'POST',
        body: isAnnounced
          ? 'x'.repeat(bytes)
          : (Readable.toWeb(Readable.from([Buffer.alloc(bytes, 'x')])) as ReadableStream),
        duplex: 'half',
      } as RequestInit);
    for (const isAnnounced of [true, false]) {
      const fits = await send(100_000, isAnnounced);
      expect([fits.status, ((await fits.json()) as { body: string }).body.length]).toEqual([200, 100_000]);
      expect(await problemOf(await send(100_001, isAnnounced))).toMatchObject({
        answered: 413,
        code: 'body_too_large',
      });
    }
    expect(origin.seen).toHaveLength(2);
  });

  it('502: an unreachable upstream; 503 once its circuit is open; readiness names its host', async () => {
    const origin = await startOrigin();
    origin.server.close();
    const { fetch } = await startForwarding({
      env: { TOKEN: 'canary' },
      upstreams: startTimelessUpstreams(),
      endpoints: [endpoint(origin.url, { upstream: { targets: [`${origin.url}/canary`], retries: 0 } })],
    });
    expect(await problemOf(await fetch('/up'))).toMatchObject({ answered: 502, code: 'upstream_failed' });
    for (let i = 0; i < 5; i++) await fetch('/up');
    const response = await fetch('/up');
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await problemOf(response)).toMatchObject({ answered: 503, code: 'unavailable' });
    const ready = await fetch('/health/ready');
    const body = (await ready.json()) as { status: string; dependencies: { upstreams: object } };
    expect([ready.status, body.status]).toEqual([200, 'degraded']);
    expect(body.dependencies.upstreams).toEqual({ status: 'degraded', targets: 1, open: [origin.host] });
  });

  it('504: an upstream that does not respond by the deadline, including retries', async () => {
    const origin = await startOrigin(() => {});
    const { fetch } = await startForwarding({
      endpoints: [endpoint(origin.url, { upstream: { targets: [origin.url], timeout_ms: 2_000, retries: 5 } })],
    });
    expect(await problemOf(await fetch('/up'))).toMatchObject({ answered: 504, code: 'upstream_timeout' });
    expect(origin.seen).toHaveLength(1);
  });

  it('closes the connection if the upstream aborts its response', async () => {
    const origin = await startOrigin((_seen, _req, res) => {
      res.writeHead(200, { 'Content-Length': '100' }).write('half', () => res.destroy());
    });
    const { fetch } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    await expect(fetch('/up').then((response) => response.text())).rejects.toThrow();
  });

  it('aborts the upstream request if the caller disconnects', async () => {
    const origin = await startOrigin(() => {});
    const { fetch } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    const abort = new AbortController();
    const arrived = once(origin.server, 'request');
    const answer = fetch('/up', { signal: abort.signal });
    const [, res] = await arrived;
    abort.abort();
    await expect(answer).rejects.toThrow();
    await once(res, 'close');
    expect(res.writableFinished).toBe(false);
  });

  it('counts upstream requests by host and outcome', async () => {
    const origin = await startOrigin((seen, _req, res) => res.writeHead(seen.url.includes('x') ? 404 : 200).end());
    const { fetch } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    await fetch('/up');
    await fetch('/up?x');
    const metrics = await (await fetch('/metrics')).text();
    expect(metrics).toContain(`upstream_requests_total{target="${origin.host}",outcome="2xx"} 1`);
    expect(metrics).toContain(`upstream_requests_total{target="${origin.host}",outcome="4xx"} 1`);
    expect(metrics).toContain(`upstream_request_duration_seconds_count{target="${origin.host}"} 2`);
    expect(metrics).toContain(`upstream_breaker_open{target="${origin.host}"} 0`);
    expect(metrics).toContain('upstream_retries_total 0');
  });

  it('declares any query, any body, any response and its errors in the contract', async () => {
    const { fetch } = await startForwarding({
      endpoints: [endpoint('http://127.0.0.1:1', { path: '/up/{id}', method: 'PUT' })],
    });
    const document = (await (await fetch('/openapi.json')).json()) as { paths: Record<string, Record<string, never>> };
    expect(document.paths['/up/{id}']?.put).toMatchObject({
      parameters: [
        { name: 'id', in: 'path', required: true },
        { in: 'query', schema: { type: 'object', additionalProperties: true } },
      ],
      requestBody: { content: { '*/*': {} } },
      responses: {
        '2XX': { content: { '*/*': {} } },
        502: { content: { '*/*': {}, 'application/problem+json': {} } },
        503: {},
        504: {},
        default: {},
      },
    });
  });
});

describe('the configuration of upstreams', () => {
  const faultsOf = (endpoints: readonly object[], env = {}) =>
    startForwarding({ endpoints, env }).then(
      () => [],
      (error: { faults: { field: string; detail: string }[] }) =>
        error.faults.map(({ field, detail }) => `${field} ${detail}`),
    );

  it('reports every fault at its path', async () => {
    const upstream = {
      targets: ['http://a', 'http://${HOST', 'http://${NOWHERE}'],
      path: '/x/{y}',
      headers: { 'X Y': 'a', Host: 'a', 'X-A': 'ä', 'X-B': '${B}' },
    };
    expect(
      await faultsOf([
        endpoint('', { upstream }),
        { path: '/a', service: 'http' },
        { path: '/b', service: 'echo', upstream: { targets: ['http://a'] } },
        endpoint('http://a', { path: '/c', method: 'POST', cache_seconds: 5 }),
      ]),
    ).toEqual([
      expect.stringMatching(/upstream\.path names \{y\}/),
      expect.stringMatching(/targets\[1\] has a \$\{/),
      expect.stringMatching(/X Y.* is not a valid header name/),
      expect.stringMatching(/Host is set by the gateway/),
      expect.stringMatching(/X-A.* contains characters/),
      expect.stringMatching(/endpoints\[1\]\.upstream is missing/),
      expect.stringMatching(/endpoints\[2\]\.upstream is not used by the service echo/),
      expect.stringMatching(/endpoints\[3\]\.cache_seconds must be 0 unless the method is GET/),
    ]);
  });

  it('reports a missing variable, without values', async () => {
    const env = { EMPTY: '', USER: 'user:canary@host', BAD: 'canary\nx' };
    const upstream = {
      targets: ['http://${NOWHERE}', 'http://${USER}'],
      headers: { 'X-A': '${EMPTY}', 'X-B': '${BAD}' },
    };
    const faults = await faultsOf([endpoint('', { upstream })], env);
    expect(faults).toEqual([
      expect.stringMatching(/targets\[0\] needs the environment variable NOWHERE/),
      expect.stringMatching(/targets\[1\] contains credentials/),
      expect.stringMatching(/X-A.* needs the environment variable EMPTY/),
      expect.stringMatching(/X-B.* contains characters/),
    ]);
    expect(faults.join()).not.toContain('canary');
  });

  it('describes endpoints without their variables if nothing is served', async () => {
    const upstream = { targets: ['http://${NOWHERE}'], headers: { 'X-A': '${NOTHING}' } };
    const { endpoints } = await configure({ endpoints: [endpoint('', { upstream })] });
    expect(endpoints[0]?.upstream?.headers).toEqual({ 'X-A': '${NOTHING}' });
  });
});

describe('a reload', () => {
  it('reuses connections of unchanged upstreams, and closes unused ones', async () => {
    const [kept, gone] = [await startOrigin(), await startOrigin()];
    const { fetch, app, configure } = await startForwarding({
      endpoints: [endpoint(kept.url), endpoint(gone.url, { path: '/gone' })],
    });
    await (await fetch('/up')).text();
    await (await fetch('/gone')).text();
    expect([await kept.connections(), await gone.connections()]).toEqual([1, 1]);
    const socketClosed = new Promise((resolve) =>
      gone.server.once('request', (req) => req.socket.once('close', resolve)),
    );
    await (await fetch('/gone')).text();
    await app.apply(await configure({ endpoints: [endpoint(kept.url)] }));
    await socketClosed;
    await (await fetch('/up')).text();
    expect([await kept.connections(), await gone.connections()]).toEqual([1, 0]);
    expect(app.generation().settings).toBeDefined();
  });

  it('lets a request in flight finish with its upstream', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const origin = await startOrigin((_seen, _req, res) => void released.then(() => res.end('old')));
    const { fetch, app, configure } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    const arrived = once(origin.server, 'request');
    const answer = fetch('/up');
    await arrived;
    await app.apply(await configure({ endpoints: [] }));
    release();
    expect(await (await answer).text()).toBe('old');
    expect((await fetch('/up')).status).toBe(404);
  });

  it('leaks nothing when repeated', async () => {
    const upstreams = (await startForwarding({ endpoints: [] })).upstreams;
    const { app, configure, fetch } = await startForwarding({ endpoints: [], upstreams });
    for (let i = 0; i < 50; i++) {
      await app.apply(await configure({ endpoints: [endpoint(`http://127.0.0.1:${i + 1}`)] }));
    }
    expect(upstreams.status().targets).toBe(1);
    await app.apply(await configure({ endpoints: [] }));
    expect(upstreams.status().targets).toBe(0);
    expect(await (await fetch('/metrics')).text()).not.toMatch(/upstream_\w+\{/);
  });
});

it('is ready without a reachable upstream', async () => {
  const { fetch } = await startGateway();
  expect((await fetch('/health/ready', withKey)).status).toBe(200);
});
