import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStubServer, problem } from '../test/stub-server.ts';
import { createStaffClient } from './index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const baseUrl = 'https://staff.test';
const path = { staff_key: 'k' };
/** A fetch that never responds, and ends with its signal. */
const silent = (request: Request) =>
  new Promise<Response>((_, reject) => {
    request.signal.addEventListener('abort', () => reject(request.signal.reason));
  });

it('ends a call with TimeoutError after 30 seconds, or the timeout of the client or call', async () => {
  const fetch = vi.fn(silent);
  const usual = createStaffClient({ baseUrl, key: 'k', fetch });
  const hasty = createStaffClient({ baseUrl, key: 'k', fetch, timeoutMs: 1_000 });
  const calls = [
    usual.getStaffMember({ path }),
    hasty.getStaffMember({ path }),
    usual.getStaffMember({ path, timeoutMs: 50 }),
  ];
  const ends: (readonly [number, string])[] = [];
  const started = Date.now();
  for (const call of calls) call.catch((error: Error) => ends.push([Date.now() - started, error.name]));
  await vi.runAllTimersAsync();
  expect(ends).toEqual([
    [50, 'TimeoutError'],
    [1_000, 'TimeoutError'],
    [30_000, 'TimeoutError'],
  ]);
  expect(fetch).toHaveBeenCalledTimes(3);
});

it('ends a call whose body stalls', async () => {
  const fetch = async (request: Request) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('['));
        request.signal.addEventListener('abort', () => controller.error(request.signal.reason));
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'application/json' } });
  };
  const call = createStaffClient({ baseUrl, key: 'k', fetch }).listStaffMembers();
  call.catch(() => {});
  await vi.advanceTimersByTimeAsync(30_000);
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
});

it('leaves no timer', async () => {
  const { fetch } = createStubServer({ body: {} });
  const client = createStaffClient({ baseUrl, key: 'k', fetch });
  await client.getStaffMember({ path });
  expect(vi.getTimerCount()).toBe(0);
  const aborted = new AbortController();
  const call = createStaffClient({ baseUrl, key: 'k', fetch: silent }).getStaffMember({ path, signal: aborted.signal });
  aborted.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});

it('accepts Infinity as no limit', async () => {
  const { fetch } = createStubServer(problem(503, {}, { 'Retry-After': '86400' }), { body: {} });
  const call = createStaffClient({ baseUrl, key: 'k', fetch, timeoutMs: Number.POSITIVE_INFINITY }).getStaffMember({
    path,
  });
  await vi.runAllTimersAsync();
  expect(await call).toEqual({});
});

it('accepts a limit beyond the range of a timer', async () => {
  const timeoutMs = 2 ** 31 + 1_000;
  const call = createStaffClient({ baseUrl, key: 'k', fetch: silent, timeoutMs }).getStaffMember({ path });
  let endedMs = 0;
  const started = Date.now();
  call.catch(() => {
    endedMs = Date.now() - started;
  });
  await vi.runAllTimersAsync();
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(endedMs).toBe(timeoutMs);
});

it('adds one listener to a signal that calls share, and removes it after the last of them', async () => {
  const shared = new AbortController();
  const { signal } = shared;
  const { fetch } = createStubServer({ body: {} });
  const client = createStaffClient({ baseUrl, key: 'k', fetch });
  const waiting = createStaffClient({ baseUrl, key: 'k', fetch: silent });
  await Promise.all(Array.from({ length: 50 }, () => client.getStaffMember({ path, signal })));
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  const calls = Array.from({ length: 50 }, () => waiting.getStaffMember({ path, signal }));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await client.getStaffMember({ path, signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  shared.abort(new Error('enough'));
  for (const call of calls) await expect(call).rejects.toThrow('enough');
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

it('ends with the reason of the caller’s signal before, during and between attempts', async () => {
  const reason = new Error('enough');
  const { fetch, requests } = createStubServer(problem(503, {}, { 'Retry-After': '5' }));
  const client = createStaffClient({ baseUrl, key: 'k', fetch });
  await expect(client.getStaffMember({ path, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(requests).toEqual([]);

  const waiting = new AbortController();
  const silentClient = createStaffClient({ baseUrl, key: 'k', fetch: silent });
  const first = silentClient.getStaffMember({ path, signal: waiting.signal });
  waiting.abort(reason);
  await expect(first).rejects.toBe(reason);

  const pausing = new AbortController();
  const second = client.getStaffMember({ path, signal: pausing.signal });
  await vi.advanceTimersByTimeAsync(1_000);
  pausing.abort(reason);
  await expect(second).rejects.toBe(reason);
  await vi.runAllTimersAsync();
  expect(requests).toHaveLength(1);
});

it('ends a call that waits for another’s login, which continues', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const fetch = async (request: Request) =>
    request.url.endsWith('/login') ? promise : Response.json({ StaffKey: 'k' });
  const client = createStaffClient({ baseUrl, login: { email: 'e', password: 'p' }, fetch });
  const gone = new AbortController();
  const first = client.getStaffMember({ path, signal: gone.signal });
  const second = client.getStaffMember({ path });
  gone.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  resolve(Response.json({ access_token: 't', token_type: 'bearer', expires_in: '3600' }));
  expect(await second).toEqual({ StaffKey: 'k' });
});
