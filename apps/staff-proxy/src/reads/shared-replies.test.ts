import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { RawReply } from '@rostergate/server';
import { expect, test } from 'vitest';
import { restOfReply } from './shared-replies.ts';

const answer = (parts: string[], headers: Record<string, string> = { ETag: '"7"' }): RawReply => ({
  status: 200,
  raw: Readable.from(
    parts.map((part) => Buffer.from(part)),
    { objectMode: false },
  ),
  contentType: 'application/json',
  headers,
});
const received = (known: string) => ({ bytes: known.length, digest: createHash('sha256').update(known).digest() });
const first = answer([]);

test.each([
  [['[1,2', ',3]'], '[1,2', ',3]'],
  [['[1', ',2,3', ']'], '[1,2', ',3]'],
  [['[', '1,2', ',3]'], '[1,2', ',3]'],
  [['[1,2,3]'], '[1,2,3]', ''],
])('%j continues after %s with %s', async (parts, known, rest) => {
  expect(await text(restOfReply(first, answer(parts), received(known)))).toBe(rest);
});

test('continues in a response that is not a stream', async () => {
  expect(await text(restOfReply(first, { ...answer([]), raw: '[1,2,3]' }, received('[1,')))).toBe('2,3]');
});

test.each([[['[1,3,3]']], [['[1']], [['[1,', '0]']]])('never continues in another response: %j', async (parts) => {
  await expect(text(restOfReply(first, answer(parts), received('[1,2')))).rejects.toThrow('changed while it was read');
});

test('rejects and destroys a response of another version', () => {
  const again = answer(['[1,2,3]'], { ETag: '"8"' });
  expect(() => restOfReply(first, again, received('['))).toThrow('changed while it was read');
  expect((again.raw as Readable).destroyed).toBe(true);
  expect(() => restOfReply(first, { ...answer(['[1]']), status: 304 }, received('['))).toThrow('changed');
});
