import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exchange, parseResponses, readAll } from '../../test/raw-exchange.ts';
import { startEdge } from '../../test/start-edge.ts';

const bytesMax = 100_000;
const post = (path: string, ...fields: string[]) =>
  `POST ${path} HTTP/1.1\r\n${['Host: a', 'Content-Type: application/json', ...fields].join('\r\n')}\r\n\r\n`;
const chunk = (bytes: string) => `${Buffer.byteLength(bytes, 'latin1').toString(16)}\r\n${bytes}\r\n`;

const startSmall = () => startEdge({}, { router: { bodyBytesMax: bytesMax } });

function tooLarge(text: string) {
  const responses = parseResponses(text);
  return responses.map(({ status, header, body }) => [status, header('connection'), JSON.parse(body ?? '').code]);
}

const rejected = [[413, 'close', 'body_too_large']];

describe('a body over the limit', () => {
  it.each([
    ['announced', []],
    ['announced, with Expect: 100-continue', ['Expect: 100-continue']],
    ['announced, in a content coding', ['Content-Encoding: gzip']],
  ])('is rejected before it is sent: %s', async (_, fields) => {
    const { port } = await startSmall();
    const text = await exchange(port, post('/a', `Content-Length: ${bytesMax + 1}`, ...fields));
    expect(tooLarge(text)).toEqual(rejected);
  });

  it.each([
    ['plain', [], chunk(`"${'x'.repeat(bytesMax)}`)],
    ['that decodes to more', ['Content-Encoding: gzip'], chunk(gzipSync('x'.repeat(bytesMax + 1)).toString('latin1'))],
    ['encoded', ['Content-Encoding: br'], chunk('x'.repeat(bytesMax + 1))],
  ])('is rejected with the chunk that passes the limit, before its end: %s', async (_, fields, sent) => {
    const { port } = await startSmall();
    const socket = connect(port, '127.0.0.1');
    const text = readAll(socket);
    socket.write(post('/a', 'Transfer-Encoding: chunked', ...fields) + sent, 'latin1');
    expect(tooLarge(await text)).toEqual(rejected);
  });

  it('is drained up to a bound, and its connection closes by a deadline', async () => {
    const { port, server } = await startSmall();
    const accepted = once(server, 'connection');
    let text = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      .setEncoding('latin1')
      .on('error', () => {})
      .on('data', (part) => {
        text += part;
      });
    socket.write(post('/a', 'Transfer-Encoding: chunked'));
    const [served] = (await accepted) as [Socket];
    const megabyte = chunk('x'.repeat(1024 * 1024));
    const send = () => {
      while (!socket.destroyed && socket.write(megabyte, 'latin1'));
    };
    socket.on('drain', send);
    send();
    await once(served, 'close');
    socket.destroy();
    expect(tooLarge(text)).toEqual(rejected);
    expect(served.bytesRead).toBeLessThan(20 * 1024 * 1024);
  });
});

describe('an error response before the end of the request body', () => {
  it('closes the connection where the body is long', async () => {
    const { port } = await startSmall();
    const responses = parseResponses(await exchange(port, post('/none', 'Content-Length: 1000000')));
    expect(responses.map(({ status, header }) => [status, header('connection')])).toEqual([[404, 'close']]);
  });

  it('keeps the connection open where the rest is short', async () => {
    const { port } = await startSmall();
    const socket = connect(port, '127.0.0.1');
    const text = readAll(socket);
    socket.write(post('/none', 'Content-Length: 3'));
    await once(socket, 'data');
    socket.write(`[1]${post('/none', 'Content-Length: 0', 'Connection: close')}`);
    expect(parseResponses(await text).map(({ status }) => status)).toEqual([404, 404]);
  });

  it('leaves no listeners of the request on the connection after its body', async () => {
    const { port, server } = await startSmall();
    const served = once(server, 'connection') as Promise<[Socket]>;
    const socket = connect(port, '127.0.0.1');
    const [connection] = await served;
    const before = Reflect.ownKeys(connection).length;
    const listeners = () => connection.eventNames().map((name) => connection.listenerCount(name));
    const counts: number[][] = [];
    for (let i = 0; i < 3; i++) {
      socket.write(post('/none', 'Content-Length: 3'));
      await once(socket, 'data');
      socket.write('[1]');
      // The next response comes after the body has been read.
      socket.write(post('/none', 'Content-Length: 0'));
      await once(socket, 'data');
      counts.push(listeners());
    }
    expect(Object.hasOwn(connection, 'destroySoon')).toBe(false);
    expect(Reflect.ownKeys(connection).length - before).toBeLessThan(5);
    expect(counts[2]).toEqual(counts[0]);
    socket.destroy();
  });
});
