import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startForwarding, startTimelessUpstreams } from './start-forwarding.ts';
import { problemOf } from './start-gateway.ts';
import { startRawOrigin } from './start-origin.ts';

const endpoint = (target: string, more: object = {}) => ({
  path: '/up',
  service: 'http',
  upstream: { targets: [target] },
  ...more,
});
const ok = (body: string, ...fields: readonly string[]) =>
  `${['HTTP/1.1 200 OK', `Content-Length: ${body.length}`, ...fields].join('\r\n')}\r\n\r\n${body}`;
const interim = (status: string, ...fields: readonly string[]) =>
  `${[`HTTP/1.1 ${status}`, ...fields].join('\r\n')}\r\n\r\n`;

/** Sends bytes and returns everything received until the gateway closes the connection. */
async function exchange(url: string, bytes: string, then: (socket: Socket) => void = () => {}): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.write(bytes);
  then(socket);
  const got = await text(socket);
  socket.end();
  return got;
}
const getHead = (version = '1.1', ...fields: readonly string[]) =>
  `GET /up HTTP/${version}\r\n${['Host: a', 'Connection: close', ...fields].join('\r\n')}\r\n\r\n`;

/** Sends a request and collects its interim responses. */
async function getWithInterim(url: string) {
  const sent = request(`${url}/up`).end();
  const seen: [number, object][] = [];
  sent.on('information', ({ statusCode, headers }: { statusCode: number; headers: object }) => {
    seen.push([statusCode, headers]);
  });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { seen, status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('interim responses of an upstream', () => {
  it.each([
    ['in one piece with the response', [interim('100 Continue') + ok('done')]],
    ['by itself', [interim('100 Continue'), ok('done')]],
    ['twice', [interim('100 Continue') + interim('100 Continue', 'X-A: 1'), ok('done')]],
    ['byte by byte', [...(interim('100 Continue') + ok('done'))]],
    ['after another interim response', [interim('102 Processing') + interim('100 Continue') + ok('done')]],
  ])('ignores an unsolicited 100 Continue that arrives %s', async (_how, pieces) => {
    const origin = await startRawOrigin(async (socket) => {
      for (const piece of pieces) {
        await new Promise((resolve) => socket.write(piece, resolve));
        await new Promise(setImmediate);
      }
    });
    const { fetch } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    for (let i = 0; i < 3; i++) expect(await (await fetch('/up')).text()).toBe('done');
    expect(origin.heads).toHaveLength(3);
  });

  it('forwards a body that looks like a 100 Continue', async () => {
    const lookalike = interim('100 Continue');
    const origin = await startRawOrigin((socket) => {
      socket.write(ok(lookalike).slice(0, -lookalike.length), () => socket.write(lookalike));
    });
    const { fetch } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    for (let i = 0; i < 3; i++) expect(await (await fetch('/up')).text()).toBe(lookalike);
  });

  it('forwards 103 Early Hints and 102 Processing before the response', async () => {
    const link = '</style.css>; rel=preload; as=style';
    const hints = interim('102 Processing') + interim('103 Early Hints', `Link: ${link}`, 'Connection: X-B', 'X-B: 1');
    const origin = await startRawOrigin((socket) => socket.write(hints, () => socket.write(ok('done'))));
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    const { seen, status, body } = await getWithInterim(url);
    expect([seen, status, body]).toEqual([
      [
        [102, {}],
        [103, { link }],
      ],
      200,
      'done',
    ]);
  });

  it('sends no interim response to an HTTP/1.0 client', async () => {
    const origin = await startRawOrigin((socket) =>
      socket.write(interim('103 Early Hints', 'Link: </a>; rel=preload') + ok('done')),
    );
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    expect(await exchange(url, getHead('1.0'))).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('an upstream that responds before it has read the request', () => {
  it('returns its 413 repeatedly, and its target stays in use', async () => {
    const rejection = 'HTTP/1.1 413 Content Too Large\r\nContent-Length: 9\r\nConnection: close\r\n\r\ntoo large';
    const origin = await startRawOrigin((socket, head) => {
      if (head.startsWith('GET')) socket.write(ok('done'));
      // Bytes of the body are unread: closing resets the connection.
      else socket.write(rejection, () => socket.destroy());
    });
    const { fetch } = await startForwarding({
      endpoints: [endpoint(origin.url), endpoint(origin.url, { method: 'POST' })],
    });
    const body = Buffer.alloc(4 * 1024 * 1024, 'x');
    for (let i = 0; i < 30; i++) {
      const response = await fetch('/up', { method: 'POST', body });
      expect([i, response.status, await response.text()]).toEqual([i, 413, 'too large']);
    }
    expect((await fetch('/up')).status).toBe(200);
  });
});

describe('an upstream that fails', () => {
  it('for one path still gets requests for others, of the same endpoint and of others', async () => {
    const origin = await startRawOrigin((socket, head) => {
      if (head.includes('/bad')) socket.destroy();
      else socket.write(ok('done'));
    });
    const { fetch } = await startForwarding({
      endpoints: [endpoint(origin.url, { path: '/o/{id}' }), endpoint(origin.url)],
      upstreams: startTimelessUpstreams(),
    });
    for (let i = 0; i < 4; i++) expect((await fetch('/o/bad')).status).toBe(502);
    for (let i = 0; i < 4; i++) expect((await fetch('/o/bad')).status).toBe(503);
    expect([(await fetch('/o/good')).status, (await fetch('/up')).status]).toEqual([200, 200]);
  });

  it('for many paths of one endpoint still gets requests for another endpoint', async () => {
    const origin = await startRawOrigin((socket, head) => {
      if (head.includes('/o/')) socket.destroy();
      else socket.write(ok('done'));
    });
    const { fetch } = await startForwarding({
      endpoints: [endpoint(origin.url, { path: '/o/{id}' }), endpoint(origin.url)],
      upstreams: startTimelessUpstreams(),
    });
    for (let i = 0; i < 10; i++) await fetch(`/o/${i}`);
    expect([(await fetch('/o/new')).status, (await fetch('/up')).status]).toEqual([503, 200]);
  });
});

describe('an upstream that sends a head and then nothing', () => {
  it('is reported as a 504 by the deadline, with the cause in the log', async () => {
    const origin = await startRawOrigin((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n'),
    );
    const { fetch, log } = await startForwarding({
      endpoints: [endpoint(origin.url, { upstream: { targets: [origin.url], timeout_ms: 2_000 } })],
    });
    expect(await problemOf(await fetch('/up'))).toMatchObject({ answered: 504, code: 'upstream_timeout' });
    expect(log().match(/"code":"upstream_timeout"/g)).toHaveLength(1);
    expect(log()).toContain('no byte of its body by the deadline');
    await expect.poll(() => origin.sockets.size).toBe(0);
  });

  it.each(['gzip', 'identity'])(
    'is a 502 if it disconnects before the first byte, for a client of %s',
    async (accepted) => {
      const origin = await startRawOrigin((socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n'),
      );
      const { fetch } = await startForwarding({ endpoints: [endpoint(origin.url)] });
      const response = await fetch('/up', { headers: { 'Accept-Encoding': accepted } });
      expect(await problemOf(response)).toMatchObject({ answered: 502, code: 'upstream_failed' });
    },
  );
});

describe('a forwarded response', () => {
  it('adds no media type to a 304', async () => {
    const origin = await startRawOrigin((socket) => socket.write('HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n'));
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    const answer = await exchange(url, getHead('1.1', 'If-None-Match: "a"'));
    expect(answer).toMatch(/^HTTP\/1\.1 304 /);
    expect(answer).not.toMatch(/^(content-type|transfer-encoding):/im);
    expect(answer).toMatch(/\r\n\r\n$/);
  });

  it.each(['302 Found\r\nLocation: /x\r\nContent-Length: 0', '200 OK\r\nContent-Length: 4'])(
    'adds no media type to %j without one',
    async (head) => {
      const body = head.endsWith('4') ? 'done' : '';
      const origin = await startRawOrigin((socket) => socket.write(`HTTP/1.1 ${head}\r\n\r\n${body}`));
      const { url } = await startForwarding({ endpoints: [{ ...endpoint(origin.url), cache_seconds: 5 }] });
      for (let i = 0; i < 2; i++) {
        const answer = await exchange(url, getHead('1.1'));
        expect(answer).not.toMatch(/^content-type:/im);
        expect(answer).toMatch(new RegExp(`\\r\\n\\r\\n${body}$`));
      }
    },
  );

  it('appends this gateway to Via in both directions', async () => {
    const origin = await startRawOrigin((socket) => socket.write(ok('done', 'Via: 1.0 inner', 'via: 1.1 second')));
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    const answer = await exchange(url, getHead('1.0', 'Via: 1.1 first', 'Via: 1.0 edge (a)'));
    expect(answer).toMatch(/^via: 1\.0 inner, 1\.1 second, 1\.1 rostergate\r$/im);
    expect(origin.heads[0]).toMatch(/^via: 1\.1 first, 1\.0 edge \(a\), 1\.0 rostergate$/im);
  });

  it('drops a Via that the Connection header of the client names', async () => {
    const origin = await startRawOrigin((socket) => socket.write(ok('done')));
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    await exchange(url, getHead('1.1', 'Via: 1.1 first').replace('Connection: close', 'Connection: close, via'));
    expect(origin.heads[0]).toMatch(/^via: 1\.1 rostergate$/im);
  });
});

describe('an address of the upstream in a response', () => {
  it('becomes one of this gateway', async () => {
    const origin = await startRawOrigin((socket) => {
      const { host } = origin;
      socket.write(
        ok(
          '',
          `Location: http://${host}/base/up/5?a=1`,
          `Content-Location: //${host}/base/up`,
          `Refresh: 1; url=http://${host}/base/up`,
          `Link: <http://${host}/base/up?p=2>; rel=next`,
          'Set-Cookie: a=b; Domain=127.0.0.1; Path=/base/up',
        ),
      );
    });
    const { fetch } = await startForwarding({ endpoints: [endpoint(`${origin.url}/base`)] });
    const { headers } = await fetch('/up');
    expect(Object.fromEntries(headers)).toMatchObject({
      location: '/up/5?a=1',
      'content-location': '/up',
      refresh: '1; url=/up',
      link: '</up?p=2>; rel=next',
      'set-cookie': 'a=b; Path=/up',
    });
    expect(JSON.stringify([...headers])).not.toContain(origin.host);
  });

  it('becomes one of this gateway in Early Hints, too', async () => {
    const origin = await startRawOrigin((socket) =>
      socket.write(interim('103 Early Hints', `Link: <http://${origin.host}/a>; rel=preload`) + ok('done')),
    );
    const { url } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    expect((await getWithInterim(url)).seen).toEqual([[103, { link: '</a>; rel=preload' }]]);
  });
});

describe('the content security policy of an upstream', () => {
  it('applies in addition to the one of this origin, and never weakens it', async () => {
    const policy = "default-src *; script-src 'unsafe-inline'";
    const origin = await startRawOrigin((socket) =>
      socket.write(ok('done', `Content-Security-Policy: ${policy}`, 'X-Content-Type-Options: none')),
    );
    const { fetch } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    const { headers } = await fetch('/up');
    expect(headers.get('content-security-policy')).toBe(`default-src 'none'; frame-ancestors 'none', ${policy}`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('a client that closes its side of the connection after its request', () => {
  it.each(['1.0', '1.1'])('gets its response over HTTP/%s', async (version) => {
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const origin = await startRawOrigin((socket) => void closed.then(() => socket.write(ok('done'))));
    const { url, app } = await startForwarding({ endpoints: [endpoint(origin.url)] });
    app.server.on('connection', (socket) => socket.once('end', () => setImmediate(close)));
    expect(await exchange(url, getHead(version), (socket) => socket.end())).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nConnection: close\r\n\r\ndone$/,
    );
  });

  it.each(['silent', 'streaming', 'event stream'])(
    'has left if it closed both sides: the request to a %s upstream ends',
    async (kind) => {
      const begin = {
        silent: '',
        streaming: 'HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\n',
        'event stream': 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n',
      }[kind] as string;
      const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
      const origin = await startRawOrigin((socket) => {
        socket.write(begin);
        const more = setInterval(() => kind === 'streaming' && socket.write('x'), 10);
        socket.once('close', () => {
          clearInterval(more);
          leave();
        });
      });
      const { url } = await startForwarding({ endpoints: [endpoint(origin.url)] });
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname, () => socket.write(getHead()));
      await expect.poll(() => origin.heads.length).toBe(1);
      if (kind === 'streaming') await once(socket, 'data');
      socket.destroy();
      await gone;
      expect(origin.heads).toHaveLength(1);
    },
  );
});
