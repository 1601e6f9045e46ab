import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { createBodyReader, parseContentType } from './request-body.ts';

const form = 'application/x-www-form-urlencoded';

/** Reads a body, by default one sent as JSON. */
function read(sent: string | Buffer, mediaType = 'application/json', charset = ''): Promise<unknown> {
  const bytes = Buffer.from(sent);
  const headers = { 'content-type': mediaType + charset, 'content-length': String(bytes.length) };
  const req = Object.assign(Readable.from([bytes]), { headers });
  const reader = createBodyReader({ content: { [mediaType]: {} } }, 10_000);
  return reader(req as never);
}

it.each([
  ['{"name": "Ada"', 'position 14'],
  ['{"name" "Ada"}', 'position 8'],
  ['{"name": canary}', 'not valid'],
])('reports the position of the fault in %s without quoting the body', async (text, where) => {
  const error = await read(text).catch((reason: Error) => reason);
  expect(error).toMatchObject({ code: 'malformed_request', message: expect.stringContaining(where) });
  expect((error as Error).message).not.toMatch(/Ada|canary|name/);
});

it.each([
  ['a byte that UTF-8 never contains', Buffer.from('{"name":"A\xff"}', 'latin1')],
  ['a truncated character', Buffer.from('{"name":"\xe2\x82"}', 'latin1')],
  ['an overlong form', Buffer.from('{"name":"\xc0\xaf"}', 'latin1')],
  ['an unpaired surrogate', Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')],
])('rejects %s, which a decoder would replace', async (_, bytes) => {
  await expect(read(bytes)).rejects.toMatchObject({
    code: 'malformed_request',
    message: expect.stringContaining('UTF-8'),
  });
});

it.each(['utf-16', 'UTF-7', '"utf-32"', 'iso-8859-1', 'utf-8; charset=utf-7', 'utf-8"; charset=utf-7; x="'])(
  'rejects the charset %s for any bytes',
  async (name) => {
    const rejected = read('{"name":"Ada"}', 'application/json', `; charset=${name}`);
    await expect(rejected).rejects.toMatchObject({ status: 415, code: 'media_type_unsupported' });
  },
);

it.each(['application/json', 'text/plain', form])('rejects %s with a charset after a quoted string', async (type) => {
  for (const hidden of ['; x="; charset=utf-8"; charset=utf-7', '; x="\\"; charset=utf-8;"; charset=utf-16le']) {
    const rejected = read('{"name":"Ada"}', type, hidden);
    await expect(rejected).rejects.toMatchObject({ status: 415, code: 'media_type_unsupported' });
  }
});

it('rejects a charset name that begins with a space', async () => {
  await expect(read('Ada', 'text/plain', '; charset=" utf-16le"')).rejects.toMatchObject({ status: 415 });
});

it('accepts US-ASCII and utf8, but no bytes outside of them', async () => {
  await expect(read('Ada', 'text/plain', '; charset=us-ascii')).resolves.toMatchObject({ value: 'Ada' });
  await expect(read('Łódź', 'text/plain', '; charset=utf8')).resolves.toMatchObject({ value: 'Łódź' });
  await expect(read('Łódź', 'text/plain', '; charset=us-ascii')).rejects.toMatchObject({ status: 400 });
  await expect(read(Buffer.from([0xff]), 'text/plain', '; charset=utf8')).rejects.toMatchObject({ status: 400 });
});

it('ignores the charset of binary bodies', async () => {
  const accepted = read('Ada', 'application/octet-stream', '; charset=utf-16; x="');
  await expect(accepted).resolves.toMatchObject({ value: Buffer.from('Ada') });
});

it.each(['utf-8', 'UTF-8', '"utf-8"', '"u\\tf-8"', 'utf-8; x="; charset=utf-7"'])(
  'accepts the charset %s',
  async (name) => {
    const accepted = read('{"name":"Ada"}', 'application/json', `; charset=${name}`);
    await expect(accepted).resolves.toMatchObject({ value: { name: 'Ada' } });
  },
);

it('rejects deep nesting before it parses the body', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  await expect(read(nested(1_001))).rejects.toMatchObject({
    code: 'malformed_request',
    message: expect.stringContaining('1000 levels'),
  });
  await expect(read(nested(1_000))).resolves.toMatchObject({ length: 2_000 });
});

it('accepts all characters, the replacement character included', async () => {
  const text = '{"name":"Łódź 😀 \ufffd"}';
  await expect(read(text)).resolves.toMatchObject({ value: JSON.parse(text) });
});

it.each(['=x&name=Ada', 'name=Ada&=x', '='])('rejects a form with a nameless field: %s', async (text) => {
  await expect(read(text, form)).rejects.toMatchObject({ status: 400, code: 'malformed_request' });
});

it('accepts empty values, values with = and a trailing & in forms', async () => {
  await expect(read('name=&sum=1=1&', form)).resolves.toMatchObject({ value: { name: '', sum: '1=1' } });
});

it.each(['{"a":1,"a":2}', '[{"b":{"c":1,"\\u0063":2}}]'])(
  'rejects the repeated member name in %s only where the bytes are forwarded',
  async (text) => {
    const readPassed = createBodyReader({ content: { 'application/json': {} } }, 10_000, true);
    const bytes = Buffer.from(text);
    const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
    await expect(readPassed({ headers, body: bytes } as never)).rejects.toMatchObject({ code: 'malformed_request' });
    await expect(read(text)).resolves.toBeDefined();
  },
);

it('returns the media type in lower case, without parameters', () => {
  expect(parseContentType(' Application/JSON ; charset=utf-8').mediaType).toBe('application/json');
  expect(parseContentType(undefined)).toEqual({ mediaType: '', isUtf8: true });
});

it.each([
  'a/b',
  'a/b;',
  'a/b; charset=UTF-8',
  'a/b;charset="utf-8" ; x=1',
  'a/b; charset = "u\\tf-8"',
  'a/b; charset=utf8',
  'a/b; charset=us-ascii',
  'a/b; charset; x',
  'a/b; x="; charset=utf-7"',
  'a/b; x="\\"; charset=utf-7"; charset=utf-8',
])('accepts %s as UTF-8', (header) => {
  expect(parseContentType(header).isUtf8).toBe(true);
});

it.each([
  'a/b; charset=utf-16',
  'a/b; charset=" utf-16le"',
  'a/b; charset=',
  'a/b; CharSet="utf-7"',
  'a/b; x="; charset=utf-8"; charset=utf-7',
  'a/b; x="\\\\"; charset=utf-7; y="',
  'a/b; charset=utf-8; charset=utf-7',
  'a/b; x=a"; charset=utf-7; y="',
  'a/b; x="; charset=utf-8',
  'a/b; x="y"z; charset=utf-8',
])('does not accept %s as UTF-8', (header) => {
  expect(parseContentType(header).isUtf8).toBe(false);
});

const listOf = (count: number, item: (i: number) => unknown) =>
  JSON.stringify(Array.from({ length: count }, (_, i) => item(i)));

it.each([
  ['small objects', listOf(20_000, (i) => ({ id: i, ok: true }))],
  ['texts with escapes', listOf(100, (i) => 'say "no"\n'.repeat(1_000) + i)],
  ['long texts', listOf(100, (i) => 'lorem ipsum dolor '.repeat(500) + i)],
  ['deep objects', listOf(100, () => JSON.parse(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`))],
  ['numbers', listOf(100_000, (i) => i)],
])('reads forwarded %s in at most 3 × JSON.parse', async (_, text) => {
  const reader = createBodyReader({ content: { 'application/json': {} } }, 10_000_000, true);
  const bytes = Buffer.from(text);
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const ratios: number[] = [];
  // Other load only raises a ratio, so the lowest counts.
  for (let round = 0; round < 20 && !(Math.min(...ratios) <= 3); round++) {
    const parsed = await costOf(() => JSON.parse(text));
    ratios.push((await costOf(() => reader({ headers, body: bytes } as never))) / parsed);
  }
  expect(Math.min(...ratios)).toBeLessThanOrEqual(3);
});

/** Returns the CPU time of one call, measured over many calls. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  for (let calls = 1; ; calls++) {
    await work();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system > 20_000) return (user + system) / calls;
  }
}
