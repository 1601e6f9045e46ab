import { once } from 'node:events';
import http from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Answer, json, type StandIn } from '../../../../apps/staff-proxy/test/stand-in-upstream.ts';
import { createEndings } from '../at-end.ts';
import { exchangeBytes } from '../exchange-bytes.ts';
import { makeProxyFolder, runProxyCommand } from '../proxy-process.ts';
import { accounts, entryOf, keyOf } from './recorded-proxy.ts';
import { type StandInProxy, startStandInProxy, usualKeysFile } from './stand-in-proxy.ts';

const passThrough = [
  { name: 'schedule', path: '/v2/schedule/{rest*}', methods: ['GET'] },
  { name: 'schedule-write', path: '/v2/schedule/{rest*}', methods: ['POST', 'DELETE'] },
  { name: 'request', path: '/v2/schedule-request/{id}', methods: ['GET'] },
];
const both = ['schedule', 'schedule-write'];
const { atEnd, end } = createEndings();
let proxy: StandInProxy;
let upstream: StandIn;

beforeAll(async () => {
  proxy = await startStandInProxy(
    {
      keysFile: {
        accounts: {
          ...usualKeysFile.accounts,
          renewed: usualKeysFile.accounts.admin,
          slow: usualKeysFile.accounts.admin,
        },
        keys: [
          entryOf('whole', { pass_through: [...both, 'request'] }),
          entryOf('usual'),
          entryOf('reads', { pass_through: both, read_only: true }),
          entryOf('narrow', { pass_through: ['request'], operations: { allow: ['listStaffMembers'] } }),
          entryOf('reader', { pass_through: both, account: 'reader' }),
          entryOf('renewed', { pass_through: both, account: 'renewed' }),
          entryOf('slow', { pass_through: both, account: 'slow' }),
          entryOf('beside', { account: 'slow' }),
        ],
      },
      settings: {
        pass_through: passThrough,
        body_bytes_max: 200_000,
        cache_seconds_max: 60,
        upstream_timeout_ms: 5_000,
      },
    },
    atEnd,
  );
  upstream = proxy.upstream;
});
afterAll(end);
beforeEach(() => {
  upstream.seen.length = 0;
  upstream.answers.length = 0;
});

const as = (name: string, path: string, options = {}) => proxy.callWith(keyOf(name), path, options);
const arrived = () => upstream.seen.map(({ method, url }) => `${method} ${url}`);

test('setting pass_through: forwards path, query and body with the token of the account, and no credential of the caller', async () => {
  upstream.answers.push((res) => res.writeHead(201, { 'Content-Type': 'text/csv' }).end('a,b'));
  const response = await as('whole', "/v2/schedule/a%20b/:c?$filter=Name eq 'x'&x=%2F..", {
    method: 'POST',
    headers: {
      ...{
        'Content-Type': 'text/x-mine',
        Accept: 'text/csv',
        Cookie: 'a=1',
        Prefer: 'x',
        'X-HTTP-Method-Override': 'PUT',
      },
      ...{ 'X-Forwarded-For': '192.0.2.1', 'X-Original-URL': '/v2/login', 'Proxy-Authorization': 'Basic YQ==' },
    },
    body: 'not checked',
  });
  expect([response.status, response.headers.get('Content-Type'), response.text]).toEqual([201, 'text/csv', 'a,b']);
  const [{ method, url, headers, body } = {} as never] = upstream.seen;
  expect([method, url, body]).toEqual([
    ...['POST', '/v2/schedule/a%20b/:c?$filter=Name%20eq%20%27x%27&x=%2F..'],
    'not checked',
  ]);
  expect(headers).toMatchObject({
    'content-type': 'text/x-mine',
    accept: 'text/csv',
    prefer: 'x',
    via: '1.1 rostergate',
  });
  expect(headers.authorization).toMatch(/^bearer upstream-token-\d+$/);
  expect(Object.keys(headers).sort()).toEqual([
    ...[
      'accept',
      'accept-language',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'prefer',
      'traceparent',
    ],
    ...['via', 'x-request-id'],
  ]);
});

test('setting pass_through: a write clears the cache of its account', async () => {
  await as('whole', '/v2/staffmember');
  await as('whole', '/v2/staffmember');
  await as('whole', '/v2/schedule/1', { method: 'POST' });
  await as('whole', '/v2/staffmember');
  expect(arrived().map((one) => one.slice(0, 16))).toEqual([
    'GET /v2/staffmem',
    'POST /v2/schedul',
    'GET /v2/staffmem',
  ]);
});

test('setting pass_through: returns the status, the text and some headers of the upstream, and its own address', async () => {
  const headers = {
    ...{
      'Content-Type': 'text/plain',
      ETag: '"1"',
      'Content-Disposition': 'attachment',
      Server: 'x',
      'X-Internal': 'y',
    },
    ...{ 'Set-Cookie': 'session=of-the-account', Location: `${upstream.url}/v2/schedule/2` },
  };
  upstream.answers.push((res) => res.writeHead(409, headers).end('busy'));
  const response = await as('whole', '/v2/schedule/1');
  expect([response.status, response.text]).toEqual([409, 'busy']);
  const given = ['etag', 'content-disposition', 'location', 'server', 'x-internal', 'set-cookie'];
  expect(given.map((name) => response.headers.get(name))).toEqual([
    ...['"1"', 'attachment', '/v2/schedule/2', null, null, null],
  ]);
});

test('setting pass_through: a key reaches only the entries that it lists, with its other limits', async () => {
  const call = (name: string, method = 'GET', path = '/v2/schedule/1') => as(name, path, { method });
  const rejected = [
    await proxy.call('/v2/schedule/1'),
    await call('usual'),
    await call('usual', 'POST'),
    await call('narrow'),
    await call('reads', 'POST'),
    await call('reads', 'DELETE'),
    await call('reads', 'GET', '/v2/schedule-request/1'),
    await call('reader', 'POST'),
    await call('whole', 'GET', '/v2/schedule/1?CompanyKey=C-2'),
    await call('whole', 'PUT'),
    await call('whole', 'GET', '/v2/schedule'),
  ];
  expect(rejected.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
    '401 key_missing',
    ...Array(6).fill('403 operation_forbidden'),
    ...['403 scope_missing', '403 company_forbidden', '405 method_not_allowed', '404 route_not_found'],
  ]);
  expect([rejected[1]?.body.detail, rejected[4]?.body.detail]).toEqual([
    'This key does not allow getPassThrough_schedule, which needs "schedule" in pass_through. Ask the operator for one that does.',
    'This key does not allow postPassThrough_schedule-write, which needs "schedule-write" in pass_through without read_only. Ask the operator for one that does.',
  ]);
  expect(upstream.seen).toEqual([]);
  const allowed = [
    await call('reads'),
    await call('reads', 'HEAD'),
    await call('reader'),
    await call('narrow', 'GET', '/v2/schedule-request/7'),
    await call('whole', 'DELETE', '/v2/schedule/1?companyKey=C-1'),
  ];
  expect(allowed.map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect(arrived()).toEqual([
    ...['GET /v2/schedule/1', 'HEAD /v2/schedule/1', 'GET /v2/schedule/1', 'GET /v2/schedule-request/7'],
    'DELETE /v2/schedule/1?companyKey=C-1',
  ]);
});

test('setting pass_through: OPTIONS lists in Allow the methods that the key may use', async () => {
  const allowed = async (name: string, path = '/v2/schedule/1') => {
    const { status, headers } = await as(name, path, { method: 'OPTIONS' });
    return [status, headers.get('Allow')];
  };
  expect(await allowed('whole')).toEqual([204, 'DELETE, GET, HEAD, OPTIONS, POST']);
  expect(await allowed('usual')).toEqual([204, 'OPTIONS']);
  expect(await allowed('reads')).toEqual([204, 'GET, HEAD, OPTIONS']);
  expect(await allowed('reader')).toEqual([204, 'GET, HEAD, OPTIONS']);
  expect(await allowed('narrow')).toEqual([204, 'OPTIONS']);
  expect(await allowed('narrow', '/v2/schedule-request/1')).toEqual([204, 'GET, HEAD, OPTIONS']);
});

test.each([
  ...['..', '../staffmember', '%2e%2e/staffmember', '..%2fstaffmember', 'a%2Fb', 'a%5c..', '..\\a', 'a;b', 'a%3bb'],
  ...['a//b', 'a/', '%252e%252e/login', 'a%00', '%c0%ae'],
])('setting pass_through: a path that upstreams read differently is rejected: %s', async (rest) => {
  const get = (path: string) =>
    exchangeBytes(
      proxy.url,
      `GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${keyOf('whole')}\r\nConnection: close\r\n\r\n`,
    );
  expect([400, 404]).toContain((await get(`/v2/schedule/${rest}`)).status);
  expect([400, 404]).toContain((await get(`/v2/schedule-request/${rest}`)).status);
  expect(upstream.seen).toEqual([]);
});

test('setting pass_through: a rejected token is renewed, and a streamed body is not sent twice', async () => {
  await as('renewed', '/v2/schedule/1');
  await as('whole', '/v2/schedule/1');
  upstream.seen.length = 0;
  upstream.forgetTokens();
  const short = await as('renewed', '/v2/schedule/1', { method: 'POST', body: 'short' });
  expect([short.status, upstream.seen.map(({ body }) => body)]).toEqual([200, ['short', 'short']]);
  const send = () => as('whole', '/v2/schedule/1', { method: 'POST', body: 'x'.repeat(100_000) });
  const long = await send();
  expect([long.status, long.body.code, long.headers.get('Retry-After')]).toEqual([503, 'unavailable', '1']);
  expect((await send()).status).toBe(200);
});

test('setting pass_through: reads are retried, and writes are not', async () => {
  upstream.answers.push(json(503, {}));
  expect([(await as('renewed', '/v2/schedule/1')).status, arrived().length]).toEqual([200, 2]);
  upstream.seen.length = 0;
  upstream.answers.push(json(503, {}, { 'Retry-After': '1' }));
  const write = await as('renewed', '/v2/schedule/1', { method: 'POST', body: 'x' });
  expect([write.status, write.body.code, arrived().length]).toEqual([503, 'unavailable', 1]);
});

test('setting pass_through: texts with the token of the account, faults and late responses become problems', async () => {
  const echo: Answer = (res, { headers }) => res.writeHead(400).end(`Wrong: ${headers.authorization}`);
  upstream.answers.push(echo, json(500, { secret: 'x' }), () => {});
  const responses = [
    await as('whole', '/v2/schedule/1'),
    await as('whole', '/v2/schedule/1', { method: 'POST' }),
    await as('whole', '/v2/schedule/1', { method: 'POST' }),
  ];
  expect(responses.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
    ...['502 upstream_failed', '502 upstream_failed', '504 upstream_timeout'],
  ]);
  expect(responses.map(({ text }) => text).join()).not.toMatch(/upstream-token|secret/);
});

test('setting pass_through: bodies stream both ways, and a request body has a limit', async () => {
  upstream.answers.push((res) => res.writeHead(200, { 'Content-Type': 'text/plain' }).write('first'));
  const streamed = await fetch(`${proxy.url}/v2/schedule/1`, { headers: { 'X-API-Key': keyOf('whole') } });
  const reader = streamed.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
  await reader?.cancel();
  const big = await as('whole', '/v2/schedule/1', { method: 'POST', body: 'x'.repeat(200_001) });
  expect([big.status, big.body.code]).toEqual([413, 'body_too_large']);
  const request = http.request(`${proxy.url}/v2/schedule/1`, {
    method: 'POST',
    headers: { 'X-API-Key': keyOf('whole'), 'Transfer-Encoding': 'chunked' },
  });
  request.write('x'.repeat(150_000));
  request.end('x'.repeat(150_000));
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(413);
});

test('setting pass_through: slow senders do not open the circuit of their account for others', async () => {
  const sendSlowly = async (path: string) => {
    const request = http.request(`${proxy.url}${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': keyOf('slow'), 'Transfer-Encoding': 'chunked' },
    });
    request.on('error', () => {}).write('x');
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.resume();
    request.destroy();
    return response.statusCode;
  };
  const statuses = await Promise.all([1, 2, 3, 4, 5].map((n) => sendSlowly(`/v2/schedule/${n}`)));
  expect(statuses).toEqual(Array(5).fill(504));
  expect((await as('beside', '/v2/staffmember')).status).toBe(200);
});

test('setting pass_through: appears in the document, marked as unvalidated, and in metrics by its path', async () => {
  const { body: document } = await proxy.call('/openapi.json');
  const { get, post } = document.paths['/schedule/{rest}'];
  expect(get).toMatchObject({ operationId: 'getPassThrough_schedule', 'x-unvalidated': true });
  expect(post).toMatchObject({ 'x-required-scopes': ['admin'], tags: ['Pass-through (unvalidated)'] });
  await as('whole', '/v2/schedule/deep/1');
  const metrics = (await proxy.call('/metrics')).text;
  expect(metrics).toContain(
    'http_request_duration_seconds_count{method="GET",route="/v2/schedule/{rest*}",status="200"}',
  );
  expect(metrics).not.toContain('deep');
});

test('command validate: names a path of the contract in pass_through, and an unknown name at a key', async () => {
  const cwd = await makeProxyFolder({
    keysFile: { accounts, keys: [entryOf('a', { pass_through: ['shedule'] })] },
    settings: {
      pass_through: [
        { name: 'schedule', path: '/v2/schedule/{rest*}', methods: ['GET'] },
        { name: 'people', path: '/v2/StaffMember/{rest*}', methods: ['GET'] },
      ],
    },
  });
  const { exitCode, stderr } = await runProxyCommand(['validate'], { cwd });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^staff-proxy\.json:\d+:\d+ +pass_through\[1\]\.path: It overlaps \/v2\/staffmember/m);
  const args = ['create', '--name', 'b', '--account', 'admin', '--pass-through', 'schedule'];
  const valid = await makeProxyFolder({ keysFile: { accounts }, settings: { pass_through: passThrough } });
  expect(await runProxyCommand(['keys', ...args], { cwd: valid })).toMatchObject({ exitCode: 0 });
  const { stdout } = await runProxyCommand(['keys', 'list'], { cwd: valid });
  expect(stdout).toContain('everything +schedule');
  const wrong = await runProxyCommand(['keys', ...args.with(2, 'c').with(-1, 'shedule')], { cwd: valid });
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean schedule?')]);
});
