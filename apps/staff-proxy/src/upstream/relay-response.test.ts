import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { peekFirstByte } from './relay-response.ts';

it.each([
  ['{"a":1}', '{'],
  ['\r\n\t [1]', '['],
  [' '.repeat(70_000), undefined],
  ['  ', undefined],
  ['', undefined],
])('returns the first byte of %j after whitespace without consuming any', async (whole, first) => {
  const pieces = whole.match(/.{1,2}/gs) ?? [];
  const body = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  const byte = await peekFirstByte(body);
  expect(byte === undefined ? undefined : String.fromCharCode(byte)).toBe(first);
  if (first !== undefined) expect(await text(body)).toBe(whole);
});

it('skips whitespace', async () => {
  const body = new PassThrough();
  const first = peekFirstByte(body);
  body.write('\n');
  await new Promise(setImmediate);
  body.end('[]');
  expect(await first).toBe('['.charCodeAt(0));
  expect(await text(body)).toBe('\n[]');
});

it('fails with the stream', async () => {
  const body = new PassThrough();
  const first = peekFirstByte(body);
  body.destroy(new Error('reset'));
  await expect(first).rejects.toThrow('reset');
});
