import { Readable } from 'node:stream';
import type { RawReply } from '@rostergate/server';
import { createUpstreamSession, type UpstreamToken } from '@rostergate/upstream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Caller, StaffCall } from '../staff-call.ts';
import { sessionMessages } from '../upstream/login-messages.ts';
import { UpstreamLimit } from '../upstream/upstream-problem.ts';
import { createAccountGate } from './account-gate.ts';
import { createAccountSender } from './account-sender.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

const ok: RawReply = { status: 200, raw: '{}', contentType: 'application/json' };
type Answer = RawReply | 'token_rejected' | Error | Promise<RawReply>;

interface Given {
  /** The results of requests, in order; later requests succeed. */
  readonly answers?: Answer[];
  readonly login?: () => Promise<UpstreamToken | 'refused'>;
  readonly concurrencyMax?: number;
}

function setUp({ answers = [], login, concurrencyMax = 2 }: Given = {}) {
  const sent: { method: string; token: string; deadlineMs: number }[] = [];
  let logins = 0;
  const gate = createAccountGate({ concurrencyMax, queueMax: 10, clock: Date.now });
  const sendAs = createAccountSender({
    upstream: {
      async send({ operation }, token, _caller, deadlineMs) {
        sent.push({ method: operation.method, token, deadlineMs });
        const answer = await (answers.shift() ?? ok);
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    session: createUpstreamSession({
      login: login ?? (async () => ({ value: `token-${++logins}`, lifetimeMs: 3_600_000 })),
      clock: Date.now,
      messages: sessionMessages,
    }),
    gate,
    timeoutMs: 5_000,
    retries: 2,
    clock: Date.now,
  });
  const send = (method: 'get' | 'put' = 'get', caller: Partial<Caller> = {}) =>
    sendAs({ operation: { operationId: 'x', method, path: '/x', tag: 'x' } } as unknown as StaffCall, {
      requestId: 'r',
      signal: new AbortController().signal,
      ...caller,
    });
  return { gate, send, sent };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe('an account sender', () => {
  test('sends with the account’s token and a deadline', async () => {
    const { send, sent, gate } = setUp();
    expect(await send()).toBe(ok);
    expect(sent).toEqual([{ method: 'get', token: 'token-1', deadlineMs: 5_000 }]);
    expect([gate.working, gate.streaming]).toEqual([0, 0]);
  });

  test('resends even a write with a new token after a rejected one, once', async () => {
    const { send, sent, gate } = setUp({ answers: ['token_rejected', ok, 'token_rejected', 'token_rejected'] });
    expect(await send('put')).toBe(ok);
    vi.setSystemTime(10_000);
    expect(await faultOf(send('put'))).toMatchObject({ status: 502, detail: expect.stringContaining('401') });
    expect(sent.map(({ token }) => token)).toEqual(['token-1', 'token-2', 'token-2', 'token-3']);
    expect(gate.working).toBe(0);
  });

  test('includes the time in the queue in the deadline', async () => {
    const { promise, resolve } = Promise.withResolvers<RawReply>();
    const { send, sent } = setUp({ answers: [promise], concurrencyMax: 1 });
    const [first, second] = [send(), send()];
    await settled();
    vi.advanceTimersByTime(4_500);
    const third = send();
    resolve(ok);
    await Promise.all([first, second, third]);
    expect(sent.map(({ deadlineMs }) => deadlineMs)).toEqual([5_000, 5_000, 9_500]);
  });

  test('rejects a call that is not admitted in time, and never sends it', async () => {
    const { promise, resolve } = Promise.withResolvers<RawReply>();
    const { send, sent } = setUp({ answers: [promise], concurrencyMax: 1 });
    const [first, second] = [send(), faultOf(send('put'))];
    await settled();
    vi.advanceTimersByTime(5_000);
    expect(await second).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    resolve(ok);
    await first;
    expect(sent).toHaveLength(1);
  });

  test('stops waiting for a login at its deadline, while the login continues for others', async () => {
    const { promise, resolve } = Promise.withResolvers<UpstreamToken>();
    const { send, sent, gate } = setUp({ login: () => promise });
    const first = faultOf(send());
    vi.advanceTimersByTime(3_000);
    const second = send();
    vi.advanceTimersByTime(2_000);
    expect(await first).toMatchObject({ status: 504, code: 'upstream_timeout' });
    resolve({ value: 'token', lifetimeMs: 60_000 });
    expect(await second).toBe(ok);
    expect([sent.length, gate.working, vi.getTimerCount()]).toEqual([1, 0, 0]);
  });

  test('holds the slot of a streamed response until its end or until its reader stops', async () => {
    const [whole, cut] = [Readable.from(['[1', ']']), new Readable({ read() {} })];
    const { send, gate } = setUp({
      answers: [
        { ...ok, raw: whole },
        { ...ok, raw: cut },
      ],
    });
    await Promise.all([send(), send()]);
    expect([gate.working, gate.streaming]).toEqual([0, 2]);
    for await (const _ of whole);
    await settled();
    expect(gate.streaming).toBe(1);
    cut.destroy();
    await settled();
    expect(gate.streaming).toBe(0);
  });

  test('releases the slot after every fault', async () => {
    const { send, gate } = setUp({ answers: [new Error('a fault'), new UpstreamLimit(60_000)] });
    await faultOf(send());
    await faultOf(send('put'));
    expect([gate.working, gate.streaming, gate.queued]).toEqual([0, 0, 0]);
  });

  test('does not send for a disconnected caller', async () => {
    const { promise } = Promise.withResolvers<RawReply>();
    const { send, sent } = setUp({ answers: [promise], concurrencyMax: 1 });
    send().catch(() => {});
    await settled();
    const abort = new AbortController();
    const waiting = faultOf(send('get', { signal: abort.signal }));
    abort.abort();
    expect(await waiting).toMatchObject({ reason: 'abandoned' });
    expect(sent).toHaveLength(1);
  });

  test('serves the callers of several owners in turn', async () => {
    const { promise, resolve } = Promise.withResolvers<RawReply>();
    const { send } = setUp({ answers: [promise], concurrencyMax: 1 });
    const order: string[] = [];
    const ask = (owner: string, name: string) => send('get', { principal: { owner } }).then(() => order.push(name));
    const asked = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1')];
    resolve(ok);
    await Promise.all(asked);
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
  });
});

describe('a 429 of the upstream', () => {
  test('delays a read and all others of the account by its Retry-After, then retries', async () => {
    const { send, sent } = setUp({ answers: [new UpstreamLimit(2_000)] });
    const first = send();
    await settled();
    const second = send('put');
    vi.advanceTimersByTime(1_999);
    await settled();
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(await Promise.all([first, second])).toEqual([ok, ok]);
    expect(sent.map(({ method }) => method)).toEqual(['get', 'get', 'put']);
  });

  test('becomes a 503 with the upstream’s Retry-After for a write', async () => {
    const { send, sent } = setUp({ answers: [new UpstreamLimit(2_000)] });
    expect(await faultOf(send('put'))).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
    expect(sent).toHaveLength(1);
  });

  test('becomes a 503 at once, also for later requests, when Retry-After exceeds the timeout', async () => {
    const { send, sent } = setUp({ answers: [new UpstreamLimit(60_000)] });
    expect(await faultOf(send())).toMatchObject({ status: 503, headers: { 'Retry-After': '60' } });
    vi.setSystemTime(10_500);
    expect(await faultOf(send())).toMatchObject({ status: 503, headers: { 'Retry-After': '50' } });
    expect(sent).toHaveLength(1);
  });

  test('is retried a limited number of times', async () => {
    const { send, sent } = setUp({ answers: Array.from({ length: 9 }, () => new UpstreamLimit(0)) });
    const fault = faultOf(send());
    for (let i = 0; i < 5; i++) {
      await settled();
      vi.advanceTimersByTime(250);
    }
    expect(await fault).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    expect(sent).toHaveLength(3);
  });

  test('holds the account when it answers a login', async () => {
    let logins = 0;
    const login = async () => {
      if (logins++ === 0) throw new UpstreamLimit(1_000);
      return { value: 'token', lifetimeMs: 60_000 };
    };
    const { send } = setUp({ login });
    const asked = [send(), send()];
    await settled();
    vi.advanceTimersByTime(1_000);
    expect(await Promise.all(asked)).toEqual([ok, ok]);
    expect(logins).toBe(2);
  });
});
