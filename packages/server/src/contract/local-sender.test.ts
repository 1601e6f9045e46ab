import { createServer, IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { CallController } from './context.ts';
import { acceptLocalRequests, createLocalSender, type LocalRequest, respondLocally } from './local-sender.ts';

function send(listener: RequestListener, request: Partial<LocalRequest> = {}) {
  const server = createServer(listener);
  acceptLocalRequests(server, { Request: IncomingMessage, Response: ServerResponse });
  return createLocalSender(() => server)({
    ...{ method: 'GET', url: '/a?b=1', headers: {}, client: { remoteAddress: '192.0.2.1' } },
    ...{ signal: new CallController(), bytesMax: 1_000 },
    ...request,
  });
}

it('delivers a request as a parser would', async () => {
  const { status, headers, body, isWhole } = await send(
    async (req, res) => {
      const { method, url, rawHeaders, complete, httpVersion, socket } = req;
      const sent = await text(req);
      res.writeHead(201, { 'Content-Type': 'application/json', 'Retry-After': 7 });
      res.end(
        JSON.stringify([method, url, rawHeaders, req.headers, complete, httpVersion, socket.remoteAddress, sent]),
      );
    },
    { method: 'POST', headers: { 'x-a': '1', Host: 'here', 'X-A': ['2', '3'], 'x-b': undefined }, body: 'é' },
  );
  expect([status, isWhole, headers['content-type'], headers['retry-after']]).toEqual([
    ...[201, true, 'application/json', '7'],
  ]);
  expect(JSON.parse(body.toString())).toEqual([
    ...['POST', '/a?b=1', ['Host', 'here', 'X-A', '2, 3', 'Content-Length', '2']],
    ...[{ host: 'here', 'x-a': '2, 3', 'content-length': '2' }, true, '1.1', '192.0.2.1', 'é'],
  ]);
});

it.each<[string, (res: ServerResponse) => void, string]>([
  ['several writes', (res) => writeEach(res, 'a', Buffer.from('b'), 'c').end('d'), 'abcd'],
  ['an explicit chunked coding', (res) => res.setHeader('Transfer-Encoding', 'chunked').end('ab'), 'ab'],
  ['interim responses', writeInterims, 'ab'],
  ['a text in Latin-1', (res) => res.end('\xe9', 'latin1'), '\ufffd'],
  ['a flushed head', flushFirst, 'ab'],
  ['memory that is used again', writeReusing, 'ab'],
  ['no body', (res) => res.writeHead(204).end(), ''],
])('returns the body of a response with %s', async (_case, respond, expected) => {
  const { body, isWhole } = await send((_req, res) => respond(res));
  expect([body.toString(), isWhole]).toEqual([expected, true]);
});

function writeEach(res: ServerResponse, ...chunks: readonly (string | Buffer)[]): ServerResponse {
  for (const chunk of chunks) res.write(chunk);
  return res;
}

function writeInterims(res: ServerResponse): void {
  res.writeProcessing();
  res.writeContinue();
  res.end('ab');
}

function flushFirst(res: ServerResponse): void {
  res.flushHeaders();
  setImmediate(() => res.end('ab'));
}

/** Writes from the same bytes again once they have been taken. */
function writeReusing(res: ServerResponse): void {
  const chunk = Buffer.from('a');
  res.write(chunk, () => {
    chunk.write('b');
    res.end(chunk);
  });
}

it('takes the announced length of a response to HEAD for one without a body', async () => {
  const { body, headers, isWhole } = await send((_req, res) => res.writeHead(200, { 'Content-Length': 5 }).end(), {
    method: 'HEAD',
  });
  expect([body.length, headers['content-length'], isWhole]).toEqual([0, '5', true]);
});

it.each<[string, Whole, object]>([
  ['a text', { body: 'é' }, { body: 'é' }],
  ['bytes', { body: Buffer.from('é') }, { body: 'é' }],
  ['no body', { status: 204 }, { status: 204 }],
  ['a body for HEAD', { body: 'ab', method: 'HEAD' }, {}],
  ['fields of any case', { headers: { 'retry-AFTER': 7 } }, { retryAfter: '7' }],
  ['a field of several values', { headers: { 'Retry-After': ['1', '2'] } }, { retryAfter: '2' }],
  ['more bytes than the caller reads', { body: 'abc', bytesMax: 2 }, { body: 'ab', isWhole: false }],
])('delivers a whole response with %s without a head as text', async (_case, given, expected) => {
  const { status = 200, headers = {}, body: sent, ...request } = given;
  const ended = Promise.withResolvers<boolean>();
  const found = await send((_req, res) => {
    res.on('close', () => ended.resolve(res.writableFinished));
    expect(respondLocally(res, status, headers, sent)).toBe(true);
    // The memory of bytes may be used again.
    if (Buffer.isBuffer(sent)) sent.fill(0);
  }, request);
  const { status: foundStatus, headers: fields, body, isWhole } = found;
  expect({ status: foundStatus, body: body.toString(), isWhole, retryAfter: fields['retry-after'] }).toEqual({
    ...{ status: 200, body: '', isWhole: true, retryAfter: undefined },
    ...expected,
  });
  expect(await ended.promise).toBe(true);
});

interface Whole extends Pick<Partial<LocalRequest>, 'method' | 'bytesMax'> {
  readonly status?: number;
  readonly headers?: Record<string, string | number | readonly string[]>;
  readonly body?: string | Buffer;
}

it('reads no more of a response than it may, and leaves the server', async () => {
  const left = Promise.withResolvers<boolean>();
  const { body, isWhole } = await send(
    (_req, res) => {
      res.on('close', () => left.resolve(res.writableFinished));
      res.write('abc');
    },
    { bytesMax: 2 },
  );
  expect([body.toString(), isWhole, await left.promise]).toEqual(['ab', false, false]);
});

it('leaves the server when the signal aborts', async () => {
  const signal = new CallController();
  const left = Promise.withResolvers<boolean>();
  const sent = send(
    (_req, res) => {
      res.on('close', () => left.resolve(res.destroyed));
      res.write('abc');
      signal.abort();
    },
    { signal },
  );
  await expect(sent).rejects.toThrow('The request was cancelled.');
  expect(await left.promise).toBe(true);
  await expect(send(() => {}, { signal })).rejects.toThrow('The request was cancelled.');
});

it.each<[string, (res: ServerResponse) => void]>([
  ['before the response', (res) => res.destroy()],
  ['during the body', (res) => writeEach(res, 'a').destroy()],
  ['before the announced length', (res) => res.writeHead(200, { 'Content-Length': 5 }).end('a')],
])('rejects when the server breaks off %s', async (_case, respond) => {
  await expect(send((_req, res) => respond(res))).rejects.toThrow('The server broke off the response.');
});
