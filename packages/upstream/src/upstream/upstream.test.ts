import { getEventListeners, once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Problem } from '@rostergate/server/problem';
import { afterEach, describe, expect, it } from 'vitest';
import { createUpstream, type Upstream, type UpstreamOptions } from './upstream.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function start(server: Server, options: Partial<UpstreamOptions> = {}) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const upstream = createUpstream({ baseUrl: `http://127.0.0.1:${port}`, ...options });
  stops.push(
    () => server.close(),
    () => upstream.destroy(),
  );
  return { upstream, sockets, port };
}

/** An upstream that sends the same bytes for every request. */
const saying = (bytes: string, then: (socket: Socket) => void = () => {}) =>
  createServer((socket) => socket.on('data', () => socket.write(bytes, () => then(socket))));

const get = (upstream: Upstream, path = '/') => upstream.request({ method: 'GET', path });
async function faultOf(promise: Promise<unknown>): Promise<Problem> {
  const error = await promise.then(
    () => expect.unreachable('it should have failed'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Problem);
  return error as Problem;
}

describe('createUpstream', () => {
  it('sends a request unchanged and returns the response as a stream', async () => {
    const { upstream, port } = await start(
      http.createServer(async (req, res) => {
        res.setHeader('Set-Cookie', ['a=1', 'b=2']);
        res.writeHead(201, { 'X-Seen': `${req.method} ${req.url} ${req.headers['x-a']} ${req.headers.host}` });
        res.end(await text(req));
      }),
    );
    const { status, headers, body } = await upstream.request({
      method: 'POST',
      path: '/v2/a%20b?$filter=x',
      headers: { 'X-A': '1' },
      body: 'hello',
    });
    expect([status, headers['x-seen'], await text(body)]).toEqual([
      201,
      `POST /v2/a%20b?$filter=x 1 127.0.0.1:${port}`,
      'hello',
    ]);
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
  });

  it('reuses connections', async () => {
    let connections = 0;
    const server = http.createServer((_req, res) => res.end('ok')).on('connection', () => connections++);
    const { upstream } = await start(server);
    for (let i = 0; i < 20; i++) await text((await get(upstream)).body);
    // Two, because the next request can start before the first connection is marked as free.
    expect(connections).toBeLessThanOrEqual(2);
  });

  it('follows no redirect', async () => {
    const { upstream } = await start(
      http.createServer((_req, res) => res.writeHead(302, { Location: 'http://other/' }).end()),
    );
    const { status, headers, body } = await get(upstream);
    body.resume();
    expect([status, headers.location]).toEqual([302, 'http://other/']);
  });

  it('sends a large body at the pace of the reader', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let written = 0;
    const server = http.createServer((_req, res) => {
      const more = (): void => {
        while (written < 1_000 && res.write(chunk)) written++;
        if (written >= 1_000) res.end();
        else {
          written++;
          res.once('drain', more);
        }
      };
      more();
    });
    const { upstream } = await start(server);
    const { body } = await get(upstream);
    await once(body, 'readable');
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(written).toBeLessThan(1_000);
    let length = 0;
    for await (const part of body) length += (part as Buffer).length;
    expect(length).toBeGreaterThanOrEqual(1_000 * chunk.length);
  });

  it.each(['ftp://a', 'nonsense', 'http://user:secret@a', 'http://a/?q=1', 'file:///etc/passwd'])(
    'rejects the address %s without repeating it',
    (baseUrl) => {
      expect(() => createUpstream({ baseUrl })).toThrow(RangeError);
      expect(() => createUpstream({ baseUrl })).not.toThrow(/secret/);
    },
  );

  it.each(['http://other/', '//other:1/ x', 'a', '', '/a\r\nX-B: 1', '/ä'])('rejects the path %j', async (path) => {
    const upstream = createUpstream({ baseUrl: 'http://127.0.0.1:1' });
    expect(() => upstream.request({ method: 'GET', path })).toThrow(RangeError);
  });
});

describe('faults of an upstream', () => {
  it.each([
    ['resets the connection', createServer((socket) => void socket.on('data', () => socket.resetAndDestroy()))],
    ['closes without a response', createServer((socket) => void socket.on('data', () => socket.end()))],
    ['sends garbage', saying('SSH-2.0-OpenSSH\r\n\r\n')],
    ['sends an invalid head', saying('HTTP/1.1 200 OK\r\nbroken header\r\n\r\n')],
    ['sends a status that HTTP does not define', saying('HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nok')],
    ['sends an endless head', saying(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}`)],
  ])('are 502 when it %s', async (_case, server) => {
    const { upstream } = await start(server);
    const problem = await faultOf(get(upstream));
    expect([problem.code, problem.status]).toEqual(['upstream_failed', 502]);
  });

  it('are 502 without an address when no server listens', async () => {
    const { upstream, port } = await start(createServer());
    await stops.shift()?.();
    const problem = await faultOf(get(upstream));
    expect(problem).toMatchObject({
      code: 'upstream_failed',
      detail: 'The upstream cannot be reached. Try again later.',
    });
    expect(problem.detail).not.toContain(String(port));
    expect(problem.cause).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('are 504 when the head does not arrive by the deadline, and leave no socket open', async () => {
    const { upstream, sockets } = await start(
      createServer(() => {}),
      { headersTimeoutMs: 30 },
    );
    expect(await faultOf(get(upstream))).toMatchObject({ code: 'upstream_timeout', status: 504 });
    await Promise.all([...sockets].map((socket) => once(socket.resume(), 'close')));
    expect(sockets.size).toBe(0);
  });

  it('are 504 when no connection is free by the deadline', async () => {
    const { upstream } = await start(
      http.createServer(() => {}),
      { headersTimeoutMs: 30, connectionsMax: 1 },
    );
    const problems = await Promise.all([faultOf(get(upstream)), faultOf(get(upstream)), faultOf(get(upstream))]);
    expect(problems.map((problem) => problem.status)).toEqual([504, 504, 504]);
  });

  it('are 504 when a connection never opens', async () => {
    const connect: NonNullable<UpstreamOptions['connect']> = (_options, callback) => {
      callback(Object.assign(new Error('10.1.2.3 timed out'), { code: 'UND_ERR_CONNECT_TIMEOUT' }), null);
    };
    const problem = await faultOf(get(createUpstream({ baseUrl: 'http://a', connect })));
    expect([problem.status, problem.detail.includes('10.1')]).toEqual([504, false]);
  });

  it.each([
    ['is shorter than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
    ['ends before its last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
    ['turns into garbage', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nnonsense\r\n'],
  ])('break the stream when a body %s', async (_case, bytes) => {
    const { upstream } = await start(saying(bytes, (socket) => socket.end()));
    const { status, body } = await get(upstream);
    expect(status).toBe(200);
    expect(await faultOf(text(body))).toMatchObject({ code: 'upstream_failed' });
  });

  it('break the stream when the upstream sends no more of a body', async () => {
    const { upstream } = await start(saying('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'), {
      bodyTimeoutMs: 30,
    });
    const { body } = await get(upstream);
    expect(await faultOf(text(body))).toMatchObject({ code: 'upstream_timeout' });
  });

  it('reach a reader that starts late', async () => {
    const { upstream } = await start(
      saying('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', (socket) => socket.end()),
    );
    const { body } = await get(upstream);
    await new Promise((resolve) => body.once('close', resolve));
    expect(await faultOf(text(body))).toMatchObject({ code: 'upstream_failed' });
  });

  it('do not include an invalid request', async () => {
    const { upstream } = await start(http.createServer());
    await expect(upstream.request({ method: 'GET', path: '/', headers: { 'X-A': 'a\nb' } })).rejects.not.toBeInstanceOf(
      Problem,
    );
  });
});

describe('a caller who leaves', () => {
  it('cancels the request upstream before the response', async () => {
    const { upstream, sockets } = await start(http.createServer(() => {}));
    const abort = new AbortController();
    const pending = faultOf(upstream.request({ method: 'GET', path: '/', signal: abort.signal }));
    while (sockets.size === 0) await new Promise(setImmediate);
    abort.abort();
    await pending;
    await Promise.all([...sockets].map((socket) => once(socket, 'close')));
    expect(sockets.size).toBe(0);
  });

  it('never starts a request that was already cancelled', async () => {
    let count = 0;
    const { upstream } = await start(http.createServer(() => count++));
    await faultOf(upstream.request({ method: 'GET', path: '/', signal: AbortSignal.abort() }));
    await upstream.close();
    expect(count).toBe(0);
  });

  it('frees the connection by destroying the body', async () => {
    const { upstream, sockets } = await start(http.createServer((_req, res) => void res.write('begun')));
    const { body } = await get(upstream);
    body.destroy();
    await Promise.all([...sockets].map((socket) => once(socket, 'close')));
    expect(sockets.size).toBe(0);
  });

  it('leaves no listener on the signal', async () => {
    const { upstream } = await start(http.createServer((_req, res) => res.end('ok')));
    const { signal } = new AbortController();
    const pending = upstream.request({ method: 'GET', path: '/', signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await text((await pending).body);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
