import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { RawReply } from '@rostergate/runtime/contract';
import { expect, test } from 'vitest';
import { restOfAnswer } from './rest-of-answer.ts';

const answer = (parts: string[], headers: Record<string, string> = { ETag: '"7"' }): RawReply => ({
  status: 200,
  raw: Readable.from(
    parts.map((part) => Buffer.from(part)),
    { objectMode: false },
  ),
  contentType: 'application/json',
  headers,
});
const had = (known: string) => ({ bytes: known.length, digest: createHash('sha256').update(known).digest() });
const first = answer([]);

test.each([
  [['[1,2', ',3]'], '[1,2', ',3]'],
  [['[1', ',2,3', ']'], '[1,2', ',3]'],
  [['[', '1,2', ',3]'], '[1,2', ',3]'],
  [['[1,2,3]'], '[1,2,3]', ''],
])('of %j after %s follows %s', async (parts, known, rest) => {
  expect(await text(restOfAnswer(first, answer(parts), had(known)))).toBe(rest);
});

test('bytes that are there already count as well as a stream', async () => {
  expect(await text(restOfAnswer(first, { ...answer([]), raw: '[1,2,3]' }, had('[1,')))).toBe('2,3]');
});

test.each([[['[1,3,3]']], [['[1']], [['[1,', '0]']]])('never goes on in another answer: %j', async (parts) => {
  await expect(text(restOfAnswer(first, answer(parts), had('[1,2')))).rejects.toThrow('changed while it was read');
});

test('an answer of another version is none to go on in, and is let go', () => {
  const again = answer(['[1,2,3]'], { ETag: '"8"' });
  expect(() => restOfAnswer(first, again, had('['))).toThrow('changed while it was read');
  expect((again.raw as Readable).destroyed).toBe(true);
  expect(() => restOfAnswer(first, { ...answer(['[1]']), status: 304 }, had('['))).toThrow('changed');
});
