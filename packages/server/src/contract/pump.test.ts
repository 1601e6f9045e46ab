import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { pump } from './pump.ts';

/** Pumps a stream through a server; returns the outcome and the response as it arrives. */
async function send(stream: Readable) {
  const server = http.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = http.get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const responded = once(client, 'response') as Promise<[IncomingMessage]>;
  responded.catch(() => {});
  const [, res] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const outcome = pump(stream, res).then(
    () => 'sent',
    (error) => error,
  );
  return { res, client, responded, outcome };
}

it('sends a whole stream and leaves no listeners on the response', async () => {
  const { res, responded, outcome } = await send(Readable.from([Buffer.from('a'), Buffer.from('b')]));
  const [response] = await responded;
  expect([await text(response), await outcome]).toEqual(['ab', 'sent']);
  expect(res.listenerCount('drain')).toBe(0);
});

it('releases each chunk after it has been sent', async () => {
  const chunks = Array.from({ length: 40 }, (_, i) => Buffer.alloc(64 * 1024, i));
  const released: number[] = [];
  const stream = Object.assign(Readable.from(chunks, { objectMode: false }), {
    release(chunk: Uint8Array) {
      released.push(Number(chunk[0]));
      // The client must not receive this.
      chunk.fill(0xff);
    },
  });
  const { responded, outcome } = await send(stream);
  const [response] = await responded;
  const received = await buffer(response);
  expect(await outcome).toBe('sent');
  expect(received).toEqual(Buffer.concat(Array.from({ length: 40 }, (_, i) => Buffer.alloc(64 * 1024, i))));
  expect(released).toEqual([...chunks.keys()]);
});

it('reads the stream at the pace of the client', async () => {
  let made = 0;
  const stream = new Readable({
    read() {
      this.push(++made > 1_000 ? null : Buffer.alloc(64 * 1024));
    },
  });
  const { responded, outcome } = await send(stream);
  const [response] = await responded;
  let before = -1;
  while (before !== made) {
    before = made;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(made).toBeLessThan(500);
  let length = 0;
  for await (const chunk of response) length += (chunk as Buffer).length;
  expect([length, await outcome]).toEqual([1_000 * 64 * 1024, 'sent']);
});

it('rejects with the error of a stream, before or during the response', async () => {
  const half = new Readable({ read() {} });
  half.push('half');
  const broken = new Error('broken');
  const { responded, outcome, res } = await send(half);
  const [response] = await responded;
  half.destroy(broken);
  expect(await outcome).toBe(broken);
  res.destroy();
  await expect(text(response)).rejects.toThrow();

  const late = new Readable({ read() {} }).on('error', () => {});
  late.destroy(broken);
  await new Promise((resolve) => late.once('close', resolve));
  expect(await (await send(late)).outcome).toBe(broken);
});

it('rejects when a stream is destroyed without an error', async () => {
  const stream = new Readable({ read() {} });
  const { outcome } = await send(stream);
  stream.destroy();
  expect(await outcome).toBeInstanceOf(Error);
});

it('destroys the stream when the client leaves', async () => {
  const stream = new Readable({ read() {} });
  const { client, outcome, res } = await send(stream);
  stream.push('begun');
  await once(client, 'response');
  client.destroy();
  expect(await outcome).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
  expect([stream.destroyed, res.destroyed]).toEqual([true, true]);
});
