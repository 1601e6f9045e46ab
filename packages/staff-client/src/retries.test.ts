import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStubServer, problem, type StubResponse } from '../test/stub-server.ts';
import { ApiProblem, createStaffClient, NotFoundError, RateLimitError, UnavailableError } from './index.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T10:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const path = { staff_key: 'k' };
const lost = new TypeError('fetch failed');
const good: StubResponse = { body: {} };

/** Runs a call and returns its duration. */
async function settle<Result>(call: Promise<Result>) {
  const started = Date.now();
  let endedAt = started;
  const outcome = call.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  outcome.then(() => {
    endedAt = Date.now();
  });
  await vi.runAllTimersAsync();
  return { ...(await outcome), tookMs: endedAt - started };
}

function create(responses: readonly StubResponse[], options = {}) {
  const server = createStubServer(...responses);
  return {
    server,
    client: createStaffClient({ baseUrl: 'https://staff.test', key: 'k', fetch: server.fetch, ...options }),
  };
}

describe('a read', () => {
  it('whose query cannot be encoded fails before a login and a request', async () => {
    const token = vi.fn(() => 'token');
    const { server, client } = create([good], { key: undefined, token });
    const { error, tookMs } = await settle(client.listStaffMembers({ query: { companyKey: 'c', $filter: '\ud800' } }));
    expect(error).toBeInstanceOf(URIError);
    expect([server.requests.length, token.mock.calls.length, tookMs]).toEqual([0, 0, 0]);
  });

  it.each([
    ['a lost connection', lost],
    ['408', problem(408)],
    ['429', problem(429)],
    ['502', problem(502)],
    ['503', problem(503)],
    ['504', problem(504)],
  ])('is sent again after %s', async (_, response) => {
    const { server, client } = create([response, response, good]);
    const { value, tookMs } = await settle(client.getStaffMember({ path }));
    expect(value).toEqual({});
    expect(server.requests).toHaveLength(3);
    expect(tookMs).toBeLessThan(600);
  });

  it('is retried when the connection is lost within its body', async () => {
    const cut = new ReadableStream({ pull: (controller) => controller.error(lost) });
    const responses = [new Response(cut, { headers: { 'Content-Type': 'application/json' } }), Response.json({})];
    const fetch = async () => responses.shift() as Response;
    const client = createStaffClient({ baseUrl: 'https://staff.test', key: 'k', fetch });
    expect((await settle(client.getStaffMember({ path }))).value).toEqual({});
  });

  it.each([400, 401, 403, 404, 412, 500, 501])('is not retried after %d', async (status) => {
    const { server, client } = create([problem(status)]);
    expect((await settle(client.getStaffMember({ path }))).error).toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [404, 1],
    [401, 1],
    [500, 1],
    [503, 3],
  ])('throws status %d of a response whose body is cut off, and is sent %d times', async (status, times) => {
    const fetch = vi.fn(async () => {
      const cut = new ReadableStream({ pull: (controller) => controller.error(lost) });
      return new Response(cut, { status, headers: { 'X-Request-Id': 'r1', 'Retry-After': '1' } });
    });
    const client = createStaffClient({ baseUrl: 'https://staff.test', key: 'k', fetch });
    const { error } = await settle(client.getStaffMember({ path }));
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({ status, requestId: 'r1', retryAfterSeconds: 1, cause: lost });
    expect(fetch).toHaveBeenCalledTimes(times);
  });

  it.each([
    [502, 'rostergate; received-status=502'],
    [503, 'rostergate; error=destination_unavailable'],
    [504, 'cache.example; hit, rostergate; error=http_response_timeout'],
  ])('is not retried after %d with Proxy-Status %j: a server has retried it', async (status, value) => {
    const { server, client } = create([problem(status, {}, { 'Proxy-Status': value }), good]);
    expect((await settle(client.getStaffMember({ path }))).error).toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['a 503 that another proxy marked', problem(503, {}, { 'Proxy-Status': 'cache.example; detail="rostergate; x"' })],
    ['a 408 with the mark', problem(408, {}, { 'Proxy-Status': 'rostergate; received-status=408' })],
  ])('is sent again after %s', async (_, response) => {
    const { server, client } = create([response, good]);
    expect((await settle(client.getStaffMember({ path }))).value).toEqual({});
    expect(server.requests).toHaveLength(2);
  });

  it('that a server has retried is retried with Retry-After, and after a later lost connection', async () => {
    const headers = { 'Proxy-Status': 'rostergate; received-status=503', 'Retry-After': '7' };
    const { server, client } = create([problem(503, {}, headers), lost, good]);
    const { value, tookMs } = await settle(client.getStaffMember({ path }));
    expect([value, server.requests.length]).toEqual([{}, 3]);
    expect(tookMs).toBeGreaterThanOrEqual(7_000);
  });

  it('fails with the last response after all retries', async () => {
    const { server, client } = create([lost, problem(503, { request_id: 'r2' }), problem(429, { request_id: 'r3' })]);
    const { error } = await settle(client.getStaffMember({ path }));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ requestId: 'r3' });
    expect(server.requests).toHaveLength(3);
  });

  it('is retried as often as the client or the call says', async () => {
    const { server, client } = create([lost], { retries: 4 });
    expect((await settle(client.getStaffMember({ path }))).error).toBe(lost);
    expect(server.requests).toHaveLength(5);
    await settle(client.getStaffMember({ path, retries: 0 }));
    expect(server.requests).toHaveLength(6);
  });

  it('that cannot be built is not retried', async () => {
    const { server, client } = create([good]);
    const { error, tookMs } = await settle(client.getStaffMember({ path: { staff_key: '..' } }));
    expect(error).toBeInstanceOf(TypeError);
    expect([server.requests.length, tookMs]).toEqual([0, 0]);
  });
});

describe('a write', () => {
  const body = { Fte: 0.5 };

  it('is retried after 429 with its body', async () => {
    const { server, client } = create([problem(429, {}, { 'Retry-After': '2' }), good]);
    const { value, tookMs } = await settle(client.updateStaffMember({ path, body, ifMatch: '"7"' }));
    expect(value).toEqual({});
    expect(tookMs).toBeGreaterThanOrEqual(2_000);
    expect(await server.last().json()).toEqual(body);
    expect(server.last().headers.get('If-Match')).toBe('"7"');
  });

  it.each([
    ['a lost connection', lost, lost],
    ['503, which may come after the change was made', problem(503), expect.any(UnavailableError)],
    ['502', problem(502), expect.objectContaining({ status: 502 })],
    ['504', problem(504), expect.objectContaining({ status: 504 })],
  ])('is never sent again after %s', async (_, response, want) => {
    const { server, client } = create([response, good]);
    const calls = [
      client.updateStaffMember({ path, body }),
      client.addStaffTag({ path, body: { TagKey: 1 } }),
      client.deletePayModifier({ path: { ...path, pay_modifier_key: 'p' } }),
    ];
    // The first response is for the first request.
    const [first] = calls as [Promise<unknown>];
    expect((await settle(first)).error).toEqual(want);
    await Promise.allSettled(calls);
    expect(server.requests).toHaveLength(3);
  });
});

describe('Retry-After', () => {
  it.each([
    ['seconds', { 'Retry-After': '7' }],
    [
      'a date by the server’s own clock',
      { 'Retry-After': 'Sat, 21 Nov 2026 08:00:07 GMT', Date: 'Sat, 21 Nov 2026 08:00:00 GMT' },
    ],
    ['a date without the server’s clock', { 'Retry-After': 'Sat, 21 Nov 2026 10:00:07 GMT' }],
  ])('is waited for: %s', async (_, headers) => {
    const { client } = create([problem(503, {}, headers), good]);
    const { tookMs } = await settle(client.getStaffMember({ path }));
    expect(tookMs).toBeGreaterThanOrEqual(7_000);
    expect(tookMs).toBeLessThan(7_300);
  });

  it('beyond the timeout of the call ends it at once', async () => {
    const { server, client } = create([problem(429, {}, { 'Retry-After': '60' })]);
    const { error, tookMs } = await settle(client.getStaffMember({ path }));
    expect(error).toMatchObject({ retryAfterSeconds: 60 });
    expect([server.requests.length, tookMs]).toEqual([1, 0]);
  });

  it('beyond the range of a timer is waited for without a timeout', async () => {
    const seconds = 2 ** 31 / 1000 + 60;
    const { server, client } = create([problem(429, {}, { 'Retry-After': String(Math.ceil(seconds)) }), good]);
    const { value, tookMs } = await settle(client.getStaffMember({ path, timeoutMs: Number.POSITIVE_INFINITY }));
    expect([value, server.requests.length]).toEqual([{}, 2]);
    expect(tookMs).toBeGreaterThanOrEqual(seconds * 1000);
  });

  it.each(['soon', '-5', '0x10', '1e3', 'Infinity', ''])('that is invalid (%j) is ignored', async (value) => {
    const { client } = create([problem(404, {}, { 'Retry-After': value })]);
    const { error } = await settle(client.getStaffMember({ path }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ retryAfterSeconds: undefined });
  });
});
