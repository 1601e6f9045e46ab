import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectOverTls } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { exchange, parseResponses, readAll } from '../../test/raw-exchange.ts';
import { startEdge } from '../../test/start-edge.ts';
import { tlsPair } from '../../test/tls-pairs.ts';
import { Problem } from '../problem/index.ts';

const get = (path: string, ...fields: string[]) =>
  `GET ${path} HTTP/1.1\r\n${['Host: a', ...fields].join('\r\n')}\r\n\r\n`;
const last = 'Connection: close';

/** The headers of every response. */
const commonHeaders = [
  'x-content-type-options',
  'content-security-policy',
  'referrer-policy',
  'cross-origin-resource-policy',
  'cache-control',
  'x-request-id',
  'date',
];

function problemIn(text: string) {
  const responses = parseResponses(text);
  const response = responses.at(-1);
  const type = response?.header('content-type');
  const code = type === 'application/problem+json' ? JSON.parse(response?.body ?? '').code : undefined;
  const missing = commonHeaders.filter((name) => response?.header(name) === undefined);
  return { status: response?.status, code, missing, count: responses.length };
}

describe('a slow client', () => {
  it('gets 408 when the body of its request arrives too slowly, and the request is observed as 408', async () => {
    const { port, observed } = await startEdge({}, { timeouts: { requestMs: 2_000 } });
    const socket = connect(port, '127.0.0.1');
    const text = readAll(socket);
    socket.write('POST /a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n[');
    const drops = setInterval(() => socket.write('1,'), 50);
    try {
      expect(problemIn(await text)).toEqual({ status: 408, code: 'request_timeout', missing: [], count: 1 });
    } finally {
      clearInterval(drops);
    }
    expect(observed).toEqual([[408, 'request_timeout']]);
  });

  it('gets no second response after one that preceded the end of its request', async () => {
    const { port } = await startEdge({}, { timeouts: { requestMs: 2_000 } });
    const text = await exchange(port, 'POST /none HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n[');
    expect(problemIn(text)).toMatchObject({ status: 404, count: 1 });
  });

  it('gets 408 when it does not complete the head', async () => {
    const rejections: string[] = [];
    const { port } = await startEdge(
      {},
      { timeouts: { headersMs: 2_000 }, onRejection: ({ code }) => void rejections.push(code) },
    );
    const response = await exchange(port, 'GET /a HTTP/1.1\r\nHost: a\r\nX-A: ');
    expect(problemIn(response)).toEqual({ status: 408, code: 'request_timeout', missing: [], count: 1 });
    expect(rejections).toEqual(['request_timeout']);
  });

  it('gets no response without a request', async () => {
    const { port } = await startEdge({}, { timeouts: { headersMs: 200 } });
    expect(await exchange(port)).toBe('');
  });

  it('is disconnected after the keep-alive timeout', async () => {
    const { port, server } = await startEdge({}, { timeouts: { keepAliveMs: 150 } });
    // Node adds a buffer to the timeout.
    (server as { keepAliveTimeoutBuffer?: number }).keepAliveTimeoutBuffer = 0;
    expect(parseResponses(await exchange(port, get('/a'))).map((a) => a.status)).toEqual([200]);
  });

  it('is disconnected after each response where keep-alive is disabled', async () => {
    const { port } = await startEdge({}, { timeouts: { keepAliveMs: 0 } });
    expect(parseResponses(await exchange(port, get('/a')))[0]?.header('connection')).toBe('close');
  });

  it.each([
    ['over TCP', undefined],
    ['over TLS', tlsPair('first')],
  ])('is disconnected when it does not read its response, %s', async (_case, tls) => {
    const megabyte = Buffer.alloc(1024 * 1024);
    async function* endless() {
      for (;;) yield megabyte;
    }
    const { port, observed } = await startEdge(
      { getA: () => ({ status: 200, raw: Readable.from(endless()), contentType: 'image/png' }) },
      { stalledMs: 200, tls },
    );
    const socket =
      tls === undefined
        ? connect(port, '127.0.0.1')
        : connectOverTls({ port, host: '127.0.0.1', ca: tls.certificate, servername: 'localhost' });
    socket.on('error', () => {}).write(get('/a'));
    await once(socket, 'readable');
    await expect.poll(() => observed).toEqual([[499, undefined]]);
    socket.destroy();
  });

  it('may read slowly', async () => {
    const length = 40 * 1024 * 1024;
    const { port } = await startEdge(
      { getA: () => ({ status: 200, raw: Buffer.alloc(length), contentType: 'image/png' }) },
      { stalledMs: 3_000 },
    );
    const socket = connect(port, '127.0.0.1');
    socket.write(get('/a', last));
    let received = 0;
    for await (const chunk of socket) {
      const before = Math.floor(received / 2 ** 20);
      received += chunk.length;
      // Longer than the limit in total, while each pause is far shorter.
      if (Math.floor(received / 2 ** 20) > before) await wait(100);
    }
    expect(received).toBeGreaterThan(length);
  });

  it('waits for a slow handler without a timeout', async () => {
    const { port } = await startEdge(
      { getA: () => wait(1_800).then(() => ({ status: 200, body: {} })) },
      { stalledMs: 20, timeouts: { requestMs: 1_000, keepAliveMs: 20 } },
    );
    expect(problemIn(await exchange(port, get('/a', last))).status).toBe(200);
  });

  it('does not delay other clients', async () => {
    const { port } = await startEdge({}, { timeouts: { headersMs: 10_000 } });
    const slow = Array.from({ length: 200 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    for (const socket of slow) socket.write('POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nX-A: ');
    await Promise.all(slow.map((socket) => socket.connecting && once(socket, 'connect')));
    expect(problemIn(await exchange(port, get('/a', last))).status).toBe(200);
    for (const socket of slow) socket.destroy();
  });
});

describe('requests on one connection', () => {
  it.each(['//!@=#', '//a@b#c'])(
    'get 404 for %s, which a URL parser reads as a host without a path',
    async (target) => {
      const { port, observed } = await startEdge({});
      const [response] = parseResponses(
        await exchange(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
      );
      expect([response?.status, response?.header('content-type')]).toEqual([404, 'application/problem+json']);
      expect(observed).toEqual([[404, 'route_not_found']]);
    },
  );

  it('get responses in order when they are pipelined', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { port } = await startEdge({
      getA: () => promise.then(() => ({ status: 200, body: 'a' })),
      getB: () => {
        setTimeout(resolve, 5);
        return { status: 200, body: 'b' };
      },
    });
    const responses = parseResponses(await exchange(port, get('/a') + get('/b') + get('/a', last)));
    expect(responses.map((response) => response.body)).toEqual(['"a"', '"b"', '"a"']);
  });

  it('get their own responses when an invalid request follows them', async () => {
    const { port } = await startEdge({
      getA: async () => {
        await wait(20);
        return { status: 200, body: 'late' };
      },
    });
    const responses = parseResponses(await exchange(port, `${get('/a')}nonsense\r\n\r\n`));
    expect(responses.map((response) => response.status)).toEqual([200, 400]);
    expect(responses[0]?.body).toBe('"late"');
  });

  it('are served after the client has closed its side', async () => {
    const { port } = await startEdge({});
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const text = readAll(socket);
    socket.end(get('/a'));
    expect(problemIn(await text).status).toBe(200);
  });

  it('are all served after the client has closed its side, before the connection closes', async () => {
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const reply = async () => {
      await closed;
      return { status: 200, body: 'late' };
    };
    const { port, server } = await startEdge({ getA: reply, getB: reply });
    server.on('connection', (peer) => peer.once('end', () => setImmediate(close)));
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const text = readAll(socket);
    socket.end(get('/a') + get('/b') + get('/a'));
    const responses = parseResponses(await text);
    expect(responses.map(({ status, body }) => [status, body])).toEqual(Array(3).fill([200, '"late"']));
  });

  it('end when the client leaves between two responses, after it has closed its side', async () => {
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
    const { port } = await startEdge({
      getB: (_input: unknown, { signal }: { signal: AbortSignal }) => {
        signal.addEventListener('abort', () => abort());
        return aborted;
      },
    });
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end(get('/a') + get('/b'));
    await once(socket, 'data');
    socket.destroy();
    await aborted;
  });
});

describe('a rejected head', () => {
  it.each([
    ['no Host', 'GET /a HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
    ['two Hosts', get('/a', 'Host: b'), 400, 'malformed_request'],
    ['a Host with a user', 'GET /a HTTP/1.1\r\nHost: a@b\r\n\r\n', 400, 'malformed_request'],
    ['a Host with a path', 'GET /a HTTP/1.1\r\nHost: a/b\r\n\r\n', 400, 'malformed_request'],
    [
      'length and chunks',
      `POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'malformed_request',
    ],
    [
      'two lengths',
      'POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12',
      400,
      'malformed_request',
    ],
    ['a space before the colon', 'GET /a HTTP/1.1\r\nHost: a\r\nX-A : b\r\n\r\n', 400, 'malformed_request'],
    ['a folded line', 'GET /a HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n', 400, 'malformed_request'],
    ['a NUL', 'GET /a HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n', 400, 'malformed_request'],
    ['a bare return', 'GET /a HTTP/1.1\r\nHost: a\r\nX-A: b\rX-B: c\r\n\r\n', 400, 'malformed_request'],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'malformed_request'],
    ['HTTP/0.9', 'GET /a\r\n\r\n', 400, 'malformed_request'],
    ['HTTP/0.9 with fields', 'GET /a\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
    ['HTTP/0.9 with a version', 'GET /a HTTP/0.9\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
    ['HTTP/2 with a version', 'GET /a HTTP/2.0\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
    [
      'chunks in HTTP/1.0',
      'POST /a HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'malformed_request',
    ],
    ['a tunnel without a port', 'CONNECT /a HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
    ['a URL with only a scheme', get('http://'), 400, 'malformed_request'],
    ['a URL with an invalid port', get('http://a:99999999/a'), 400, 'malformed_request'],
    ['a URL with a user', get('http://a@b/a'), 400, 'malformed_request'],
    ['a tunnel', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 501, 'not_implemented'],
    ['a WebSocket', get('/a', 'Connection: Upgrade', 'Upgrade: websocket'), 501, 'not_implemented'],
    [
      'a body in a transfer coding other than chunked',
      'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      501,
      'not_implemented',
    ],
    [
      'transfer codings in two fields',
      'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      501,
      'not_implemented',
    ],
    ['too many bytes of fields', get('/a', `X-A: ${'a'.repeat(33_000)}`), 431, 'headers_too_large'],
    ['too many fields', get('/a', ...Array.from({ length: 5_000 }, (_, i) => `x${i}:`)), 431, 'headers_too_large'],
    [
      'a Host behind thousands of fields',
      get('/a', ...Array.from({ length: 2_500 }, () => 'x:'), 'Host: b'),
      400,
      'malformed_request',
    ],
  ])('gets a complete response, and the connection closes: %s', async (_case, bytes, status, code) => {
    const { port } = await startEdge({});
    expect(problemIn(await exchange(port, bytes))).toEqual({ status, code, missing: [], count: 1 });
  });

  it.each([20_000, 40_000, 60_000, 90_000])('is reported as a long URL of %i bytes in two packets', async (length) => {
    const { port } = await startEdge({});
    const address = `/a?x=${'x'.repeat(length)}`;
    const response = await exchange(
      port,
      `GET ${address.slice(0, 10_000)}`,
      `${address.slice(10_000)} HTTP/1.1\r\nHost: a\r\n${last}\r\n\r\n`,
    );
    expect(problemIn(response)).toMatchObject({ status: 414, code: 'uri_too_long', missing: [] });
  });
});

describe('a client that sends Expect: 100-continue', () => {
  const head =
    'POST /a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 3\r\nExpect: 100-continue\r\n';

  it('gets 100 when the body is read, and keeps its connection', async () => {
    const { port } = await startEdge({ postA: ({ body }: { body: unknown }) => ({ status: 200, body }) });
    const socket = connect(port, '127.0.0.1');
    const text = readAll(socket);
    socket.write(`${head}\r\n`);
    await once(socket, 'data');
    socket.write(`[1]${get('/a', last)}`);
    const [interim, first, second] = parseResponses(await text);
    expect([interim?.status, first?.status, first?.body, second?.status]).toEqual([100, 200, '[1]', 200]);
    expect(first?.header('connection')).not.toBe('close');
  });

  it('is rejected before its body, and disconnected', async () => {
    const authenticate = () => {
      throw new Problem('key_invalid', 'No.');
    };
    const { port } = await startEdge({}, { router: { authenticate } });
    const responses = parseResponses(await exchange(port, `${head}\r\n`));
    expect(responses.map(({ status, header }) => [status, header('connection')])).toEqual([[401, 'close']]);
  });
});

it.each([
  ['an Upgrade to a WebSocket', get('/a', 'Connection: Upgrade, close', 'Upgrade: websocket')],
  ['an unknown transfer coding', 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
])('counts %s against the limit of its client', async (_case, bytes) => {
  const counted: string[] = [];
  const limit = ({ route }: { route: { operationId: string } }) => {
    if (counted.push(route.operationId) > 2) throw new Problem('limit_exceeded', 'Too many requests.');
  };
  const { port } = await startEdge({}, { router: { limit } });
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push(problemIn(await exchange(port, bytes)).status);
  expect(statuses).toEqual([501, 501, 429]);
});

describe('an unusual request', () => {
  it.each([
    [
      'one that offers HTTP/2',
      get('/a', 'Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'),
    ],
    ['one with an absolute URL', get('http://elsewhere.example/a', last)],
    ['one after empty lines', `\r\n\r\n${get('/a', last)}`],
    // RFC 9110 §7.8: a server ignores Upgrade in a request of HTTP/1.0, and may ignore it in others.
    ['HTTP/1.0 that offers a WebSocket', 'GET /a HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['one that offers TLS', get('/a', 'Connection: Upgrade, close', 'Upgrade: TLS/1.0')],
    ['HTTP/1.0 without a Host', 'GET /a HTTP/1.0\r\n\r\n'],
  ])('is served: %s', async (_case, bytes) => {
    const { port } = await startEdge({});
    expect(problemIn(await exchange(port, bytes)).status).toBe(200);
  });
});

describe('a response', () => {
  it.each(['a\r\nSet-Cookie: b', 'a\nb', 'a\0', '\u2028'])(
    'never contains headers injected through the value %j',
    async (value) => {
      const { port } = await startEdge({
        getA: () => ({ status: 200, body: 'x'.repeat(5_000), headers: { ETag: '"a"', 'X-A': value, 'X-B': 'b' } }),
      });
      const text = await exchange(port, get('/a', 'Accept-Encoding: br', last));
      expect(problemIn(text)).toEqual({ status: 500, code: 'internal_error', missing: [], count: 1 });
      expect(text).not.toMatch(/set-cookie|content-encoding|etag|x-b/i);
    },
  );
});
