import { Readable } from 'node:stream';
import type { UpstreamRequest, UpstreamResponse } from '@rostergate/upstream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { StaffCall } from '../staff-call.ts';
import { contractForm, createStaffUpstream } from './staff-upstream.ts';

const json = { 'content-type': 'application/json' };

/** Returns a response as received; with a declared length unless the test streams. */
function answer(
  status: number,
  body: string | Readable,
  headers: UpstreamResponse['headers'] = json,
): UpstreamResponse {
  if (typeof body !== 'string') return { status, headers, body };
  return {
    status,
    headers: { 'content-length': String(Buffer.byteLength(body)), ...headers },
    body: Readable.from([Buffer.from(body)], { objectMode: false }),
  };
}

function setUp(given: UpstreamResponse = answer(200, '[]'), baseUrl = 'http://up.test/api/v2', clock = () => 0) {
  const sent: UpstreamRequest[] = [];
  const upstream = createStaffUpstream({
    request: async (request) => {
      sent.push(request);
      return given;
    },
    baseUrl: new URL(baseUrl),
    ownBase: '/v2',
    form: contractForm,
    timeoutMs: 5_000,
    clock,
  });
  const { signal } = new AbortController();
  const send = (
    call: Partial<StaffCall> = {},
    accept?: string,
    headers: Record<string, string> = {},
    token = 'token',
  ) =>
    upstream.send(
      {
        operation: { operationId: 'getStaffMember', method: 'get', path: '/staffmember/{staff_key}', tag: 'staff' },
        path: { staff_key: 'S-1' },
        query: '',
        body: undefined,
        companyKey: 'C-1',
        headers,
        accept,
        ...call,
      },
      token,
      { requestId: 'r-1', signal },
      5_000,
    );
  return { sent, send, upstream };
}

async function bytesOf(reply: Awaited<ReturnType<ReturnType<typeof setUp>['send']>>): Promise<string> {
  if (reply === 'token_rejected') throw new Error(reply);
  const chunks: Buffer[] = [];
  if (!(reply.raw instanceof Readable)) return Buffer.from(reply.raw).toString();
  for await (const chunk of reply.raw) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('a call to the upstream', () => {
  test('goes to the contract’s path under the upstream’s base, with the account’s token', async () => {
    const { sent, send } = setUp();
    await send();
    expect(sent[0]).toMatchObject({
      method: 'GET',
      path: '/api/v2/staffmember/S-1',
      headers: { Authorization: 'bearer token', Accept: 'application/json', 'X-Request-Id': 'r-1' },
    });
    expect(sent[0]).not.toHaveProperty('body');
  });

  test('carries the query byte for byte', async () => {
    const { sent, send } = setUp();
    const query = "%24filter=LastName+eq+'O''Neil%2B%E4'&$expand=Tags,Skillset(%20$top=1)";
    await send({ query });
    expect(sent[0]?.path).toBe(`/api/v2/staffmember/S-1?${query}`);
  });

  test('encodes bytes of the query that a URI must not contain', async () => {
    const { sent, send } = setUp();
    await send({ query: "$filter=LastName eq '\xc3\xb6'" });
    expect(sent[0]?.path).toBe("/api/v2/staffmember/S-1?$filter=LastName%20eq%20'%c3%b6'");
  });

  test('encodes # in the query, so that no upstream takes it for a fragment', async () => {
    const { sent, send } = setUp();
    await send({ query: '$filter=a#b&companyKey=C-1' });
    expect(sent[0]?.path).toBe('/api/v2/staffmember/S-1?$filter=a%23b&companyKey=C-1');
  });

  test.each([
    ['a/b', 'a%2Fb'],
    ['ü%?#', '%C3%BC%25%3F%23'],
    ['..a', '..a'],
  ])('encodes the identifier %j as one segment', async (key, segment) => {
    const { sent, send } = setUp();
    await send({ path: { staff_key: key } });
    expect(sent[0]?.path).toBe(`/api/v2/staffmember/${segment}`);
  });

  test.each(['.', '..', '', 'a/../../login', '%2e%2e%2f', 'a\0b', '$count', '$COUNT'])(
    'is rejected with the identifier %j',
    async (key) => {
      const { sent, send } = setUp();
      await expect(send({ path: { staff_key: key } })).rejects.toMatchObject({ code: 'not_found' });
      expect(sent).toEqual([]);
    },
  );

  test('sends a body as JSON', async () => {
    const { sent, send } = setUp();
    await send({ body: { FirstName: 'Ö' } });
    expect(sent[0]).toMatchObject({ body: '{"FirstName":"Ö"}', headers: { 'Content-Type': 'application/json' } });
  });

  test.each([
    ['application/json;odata.metadata=minimal', 'application/json;odata.metadata=minimal'],
    ['text/html', 'application/json'],
    ['text/csv', 'application/json'],
    ['application/x-ndjson', 'application/json'],
    ['text/csv, application/json;q=0.1', ' application/json;q=0.1'],
    ['text/csv;x=",application/json", */*', 'application/json'],
    ['application/json;x="a,text/csv",text/csv', 'application/json;x="a,text/csv"'],
  ])('asks only for JSON, in the form that the caller accepts: %s', async (accept, asked) => {
    const { sent, send } = setUp(answer(200, '{}'));
    await send({}, accept);
    expect(sent.map(({ headers }) => (headers as Record<string, string>).Accept)).toEqual([asked]);
  });
});

describe('a request that may have been processed', () => {
  const methodOf = (method: 'get' | 'put') =>
    ({ operationId: 'x', method, path: '/staffmember', tag: 'staff' }) as const;

  test('is repeatable only for a read', async () => {
    const { sent, send } = setUp();
    await send({ operation: methodOf('get') });
    await send({ operation: methodOf('put'), body: {} }).catch(() => {});
    expect(sent.map(({ method, isRepeatable, deadlineMs }) => [method, isRepeatable, deadlineMs])).toEqual([
      ['GET', true, 5_000],
      ['PUT', false, 5_000],
    ]);
  });
});

describe('a dripping response', () => {
  test.each([
    ['of known length', { ...json, 'content-length': '100' }, 200],
    ['that does not begin', json, 200],
    ['of a rejection', { ...json, 'content-length': '100' }, 404],
  ])('%s ends at the deadline', async (_case, headers, status) => {
    const body = new Readable({ read() {} });
    if (status === 404) body.push('{');
    const found = await setUp(answer(status, body, headers), undefined, () => 4_990)
      .send()
      .catch((error: unknown) => error);
    expect(found).toMatchObject(status === 404 ? { code: 'not_found' } : { status: 504, code: 'upstream_timeout' });
    expect(body.destroyed).toBe(true);
  });

  test('continues after the deadline once it has begun', async () => {
    const body = new Readable({ read() {} });
    body.push('[1');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const reply = await setUp(answer(200, body)).send();
    vi.advanceTimersByTime(60_000);
    body.push(']');
    body.push(null);
    expect(await bytesOf(reply)).toBe('[1]');
  });
});

describe('a condition', () => {
  const headersSent = async (headers: Record<string, string>, given?: UpstreamResponse) => {
    const { sent, send } = setUp(given);
    await send({}, undefined, headers);
    return sent[0]?.headers;
  };

  test('is forwarded, with strong tags in If-Match where compression has weakened them', async () => {
    expect(await headersSent({ 'If-Match': 'W/"7", "8"' })).toMatchObject({ 'If-Match': '"7", "8"' });
    expect(await headersSent({ 'If-None-Match': 'W/"7"' })).toMatchObject({ 'If-None-Match': 'W/"7"' });
  });

  test('that matches becomes a 304 with only the ETag', async () => {
    const notModified = answer(304, '', { etag: '"7"', server: 'secret/1.0' });
    const reply = await setUp(notModified).send({}, undefined, { 'If-None-Match': '"7"' });
    expect(reply).toEqual({ status: 304, raw: '', contentType: 'application/json', headers: { ETag: '"7"' } });
  });

  test('that is absent makes a 304 a fault', async () => {
    await expect(setUp(answer(304, '', {})).send()).rejects.toMatchObject({ status: 502, code: 'upstream_failed' });
  });

  test('replaces no header of the proxy', async () => {
    expect(await headersSent({ Authorization: 'bearer mine', 'X-Request-Id': 'x' })).toMatchObject({
      Authorization: 'bearer token',
      'X-Request-Id': 'r-1',
    });
  });
});

describe('a success', () => {
  test('is relayed byte for byte', async () => {
    const body = ' {"Fte": 1.0, "a":1,"a":2}\n';
    const reply = await setUp(answer(200, body)).send();
    expect(reply).toMatchObject({ status: 200, contentType: 'application/json' });
    expect(await bytesOf(reply)).toBe(body);
  });

  test('streams when it is long or of unknown length', async () => {
    const chunks = ['[', '1'.repeat(100_000), ']'];
    const stream = () => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
    const unknown = await setUp(answer(200, stream())).send();
    expect(await bytesOf(unknown)).toBe(chunks.join(''));
    const long = await setUp(answer(200, stream(), { ...json, 'content-length': '100002' })).send();
    expect(long).toMatchObject({ raw: expect.any(Readable), headers: { 'Content-Length': '100002' } });
    expect(await bytesOf(long)).toBe(chunks.join(''));
  });

  test('that ends with its connection in the middle of a list fails for its reader', async () => {
    const cut = Readable.from([Buffer.from('[1,'), Buffer.from('2, ')], { objectMode: false });
    await expect(bytesOf(await setUp(answer(200, cut)).send())).rejects.toMatchObject({ code: 'upstream_failed' });
    const whole = Readable.from([Buffer.from('[1'), Buffer.from(']'), Buffer.from('\r\n')], { objectMode: false });
    expect(await bytesOf(await setUp(answer(200, whole)).send())).toBe('[1]\r\n');
  });

  test.each([
    ['http://up.test/api/v2/staffmember/S-2', '/v2/staffmember/S-2'],
    ['/api/v2/staffmember/S%2F2?x=1', '/v2/staffmember/S%2F2?x=1'],
    ['//up.test/api/v2/staffmember/S-2', '/v2/staffmember/S-2'],
    ['http://elsewhere.test/api/v2/staffmember/S-2', undefined],
    ['/internal/S-2', undefined],
    ['/api/v2/../internal', undefined],
    ['http://', undefined],
  ])('relays its Location %s as %s', async (location, expected) => {
    const reply = await setUp(answer(201, '{}', { ...json, location })).send();
    expect(reply).toMatchObject({ status: 201 });
    expect((reply as { headers: Record<string, string> }).headers.Location).toBe(expected);
  });

  test('relays only the headers of the contract', async () => {
    const headers = { ...json, etag: '"1"', 'set-cookie': ['a=b'], server: 'secret/1.0', connection: 'x-a' };
    const reply = await setUp(answer(200, '{}', headers)).send();
    expect((reply as { headers: object }).headers).toEqual({ ETag: '"1"' });
  });

  test.each([
    ['HTML', answer(200, '<h1>secret</h1>', { 'content-type': 'text/html' })],
    ['no media type', answer(200, '{}', {})],
    ['text labelled as JSON', answer(200, 'secret garbage')],
    ['JSON that stops in the middle', answer(200, '{"secret":[1,2')],
    ['nothing', answer(200, '')],
    ['a stream of garbage', answer(200, Readable.from([Buffer.from('secret')]))],
    ['an empty stream', answer(200, Readable.from([]))],
    ['an unrequested encoding', answer(200, '{}', { ...json, 'content-encoding': 'gzip' })],
    [
      'a connection that breaks',
      answer(
        200,
        new Readable({
          read() {
            this.destroy(new Error('secret: ECONNRESET'));
          },
        }),
        { ...json, 'content-length': '10' },
      ),
    ],
    [
      'a stream that breaks at once',
      answer(
        200,
        new Readable({
          read() {
            this.destroy(new Error('secret: ECONNRESET'));
          },
        }),
      ),
    ],
  ])('that is %s becomes a 502 that names only the status', async (_case, given) => {
    const problem = await setUp(given)
      .send()
      .catch((error: unknown) => error);
    expect(problem).toMatchObject({ status: 502, code: 'upstream_failed', detail: expect.stringContaining('200') });
    expect((problem as Error).message).not.toContain('secret');
  });
});

describe('a rejection', () => {
  const problem = (members: object) => JSON.stringify({ type: 'about:blank', title: 'x', ...members });
  const problemJson = { 'content-type': 'application/problem+json' };

  test('without a code of the contract passes no text on', async () => {
    const body = problem({ detail: 'at db.internal:5432', errors: [{ detail: 'secret' }] });
    await expect(setUp(answer(400, body, problemJson)).send()).rejects.toMatchObject({
      status: 400,
      code: 'validation_failed',
      detail: expect.not.stringContaining('db.internal'),
      errors: [],
    });
  });

  test('of the contract keeps only its code, detail and errors', async () => {
    const errors = [{ pointer: '/Fte', detail: 'must be a number', secret: 1 }, { detail: 5 }, 'x'];
    const body = problem({
      status: 400,
      code: 'odata_invalid',
      detail: 'Fix it.',
      errors,
      stack: 'secret',
      instance: '/x',
    });
    await expect(setUp(answer(400, body, problemJson)).send()).rejects.toMatchObject({
      status: 400,
      code: 'odata_invalid',
      kind: 'ValidationError',
      detail: 'Fix it.',
      errors: [{ pointer: '/Fte', detail: 'must be a number' }],
      extensions: {},
    });
  });

  test.each([
    ['another code of the contract', 403, problem({ code: 'scope_missing' }), 403, 'scope_missing'],
    ['a code that belongs to another status', 404, problem({ code: 'scope_missing' }), 404, 'not_found'],
    ['an unknown code', 409, problem({ code: 'constructor' }), 409, 'conflict'],
    ['changes that are gone', 410, problem({ code: 'changes_gone' }), 410, 'changes_gone'],
    ['anything else that is gone', 410, problem({ code: 'other' }), 502, 'upstream_failed'],
    ['plain text', 400, 'Bad Request', 400, 'validation_failed'],
    ['a method the upstream lacks', 405, '{}', 501, 'not_implemented'],
    ['part of OData', 501, problem({ code: 'odata_unsupported' }), 501, 'odata_unsupported'],
    ['a route the upstream lacks', 404, problem({ code: 'route_not_found' }), 502, 'upstream_failed'],
    ['a stale ETag', 412, '{}', 412, 'precondition_failed'],
    ['the proxy’s media type', 415, '{}', 502, 'upstream_failed'],
    ['a redirect', 302, '{}', 502, 'upstream_failed'],
    [
      'a 500 with internal details',
      500,
      problem({ detail: 'secret stack', code: 'internal_error' }),
      502,
      'upstream_failed',
    ],
    ['an endless body', 404, 'x'.repeat(100_000), 404, 'not_found'],
    ['an unrequested part', 206, '[]', 502, 'upstream_failed'],
  ])('of %s (%i) becomes a %i', async (_case, status, body, relayedStatus, code) => {
    const found = await setUp(answer(status, body, problemJson))
      .send()
      .catch((error: unknown) => error);
    expect(found).toMatchObject({ status: relayedStatus, code });
    expect((found as Error).message).not.toContain('secret');
  });

  test('that repeats the token passes no text on', async () => {
    const errors = [{ detail: 'not for bearer token-7' }];
    const found = JSON.stringify({ code: 'scope_missing', detail: 'token-7 may not do this', errors });
    const problem = await setUp(answer(403, found, problemJson))
      .send({}, undefined, {}, 'token-7')
      .catch((error: unknown) => error);
    expect(problem).toMatchObject({ status: 403, code: 'operation_forbidden', errors: [] });
    expect((problem as Error).message).not.toContain('token-7');
  });

  test('for too many requests becomes a 503 with the upstream’s Retry-After', async () => {
    const limited = answer(429, '{}', { ...problemJson, 'retry-after': '17' });
    await expect(setUp(limited).send()).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '17' } });
  });

  test('with 503 keeps the upstream’s Retry-After and Proxy-Status', async () => {
    const headers = { ...problemJson, 'retry-after': '5', 'proxy-status': 'rostergate; received-status=503' };
    await expect(setUp(answer(503, '{}', headers)).send()).rejects.toMatchObject({
      status: 503,
      headers: { 'Retry-After': '5', 'Proxy-Status': 'rostergate; received-status=503' },
    });
    await expect(setUp(answer(503, '{}')).send()).rejects.toMatchObject({ status: 502 });
  });

  test('of the token asks for another login', async () => {
    expect(await setUp(answer(401, '{}')).send()).toBe('token_rejected');
  });
});

describe('a login', () => {
  const account = { name: 'a', email: 'a+b@x.test', password: 'p&=ö', companyKey: 'C', isAdmin: false };

  test('is sent as a form', async () => {
    const { sent, upstream } = setUp(answer(200, '{"access_token":"abc","token_type":"bearer","expires_in":"3600"}'));
    expect(await upstream.login(account)).toEqual({ value: 'abc', lifetimeMs: 3_600_000 });
    expect(sent[0]).toMatchObject({
      method: 'POST',
      path: '/api/v2/login',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      isRepeatable: true,
      body: 'email=a%2Bb%40x.test&password=p%26%3D%C3%B6',
    });
  });

  test('that the upstream rejects returns `refused`', async () => {
    expect(await setUp(answer(401, '{"error":"access_denied"}')).upstream.login(account)).toBe('refused');
  });

  test.each([
    ['a 500', answer(500, 'secret')],
    ['a 404, which is not about the requested person', answer(404, '{"code":"not_found","detail":"secret"}')],
    ['a 409', answer(409, '{"detail":"secret p&=ö"}')],
    ['no JSON', answer(200, 'secret')],
    ['null', answer(200, 'null')],
    ['no token', answer(200, '{"expires_in":"3600","secret":1}')],
    ['no lifetime', answer(200, '{"access_token":"secret","expires_in":"soon"}')],
    ['a token that would split a header', answer(200, '{"access_token":"secret\\r\\nX: y","expires_in":"1"}')],
    ['an endless body', answer(200, `"${'secret'.repeat(20_000)}"`)],
  ])('answered with %s becomes a 502 without its text', async (_case, given) => {
    const found = await setUp(given)
      .upstream.login(account)
      .catch((error: unknown) => error);
    expect(found).toMatchObject({ status: 502, code: 'upstream_failed' });
    expect((found as Error).message).not.toContain('secret');
    expect((found as Error).message).not.toContain(account.password);
  });

  test('whose response drips times out at the deadline', async () => {
    const dripping = new Readable({ read() {} });
    dripping.push('{"access_token":');
    let nowMs = 0;
    const { upstream } = setUp(answer(200, dripping), undefined, () => {
      nowMs += 4_990;
      return nowMs;
    });
    await expect(upstream.login(account)).rejects.toMatchObject({ status: 504, code: 'upstream_timeout' });
  });
});

describe('an upstream', () => {
  test.each([
    [200, true],
    [404, true],
    [503, false],
  ])('that answers %i is reachable: %s', async (status, expected) => {
    expect(await setUp(answer(status, '')).upstream.isReachable()).toBe(expected);
  });
});
