import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { pump } from './pump.ts';

/** A server that sends what it is given; the outcome of the sending, and the answer as it comes. */
async function send(stream: Readable) {
  const server = http.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = http.get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const answered = once(client, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => {});
  const [, res] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const outcome = pump(stream, res).then(
    () => 'sent',
    (error) => error,
  );
  return { res, client, answered, outcome };
}

it('sends a stream whole, and leaves nothing on the response', async () => {
  const { res, answered, outcome } = await send(Readable.from([Buffer.from('a'), Buffer.from('b')]));
  const [answer] = await answered;
  expect([await text(answer), await outcome]).toEqual(['ab', 'sent']);
  expect(res.listenerCount('drain')).toBe(0);
});

it('says which chunks have been sent, each once all of it is on its way', async () => {
  const chunks = Array.from({ length: 40 }, (_, i) => Buffer.alloc(64 * 1024, i));
  const released: number[] = [];
  const stream = Object.assign(Readable.from(chunks, { objectMode: false }), {
    release(chunk: Uint8Array) {
      released.push(Number(chunk[0]));
      // What is written over now must not reach the caller.
      chunk.fill(0xff);
    },
  });
  const { answered, outcome } = await send(stream);
  const [answer] = await answered;
  const received = await buffer(answer);
  expect(await outcome).toBe('sent');
  expect(received).toEqual(Buffer.concat(Array.from({ length: 40 }, (_, i) => Buffer.alloc(64 * 1024, i))));
  expect(released).toEqual([...chunks.keys()]);
});

it('takes no more than the caller does', async () => {
  let made = 0;
  const stream = new Readable({
    read() {
      this.push(++made > 1_000 ? null : Buffer.alloc(64 * 1024));
    },
  });
  const { answered, outcome } = await send(stream);
  const [answer] = await answered;
  let before = -1;
  while (before !== made) {
    before = made;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(made).toBeLessThan(500);
  let length = 0;
  for await (const chunk of answer) length += (chunk as Buffer).length;
  expect([length, await outcome]).toEqual([1_000 * 64 * 1024, 'sent']);
});

it('rejects with what a stream breaks off with, at once or half-way', async () => {
  const half = new Readable({ read() {} });
  half.push('half');
  const broken = new Error('broken');
  const { answered, outcome, res } = await send(half);
  const [answer] = await answered;
  half.destroy(broken);
  expect(await outcome).toBe(broken);
  res.destroy();
  await expect(text(answer)).rejects.toThrow();

  const late = new Readable({ read() {} }).on('error', () => {});
  late.destroy(broken);
  await new Promise((resolve) => late.once('close', resolve));
  expect(await (await send(late)).outcome).toBe(broken);
});

it('rejects when a stream is destroyed without a word', async () => {
  const stream = new Readable({ read() {} });
  const { outcome } = await send(stream);
  stream.destroy();
  expect(await outcome).toBeInstanceOf(Error);
});

it('ends the stream when the caller goes away', async () => {
  const stream = new Readable({ read() {} });
  const { client, outcome, res } = await send(stream);
  stream.push('begun');
  await once(client, 'response');
  client.destroy();
  expect(await outcome).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
  expect([stream.destroyed, res.destroyed]).toEqual([true, true]);
});
