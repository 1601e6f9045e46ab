import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import type { RawReply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Caller, StaffCall } from '../staff-call.ts';
import { UpstreamUnavailable } from '../upstream/upstream-problem.ts';
import { createCompanyChanges, type ReadOutcome } from './read-state.ts';
import { readKeyOf, withSharedReads } from './shared-reads.ts';
import { createStoredReplies } from './stored-replies.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

interface Sent {
  readonly call: StaffCall;
  readonly caller: Caller;
  answer(reply: RawReply): Promise<void>;
  fail(error: unknown): Promise<void>;
}

const json = (body: string | Readable, headers: Record<string, string> = {}, status = 200): RawReply => ({
  status,
  raw: typeof body === 'string' ? Buffer.from(body) : body,
  contentType: 'application/json',
  headers,
});
const notModified = (etag: string): RawReply => ({ ...json('', { ETag: etag }, 304), raw: '' });

/** The state that the accounts of one proxy share. */
function createCommon(secondsMax: number) {
  const changes = createCompanyChanges(Date.now);
  if (secondsMax === 0) return { changes, stored: undefined };
  return { changes, stored: createStoredReplies({ secondsMax, bytesMax: 64 * 1024 ** 2, clock: Date.now }) };
}

/** Callers of one account, and an upstream whose responses the test controls. */
function start(secondsMax = 0, account = 'a', common = createCommon(secondsMax)) {
  const { changes, stored } = common;
  const sent: Sent[] = [];
  const outcomes: ReadOutcome[] = [];
  const send = withSharedReads(
    (call, caller) =>
      new Promise((resolve, reject) => {
        caller.signal.addEventListener('abort', () => reject(new Error('given up')));
        sent.push({
          call,
          caller,
          answer: async (reply) => {
            resolve(reply);
            await turn();
          },
          fail: async (error) => {
            reject(error);
            await turn();
          },
        });
      }),
    { account, changes, stored, timeoutMs: 1_000, clock: Date.now, onRead: (outcome) => outcomes.push(outcome) },
  );

  /** Starts a read whose caller can disconnect. */
  function read(more: Partial<StaffCall> & { owner?: string } = {}) {
    const { owner = 'team', ...call } = more;
    const abort = new AbortController();
    const caller = { requestId: `r-${sent.length}`, signal: abort.signal, principal: { owner } };
    const reply = send({ ...list, ...call }, caller);
    reply.catch(() => {});
    return { reply, leave: () => abort.abort(), shown: () => show(reply) };
  }

  const readIf = (tags: string, more: Partial<StaffCall> = {}) => read({ headers: { 'If-None-Match': tags }, ...more });

  function write(companyKey = 'C-1') {
    const { signal } = new AbortController();
    const reply = send({ ...list, operation: update, companyKey }, { requestId: 'w', signal });
    reply.catch(() => {});
    return { reply, sent: sent.at(-1) as Sent };
  }

  return { read, readIf, write, sent, outcomes, last: () => sent.at(-1) as Sent };
}

const list: StaffCall = {
  operation: { operationId: 'listStaffMembers', method: 'get', path: '/staffmember', tag: 'staff' },
  path: {},
  query: 'companyKey=C-1',
  body: undefined,
  companyKey: 'C-1',
  headers: {},
  accept: undefined,
};
const update = { operationId: 'updateStaffMember', method: 'put', path: '/staffmember/{staff_key}', tag: 's' } as const;

async function show(pending: Promise<RawReply>) {
  const { status, raw, headers = {} } = await pending;
  const body = raw instanceof Readable ? await text(raw) : Buffer.from(raw).toString();
  return { status, body, headers: headers as Record<string, string> };
}

/** A streamed body of this length. */
function large(bytes: number): Readable {
  let left = bytes;
  return new Readable({
    read(size) {
      const length = Math.min(left, size);
      left -= length;
      this.push(length === 0 ? null : Buffer.alloc(length, '['));
    },
  });
}

describe('identical reads in flight', () => {
  test('are sent once for all callers', async () => {
    const { read, sent, last, outcomes } = start();
    const reads = Array.from({ length: 10 }, () => read());
    await last().answer(json('[1]', { ETag: '"7"' }));
    for (const { shown } of reads) expect(await shown()).toMatchObject({ body: '[1]', headers: { ETag: '"7"' } });
    expect(sent).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'shared')).toHaveLength(9);
    read();
    expect(sent).toHaveLength(2);
  });

  test('stream long responses to all callers', async () => {
    const { read, sent, last } = start();
    const reads = Array.from({ length: 5 }, () => read());
    await last().answer(json(large(3_000_000)));
    const bodies = await Promise.all(reads.map(async ({ reply }) => buffer((await reply).raw as Readable)));
    for (const body of bodies) expect(body.equals(Buffer.alloc(3_000_000, '['))).toBe(true);
    expect(sent).toHaveLength(1);
  });

  test.each<[string, Partial<StaffCall>]>([
    ['the company', { companyKey: 'C-2' }],
    ['the query', { query: 'companyKey=C-1&includes=Tags' }],
    ['Accept', { accept: 'application/json;odata.metadata=minimal' }],
    ['Prefer', { headers: { Prefer: 'maxpagesize=1' } }],
    ['If-None-Match', { headers: { 'If-None-Match': '"7"' } }],
  ])('are not shared where %s differs', async (_what, other) => {
    const { read, sent } = start();
    read();
    read(other);
    expect(sent).toHaveLength(2);
  });

  test('of two accounts are not shared', () => {
    const common = createCommon(0);
    const [a, b] = [start(0, 'a', common), start(0, 'b', common)];
    a.read();
    b.read();
    expect([a.sent.length, b.sent.length]).toEqual([1, 1]);
  });

  test('outlive the first caller', async () => {
    const { read, sent, last } = start();
    const [first, second] = [read(), read()];
    first.leave();
    await expect(first.reply).rejects.toMatchObject({ reason: 'abandoned' });
    expect(last().caller.signal.aborted).toBe(false);
    await last().answer(json('[1]'));
    expect((await second.shown()).body).toBe('[1]');
    expect(sent).toHaveLength(1);
  });

  test('are cancelled with the last caller, and sent anew for a later one', async () => {
    const { read, sent } = start();
    const [first, second] = [read(), read()];
    first.leave();
    second.leave();
    expect(sent[0]?.caller.signal.aborted).toBe(true);
    const third = read();
    expect(sent).toHaveLength(2);
    await sent[1]?.answer(json('[]'));
    expect((await third.shown()).status).toBe(200);
  });

  test('fail for all callers in flight, and are sent anew for later ones', async () => {
    const { read, sent, last } = start();
    const reads = Array.from({ length: 5 }, () => read());
    await last().fail(new Problem('upstream_failed', 'The upstream answered 500.'));
    for (const { reply } of reads) await expect(reply).rejects.toMatchObject({ status: 502 });
    read();
    expect(sent).toHaveLength(2);
  });

  test('are sent again for other owners when the gate rejects the first one', async () => {
    const { read, sent, last } = start();
    const first = read({ owner: 'busy' });
    const same = read({ owner: 'busy' });
    const others = [read({ owner: 'calm' }), read({ owner: 'idle' })];
    await last().fail(new Problem('unavailable', 'Too many wait.'));
    for (const { reply } of [first, same]) await expect(reply).rejects.toMatchObject({ status: 503 });
    expect(sent).toHaveLength(2);
    await last().answer(json('[1]'));
    for (const { shown } of others) expect((await shown()).body).toBe('[1]');
  });

  test('are not shared across a write', async () => {
    const { read, write, sent } = start();
    const before = read();
    const { sent: put, reply } = write();
    await put.answer(json('{}'));
    await reply;
    const after = read();
    expect(sent).toHaveLength(3);
    await sent[2]?.answer(json('["new"]'));
    await sent[0]?.answer(json('["old"]'));
    expect([(await before.shown()).body, (await after.shown()).body]).toEqual(['["old"]', '["new"]']);
  });

  test('forbid shared caches to store the response', async () => {
    const { read, last } = start();
    const { shown } = read();
    await last().answer(json('[1]'));
    const { 'Cache-Control': said, Vary: vary } = (await shown()).headers;
    expect(said).toBe('private, no-cache');
    expect(vary).toContain('X-API-Key');
  });
});

test('identical writes are each sent', () => {
  const { write, sent } = start(60);
  write();
  write();
  expect(sent).toHaveLength(2);
});

describe('a caller who joins a read later than the first one', () => {
  const joinLate = async () => {
    const started = start();
    const first = started.read();
    vi.advanceTimersByTime(900);
    const followers = [started.read(), started.read()];
    vi.advanceTimersByTime(100);
    await started.last().fail(new Problem('upstream_timeout', 'Too late.'));
    await expect(first.reply).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(started.sent).toHaveLength(2);
    return { ...started, followers };
  };

  test('reads again when the deadline of the first has passed, once for all', async () => {
    const { last, followers, sent } = await joinLate();
    await last().answer(json('[1]'));
    for (const { shown } of followers) expect(await shown()).toMatchObject({ body: '[1]' });
    expect(sent).toHaveLength(2);
  });

  test('waits until its own deadline, which ends the read', async () => {
    const { last, followers } = await joinLate();
    vi.advanceTimersByTime(899);
    await turn();
    expect(last().caller.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    for (const { reply } of followers)
      await expect(reply).rejects.toMatchObject({ code: 'upstream_timeout', status: 504 });
    expect(last().caller.signal.aborted).toBe(true);
  });

  test('ends the read when it disconnects', async () => {
    const { last, followers } = await joinLate();
    for (const { leave } of followers) leave();
    await turn();
    expect(last().caller.signal.aborted).toBe(true);
  });

  test('has no more time when the gate rejects the first one, of another owner', async () => {
    const { read, sent, last } = start();
    const first = read({ owner: 'busy' });
    vi.advanceTimersByTime(900);
    const late = read({ owner: 'calm' });
    vi.advanceTimersByTime(100);
    await last().fail(new Problem('unavailable', 'It has waited too long.'));
    await expect(first.reply).rejects.toMatchObject({ status: 503 });
    expect(sent).toHaveLength(2);
    vi.advanceTimersByTime(899);
    await turn();
    expect(last().caller.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    await turn();
    expect(last().caller.signal.aborted).toBe(true);
    await expect(late.reply).rejects.toMatchObject({ code: 'upstream_timeout', status: 504 });
  });

  test('fails with the first when it joined at the same time', async () => {
    const { read, last, sent } = start();
    const both = [read(), read()];
    vi.advanceTimersByTime(1_000);
    await last().fail(new Problem('upstream_timeout', 'Too late.'));
    for (const { reply } of both) await expect(reply).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(sent).toHaveLength(1);
  });
});

describe('a stored response', () => {
  async function startStored(reply: () => RawReply = () => json('[1]')) {
    const all = start(60);
    const first = all.read();
    await all.last().answer(reply());
    return { ...all, first: await first.shown() };
  }

  test('is sent again with its age until it is too old', async () => {
    const { read, sent, first, outcomes } = await startStored();
    expect(first.headers).not.toHaveProperty('Age');
    vi.setSystemTime(59_999);
    expect(await read().shown()).toEqual({ ...first, headers: { ...first.headers, Age: '59' } });
    expect([sent.length, outcomes]).toEqual([1, ['sent', 'kept']]);
    vi.setSystemTime(60_000);
    read();
    expect(sent).toHaveLength(2);
  });

  test('counts its age from the request', async () => {
    const { read, last, sent } = start(60);
    const first = read();
    vi.setSystemTime(10_000);
    await last().answer(json('[1]'));
    await first.shown();
    expect((await read().shown()).headers.Age).toBe('10');
    vi.setSystemTime(60_000);
    read();
    expect(sent).toHaveLength(2);
  });

  test('is replaced when a caller asks for a fresh response', async () => {
    const { read, last, sent } = await startStored();
    const { shown } = read({ isToBeFresh: true });
    await last().answer(json('[2]'));
    expect((await shown()).body).toBe('[2]');
    expect((await read().shown()).body).toBe('[2]');
    // A stored response answers a conditional request although clients add no-cache to it.
    const headers = { 'If-None-Match': '"other"' };
    expect((await read({ headers, isToBeFresh: true }).shown()).body).toBe('[2]');
    expect(sent).toHaveLength(2);
  });

  test('gets a tag where it has none, by which a copy is recognised', async () => {
    const { first, readIf, read, sent } = await startStored();
    expect(first.headers.ETag).toMatch(/^W\/"read-/);
    const tag = first.headers.ETag as string;
    for (const named of [tag, `"other", ${tag}`, tag.slice(2), '*']) {
      expect(await readIf(named).shown(), named).toMatchObject({ status: 304, body: '', headers: { ETag: tag } });
    }
    expect((await readIf('"other"').shown()).status).toBe(200);
    expect((await read().shown()).headers.ETag).toBe(tag);
    expect(sent).toHaveLength(1);
  });

  test('is recognised after another read, without its tag being sent to the upstream', async () => {
    const { first, readIf, last } = await startStored();
    const tag = first.headers.ETag as string;
    for (const [body, status] of [
      ['[1]', 304],
      ['[2]', 200],
    ] as const) {
      vi.setSystemTime(Date.now() + 60_000);
      const { shown } = readIf(tag);
      expect(last().call.headers).toEqual({});
      await last().answer(json(body));
      expect((await shown()).status).toBe(status);
    }
  });

  test('keeps the tag of the upstream, which alone can confirm it', async () => {
    const { first, readIf, read, last, sent } = await startStored(() => json('{"a":1}', { ETag: '"7"' }));
    expect(first.headers.ETag).toBe('"7"');
    // The response may have changed under the same tag.
    const same = readIf('"7"');
    expect(last().call.headers).toEqual({ 'If-None-Match': '"7"' });
    await last().answer(json('{"a":2}', { ETag: '"7"' }));
    expect(await same.shown()).toMatchObject({ status: 200, body: '{"a":2}' });
    expect((await read().shown()).body).toBe('{"a":2}');
    // After its confirmation the upstream need not be asked again.
    const proven = readIf('W/"7"');
    await last().answer(notModified('"7"'));
    expect((await proven.shown()).status).toBe(304);
    expect(sent).toHaveLength(3);
    expect(await readIf('"7"').shown()).toMatchObject({ status: 304, headers: { ETag: '"7"', Age: '0' } });
    expect((await readIf('"6"').shown()).status).toBe(200);
    expect(sent).toHaveLength(3);
  });

  test('is for its account only', async () => {
    const common = createCommon(60);
    const [a, b] = [start(60, 'a', common), start(60, 'b', common)];
    a.read();
    await a.last().answer(json('["secret"]'));
    b.read();
    expect(b.sent).toHaveLength(1);
  });

  test.each<[string, Partial<StaffCall>]>([
    ['the company', { companyKey: 'C-2' }],
    ['the query', { query: 'companyKey=C-1&includes=Tags' }],
    ['Accept', { accept: 'application/json;odata.metadata=minimal' }],
    ['Prefer', { headers: { Prefer: 'maxpagesize=1' } }],
  ])('is sent only where %s is the same', async (_what, other) => {
    const { read, sent } = await startStored();
    read(other);
    expect(sent).toHaveLength(2);
  });

  test.each([
    ['answered', (put: Sent) => put.answer(json('{}'))],
    ['rejected', (put: Sent) => put.fail(new Problem('conflict', 'Taken.'))],
    ['lost', (put: Sent) => put.fail(new Problem('upstream_timeout', 'Too late.'))],
  ])('is invalidated by a write that was %s', async (_how, end) => {
    const { read, write, sent } = await startStored();
    await end(write().sent);
    read();
    expect(sent).toHaveLength(3);
  });

  test('survives writes of other companies', async () => {
    const common = createCommon(60);
    const { read, last, sent } = start(60, 'a', common);
    read();
    await last().answer(json('[1]'));
    const other = start(60, 'b', common);
    await other.write('C-2').sent.answer(json('{}'));
    read();
    expect(sent).toHaveLength(1);
    await other.write('C-1').sent.answer(json('{}'));
    read();
    expect(sent).toHaveLength(2);
  });

  test('is not made of a read that overlaps a write', async () => {
    const { read, write, sent } = start(60);
    const during = read();
    const { sent: put } = write();
    await put.answer(json('{}'));
    await sent[0]?.answer(json('["old"]'));
    expect((await during.shown()).body).toBe('["old"]');
    read();
    expect(sent).toHaveLength(3);
  });

  test.each([new Error('connection reset'), new UpstreamUnavailable('1', {})])(
    'is not made while a write that ended with %s may still take effect',
    async (fault) => {
      const { read, write, sent } = start(60);
      await write().sent.fail(fault);
      for (const [atMs, expected] of [
        [0, 2],
        [29_999, 3],
        [30_000, 4],
        [30_001, 4],
      ] as const) {
        vi.setSystemTime(atMs);
        const { shown } = read();
        if (sent.length === expected) await sent.at(-1)?.answer(json('[1]'));
        await shown();
        expect(sent, String(atMs)).toHaveLength(expected);
      }
    },
  );

  test.each([
    ['a failure', (read: Sent) => read.fail(new Problem('not_found', 'Not found.'))],
    ['a 304', (read: Sent) => read.answer(notModified('"7"'))],
  ])('is never %s', async (_what, end) => {
    const { read, sent, last } = start(60);
    read({ headers: { 'If-None-Match': '"7"' } });
    await end(last());
    read({ headers: { 'If-None-Match': '"7"' } });
    expect(sent).toHaveLength(2);
  });

  test('has its tag at once when it arrives in parts but soon', async () => {
    const { first } = await startStored(() => json(large(500_000), { 'Content-Length': '500000' }));
    expect(first.headers.ETag).toMatch(/^W\/"read-/);
    expect(first.body).toHaveLength(500_000);
  });

  test.each([
    ['is long', () => large(3_000_000)],
    [
      'arrives slowly',
      () => {
        const slow = new Readable({ read() {} });
        slow.push('[');
        void turn()
          .then(() => vi.advanceTimersByTime(250))
          .then(() => turn())
          .then(() => slow.push(']'))
          .then(() => slow.push(null));
        return slow;
      },
    ],
  ])('that %s streams at first, and has a tag from then on', async (_what, body) => {
    const { read, readIf, last, sent } = start(60);
    const first = read();
    await last().answer(json(body()));
    const shown = await first.shown();
    expect((await first.reply).raw).toBeInstanceOf(Readable);
    expect(shown.headers).not.toHaveProperty('ETag');
    const again = await read().shown();
    expect(again.body).toBe(shown.body);
    expect((await readIf(again.headers.ETag as string).shown()).status).toBe(304);
    expect(sent).toHaveLength(1);
  });

  test('is given up while it streams, when a proxy before this one has tagged it and the copy is current', async () => {
    const { readIf, last } = start(60);
    const tag = `W/"read-${'x'.repeat(22)}"`;
    const body = large(3_000_000);
    const { shown } = readIf(tag);
    await last().answer(json(body, { ETag: tag }));
    expect(await shown()).toMatchObject({ status: 304, body: '' });
    await turn();
    expect(body.destroyed).toBe(true);
  });

  test('is not made of a response that broke off or was not read to its end', async () => {
    const { read, last, sent } = start(60);
    const broken = new Readable({ read() {} });
    broken.push(Buffer.alloc(2_000_000, '['));
    const first = read();
    await last().answer(json(broken));
    const body = text((await first.reply).raw as Readable);
    await turn();
    broken.destroy(new Error('reset'));
    await expect(body).rejects.toThrow('reset');
    const second = read();
    await last().answer(json(large(3_000_000)));
    ((await second.reply).raw as Readable).destroy();
    read();
    expect(sent).toHaveLength(3);
  });
});

describe('the key of a read', () => {
  const call: StaffCall = {
    operation: { operationId: 'getStaffMember', method: 'get', path: '/staffmember/{staff_key}', tag: 'staff' },
    path: { staff_key: 'a' },
    query: '$select=Npi',
    body: undefined,
    companyKey: 'C-1',
    headers: { Prefer: 'maxpagesize=2' },
    accept: 'application/json',
  };

  test.each<[string, Partial<StaffCall>]>([
    ['operation', { operation: { ...call.operation, operationId: 'listStaffProfiles' } }],
    ['person', { path: { staff_key: 'A' } }],
    ['query', { query: '$select=Npi&includes=Tags' }],
    ['company', { companyKey: 'C-2' }],
    ['Prefer', { headers: { Prefer: 'maxpagesize=3' } }],
    ['Prefer (absent)', { headers: {} }],
    ['Accept', { accept: 'application/json;odata.metadata=minimal' }],
    ['Accept (absent)', { accept: undefined }],
    ['unknown members', { keepsUnknownMembers: true }],
    ['parameter of a value', { path: { staff_key: 'a","$select=Npi' }, query: '' }],
  ])('differs by %s', (_what, other) => {
    expect(readKeyOf('a', { ...call, ...other })).not.toBe(readKeyOf('a', call));
  });

  test('differs by account', () => {
    expect(readKeyOf('b', call)).not.toBe(readKeyOf('a', call));
  });

  test('ignores If-None-Match', () => {
    const headers = { ...call.headers, 'If-None-Match': '"7"' };
    expect(readKeyOf('a', { ...call, headers })).toBe(readKeyOf('a', { ...call, headers: { ...call.headers } }));
  });
});
