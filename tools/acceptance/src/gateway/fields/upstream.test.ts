import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { goodKey, withKey } from '../../gateway-process.ts';
import { shareGateway } from '../../shared-gateway.ts';
import { startListener } from '../../start-listener.ts';

const gateways = shareGateway({ UPSTREAM_TOKEN: 'token-of-the-upstream' });

interface Upstream {
  readonly url: string;
  readonly seen: { readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: string }[];
}

/** Starts an upstream that records requests and responds with a counter. */
async function startUpstream(respond: (res: ServerResponse, n: number) => void): Promise<Upstream> {
  const seen: Upstream['seen'] = [];
  const { url, stop } = await startListener(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    seen.push({ url: req.url ?? '', headers: req.headers, body });
    respond(res, seen.length);
  });
  onTestFinished(stop);
  return { url, seen };
}

const count = (res: ServerResponse, n: number) => {
  res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ n }));
};

test('field upstream: targets, path, headers: forwards with a header of the environment and never the key', async () => {
  const upstream = await startUpstream(count);
  const { call } = await gateways.serve({
    endpoints: [
      {
        path: '/api/people/{id}',
        service: 'http',
        requires_auth: true,
        upstream: {
          targets: [`${upstream.url}/v1`],
          path: '/staff/{id}',
          headers: { Authorization: 'Bearer ${UPSTREAM_TOKEN}' },
        },
      },
    ],
  });
  expect((await call('/api/people/7?expand=Tags', withKey)).body).toEqual({ n: 1 });
  const [{ url, headers } = { url: '', headers: {} }] = upstream.seen;
  expect(url).toBe('/v1/staff/7?expand=Tags');
  expect(headers.authorization).toBe('Bearer token-of-the-upstream');
  expect(JSON.stringify(headers)).not.toContain(goodKey);
});

test('field upstream: a parameter of the path cannot leave its segment', async () => {
  const upstream = await startUpstream(count);
  const { url } = await gateways.serve({
    endpoints: [
      { path: '/api/people/{id}', service: 'http', upstream: { targets: [upstream.url], path: '/staff/{id}/x' } },
    ],
  });
  for (const id of ['..', '%2e%2e', '..%2fsecret', '%2e%2e%2fsecret', 'a%2fb', 'a%3Fq', 'a%23f', '%00']) {
    await (await fetch(`${url}/api/people/${id}`)).arrayBuffer();
  }
  for (const { url: asked } of upstream.seen) expect(asked).toMatch(/^\/staff\/[^/?#]+\/x$/);
  expect(upstream.seen.some(({ url: asked }) => /\/(\.\.|%2e%2e)\//i.test(asked))).toBe(false);
});

test('field upstream: targets share the requests, and one that is down is skipped', async () => {
  const [a, b] = [await startUpstream(count), await startUpstream(count)];
  const { call } = await gateways.serve({
    endpoints: [{ path: '/api/n', service: 'http', upstream: { targets: [a.url, b.url, 'http://127.0.0.1:9'] } }],
  });
  for (let i = 0; i < 30; i++) expect((await call('/api/n')).status).toBe(200);
  expect(Math.min(a.seen.length, b.seen.length)).toBeGreaterThan(3);
});

test('field upstream: timeout_ms limits the wait: 504', async () => {
  const upstream = await startUpstream(() => {});
  const { call } = await gateways.serve({
    endpoints: [
      { path: '/api/slow', service: 'http', upstream: { targets: [upstream.url], timeout_ms: 200, retries: 0 } },
    ],
  });
  const { status, body } = await call('/api/slow');
  expect([status, body.code]).toEqual([504, 'upstream_timeout']);
});

test('field upstream: retries repeat only safe requests', async () => {
  const fails = (res: ServerResponse, n: number) => (n % 3 === 0 ? count(res, n) : res.socket?.destroy());
  const upstream = await startUpstream(fails);
  const target = { service: 'http', upstream: { targets: [upstream.url], retries: 3 } };
  const { call } = await gateways.serve({
    endpoints: [
      { path: '/api/n', ...target },
      { path: '/api/n', method: 'POST', ...target },
    ],
  });
  expect((await call('/api/n')).body).toEqual({ n: 3 });
  const posted = await call('/api/n', { method: 'POST', json: { a: 1 } });
  expect([posted.status, upstream.seen.length]).toEqual([502, 4]);
});

test('field upstream: websocket: opens WebSockets of pages in origins, at most connections_max', async () => {
  const upstream = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  upstream.on('connection', (webSocket) => webSocket.on('message', (data) => webSocket.send(`${data}!`)));
  await once(upstream, 'listening');
  onTestFinished(() => upstream.close());
  const target = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  // Longer than the handshakes take on a busy machine.
  const websocket = { origins: ['https://app.example'], connections_max: 1, idle_ms: 5_000 };
  const { url } = await gateways.serve({
    endpoints: [{ path: '/live', service: 'http', requires_auth: true, upstream: { targets: [target], websocket } }],
  });
  const protocols = ['rostergate', `rostergate.key.${Buffer.from(goodKey).toString('base64url')}`];
  const open = async (origin: string) => {
    const webSocket = new WebSocket(`${url.replace('http', 'ws')}/live`, protocols, { origin });
    onTestFinished(() => webSocket.terminate());
    await new Promise((resolve, reject) => webSocket.on('open', resolve).on('error', reject));
    return webSocket;
  };
  const first = await open('https://app.example');
  await expect(open('https://app.example')).rejects.toThrow('503');
  await expect(open('https://evil.example')).rejects.toThrow('403');
  const received = once(first, 'message');
  first.send('Hello');
  expect(String((await received)[0])).toBe('Hello!');
  expect((await once(first, 'close'))[0]).toBe(1001);
});

test('field upstream: stream_idle_ms limits the silence of a stream', async () => {
  const upstream = await startListener((_req, res) => void res.writeHead(200).write('data: 1\n\n'));
  onTestFinished(upstream.stop);
  const { url } = await gateways.serve({
    endpoints: [{ path: '/events', service: 'http', upstream: { targets: [upstream.url], stream_idle_ms: 200 } }],
  });
  const response = await fetch(`${url}/events`);
  await expect(response.text()).rejects.toThrow();
});

test('field cache_seconds: a response is reused unless the upstream forbids it', async () => {
  const upstream = await startUpstream((res, n) => {
    res.writeHead(200, { 'Content-Type': 'application/json', ...(upstreamSays && { 'Cache-Control': upstreamSays }) });
    res.end(JSON.stringify({ n }));
  });
  let upstreamSays: string | undefined;
  const { call } = await gateways.serve({
    endpoints: [{ path: '/api/n', service: 'http', cache_seconds: 60, upstream: { targets: [upstream.url] } }],
  });
  expect([(await call('/api/n')).body.n, (await call('/api/n')).body.n]).toEqual([1, 1]);
  expect((await call('/api/n?other=1')).body.n).toBe(2);
  upstreamSays = 'no-store';
  expect([(await call('/api/n?x=1')).body.n, (await call('/api/n?x=1')).body.n]).toEqual([3, 4]);
});

test('field cache_default_seconds: with 0 a response is reused only if the upstream allows it', async () => {
  const declared = { 'Content-Type': 'application/json', 'Cache-Control': 'max-age=60' };
  const upstream = await startUpstream((res, n) => {
    const isDeclared = upstream.seen.at(-1)?.url.includes('declared');
    res.writeHead(200, isDeclared ? declared : { 'Content-Type': 'application/json' }).end(JSON.stringify({ n }));
  });
  const endpoint = { path: '/api/n', service: 'http', cache_seconds: 60, upstream: { targets: [upstream.url] } };
  const { call } = await gateways.serve({ endpoints: [{ ...endpoint, cache_default_seconds: 0 }] });
  expect([(await call('/api/n')).body.n, (await call('/api/n')).body.n]).toEqual([1, 2]);
  expect([(await call('/api/n?declared')).body.n, (await call('/api/n?declared')).body.n]).toEqual([3, 3]);
});

test('field contract: parameters and body are validated before a request is sent', async () => {
  const upstream = await startUpstream(count);
  const document = {
    openapi: '3.0.3',
    info: { title: 'People', version: '1' },
    paths: {
      '/people/{id}': {
        put: {
          operationId: 'putPerson',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['name'],
                  additionalProperties: false,
                  properties: { name: { type: 'string' } },
                },
              },
            },
          },
          responses: { 200: { description: 'Done.', content: { 'application/json': { schema: { type: 'object' } } } } },
        },
      },
    },
  };
  const { call } = await gateways.serve({
    endpoints: [
      {
        path: '/api/people/{id}',
        method: 'PUT',
        service: 'http',
        upstream: { targets: [upstream.url], path: '/people/{id}' },
        contract: { document: 'people.openapi.json', operation_id: 'putPerson' },
      },
    ],
    files: { 'people.openapi.json': JSON.stringify(document) },
  });
  const put = (id: string, json: object) => call(`/api/people/${id}`, { method: 'PUT', json });
  expect((await put('x', { name: 'Ada' })).status).toBe(400);
  expect((await put('7', { nam: 'Ada' })).body.errors.length).toBeGreaterThan(0);
  expect(upstream.seen).toEqual([]);
  expect((await put('7', { name: 'Ada' })).status).toBe(200);
  expect(upstream.seen.map(({ url, body }) => [url, body])).toEqual([['/people/7', '{"name":"Ada"}']]);
});
