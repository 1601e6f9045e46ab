import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { createBodyReader } from './request-body.ts';

const form = 'application/x-www-form-urlencoded';

/** Reads a body that a caller has sent as JSON, unless said otherwise. */
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
])('says of %s where it goes wrong, and repeats nothing of it', async (text, where) => {
  const error = await read(text).catch((reason: Error) => reason);
  expect(error).toMatchObject({ code: 'malformed_request', message: expect.stringContaining(where) });
  expect((error as Error).message).not.toMatch(/Ada|canary|name/);
});

it.each([
  ['a byte that no UTF-8 has', Buffer.from('{"name":"A\xff"}', 'latin1')],
  ['half a character', Buffer.from('{"name":"\xe2\x82"}', 'latin1')],
  ['an overlong form', Buffer.from('{"name":"\xc0\xaf"}', 'latin1')],
  ['half a surrogate pair', Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')],
])('refuses %s, since another character would be kept in its place', async (_, bytes) => {
  await expect(read(bytes)).rejects.toMatchObject({
    code: 'malformed_request',
    message: expect.stringContaining('UTF-8'),
  });
});

it.each(['utf-16', 'UTF-7', '"utf-32"', 'iso-8859-1', 'utf-8; charset=utf-7', 'utf-8"; charset=utf-7; x="'])(
  'refuses the encoding %s, whatever the bytes are',
  async (name) => {
    const refused = read('{"name":"Ada"}', 'application/json', `; charset=${name}`);
    await expect(refused).rejects.toMatchObject({ status: 415, code: 'media_type_unsupported' });
  },
);

it.each(['application/json', 'text/plain', form])(
  'refuses %s whose encoding hides behind a quoted string',
  async (type) => {
    for (const hidden of ['; x="; charset=utf-8"; charset=utf-7', '; x="\\"; charset=utf-8;"; charset=utf-16le']) {
      const refused = read('{"name":"Ada"}', type, hidden);
      await expect(refused).rejects.toMatchObject({ status: 415, code: 'media_type_unsupported' });
    }
  },
);

it('refuses text in an encoding whose name begins with a space, which its parser looks up without', async () => {
  await expect(read('Ada', 'text/plain', '; charset=" utf-16le"')).rejects.toMatchObject({ status: 415 });
});

it('takes text in US-ASCII and the slip utf8, and no byte that they do not have', async () => {
  await expect(read('Ada', 'text/plain', '; charset=us-ascii')).resolves.toMatchObject({ value: 'Ada' });
  await expect(read('Łódź', 'text/plain', '; charset=utf8')).resolves.toMatchObject({ value: 'Łódź' });
  await expect(read('Łódź', 'text/plain', '; charset=us-ascii')).rejects.toMatchObject({ status: 400 });
  await expect(read(Buffer.from([0xff]), 'text/plain', '; charset=utf8')).rejects.toMatchObject({ status: 400 });
});

it('takes bytes whatever charset they come with, since nothing reads it', async () => {
  const taken = read('Ada', 'application/octet-stream', '; charset=utf-16; x="');
  await expect(taken).resolves.toMatchObject({ value: Buffer.from('Ada') });
});

it.each(['utf-8', 'UTF-8', '"utf-8"', '"u\\tf-8"', 'utf-8; x="; charset=utf-7"'])(
  'takes the encoding called %s',
  async (name) => {
    const taken = read('{"name":"Ada"}', 'application/json', `; charset=${name}`);
    await expect(taken).resolves.toMatchObject({ value: { name: 'Ada' } });
  },
);

it('refuses what is nested too deep before it is parsed', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  await expect(read(nested(1_001))).rejects.toMatchObject({
    code: 'malformed_request',
    message: expect.stringContaining('1000 levels'),
  });
  await expect(read(nested(1_000))).resolves.toMatchObject({ length: 2_000 });
});

it('takes any character of UTF-8, the replacement character too', async () => {
  const text = '{"name":"Łódź 😀 \ufffd"}';
  await expect(read(text)).resolves.toMatchObject({ value: JSON.parse(text) });
});

it.each(['=x&name=Ada', 'name=Ada&=x', '='])('refuses a form with a field that has no name: %s', async (text) => {
  await expect(read(text, form)).rejects.toMatchObject({ status: 400, code: 'malformed_request' });
});

it('takes forms as they are usual: empty values, values with =, an & at the end', async () => {
  await expect(read('name=&sum=1=1&', form)).resolves.toMatchObject({ value: { name: '', sum: '1=1' } });
});

it.each(['{"a":1,"a":2}', '[{"b":{"c":1,"\\u0063":2}}]'])(
  'rejects %s, which names a member twice, only where the bytes are passed on',
  async (text) => {
    const readPassed = createBodyReader({ content: { 'application/json': {} } }, 10_000, true);
    const bytes = Buffer.from(text);
    const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
    await expect(readPassed({ headers, body: bytes } as never)).rejects.toMatchObject({ code: 'malformed_request' });
    await expect(read(text)).resolves.toBeDefined();
  },
);

const listOf = (count: number, item: (i: number) => unknown) =>
  JSON.stringify(Array.from({ length: count }, (_, i) => item(i)));

it.each([
  ['small objects', listOf(20_000, (i) => ({ id: i, ok: true }))],
  ['texts with escapes', listOf(100, (i) => 'say "no"\n'.repeat(1_000) + i)],
  ['long texts', listOf(100, (i) => 'lorem ipsum dolor '.repeat(500) + i)],
  ['deep objects', listOf(100, () => JSON.parse(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`))],
  ['numbers', listOf(100_000, (i) => i)],
])('reads %s that are passed on in at most 3 × JSON.parse', async (_, text) => {
  const reader = createBodyReader({ content: { 'application/json': {} } }, 10_000_000, true);
  const bytes = Buffer.from(text);
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const ratios: number[] = [];
  for (let round = 0; round < 7; round++) {
    const parsed = await costOf(() => JSON.parse(text));
    ratios.push((await costOf(() => reader({ headers, body: bytes } as never))) / parsed);
  }
  expect(Math.min(...ratios)).toBeLessThanOrEqual(3);
});

/** CPU time of this thread, of enough calls to be measured. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  for (let calls = 1; ; calls++) {
    await work();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system > 20_000) return (user + system) / calls;
  }
}
