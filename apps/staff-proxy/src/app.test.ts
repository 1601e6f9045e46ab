import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { keyDigest } from '@rostergate/access/keys';
import { operations } from '@rostergate/staff-server';
import { proxyDocument } from '@rostergate/staff-spec';
import { createUpstreamRegistry } from '@rostergate/upstream';
import { afterEach, describe, expect, test } from 'vitest';
import { json, type StandIn, startStandIn } from '../test/stand-in-upstream.ts';
import { createApp } from './app.ts';
import { readKeysFile } from './keys/keys-file.ts';
import { settingsSchema } from './settings.ts';

const adminKey = 'canary-admin-key';
const readerKey = 'canary-reader-key';
const admin = { 'X-API-Key': adminKey };
const reader = { 'X-API-Key': readerKey };
const keysText = JSON.stringify({
  accounts: {
    admin: { email: 'admin@up.test', password: 'canary-admin-password', company_key: 'C-1', admin: true },
    reader: { email: 'reader@up.test', password: 'canary-reader-password', company_key: 'C-1' },
    stale: { email: 'stale@up.test', password: 'canary-wrong-password', company_key: 'C-1' },
  },
  keys: [
    { name: 'ops', owner: 'team', sha256: keyDigest(adminKey), account: 'admin' },
    { name: 'desk', owner: 'desk', sha256: keyDigest(readerKey), account: 'reader' },
    { name: 'stale', owner: 'stale', sha256: keyDigest('canary-stale-key'), account: 'stale' },
  ],
});

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function start(more: Record<string, unknown> = {}) {
  const upstream = await startStandIn({
    'admin@up.test': 'canary-admin-password',
    'reader@up.test': 'canary-reader-password',
  });
  stops.push(upstream.stop);
  const settings = settingsSchema.parse({
    upstream_url: upstream.url,
    keys_file: 'keys.json',
    log_level: 'trace',
    ...more,
  });
  const lines = new PassThrough();
  let log = '';
  lines.setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  const clock = () => performance.timeOrigin + performance.now();
  const upstreams = createUpstreamRegistry({
    clock,
    random: Math.random,
    wait: (ms, signal) => wait(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }),
  });
  stops.push(upstreams.destroy);
  const { server, beginDrain } = createApp(
    {
      settings,
      keysFile: await readKeysFile(keysText, 'keys.json', {
        env: {},
        readText: async () => undefined,
        upstreamForm: 'contract',
        plans: undefined,
      }),
      tls: undefined,
    },
    { document: proxyDocument, version: '0.0.0', clock, randomBytes, logDestination: lines, upstreams },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = (path: string, init: RequestInit = {}) => fetch(base + path, init);
  return { upstream, call, beginDrain, logText: () => log };
}

const write = (headers: Record<string, string>, method: string, body: unknown): RequestInit => ({
  method,
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

/** A valid request of each forwarded operation. */
const requests: Record<string, { readonly path: string; readonly body?: unknown }> = {
  listStaffMembers: { path: '/v2/staffmember?companyKey=C-1' },
  createStaffMember: { path: '/v2/staffmember', body: { StaffId: 'S-1' } },
  getStaffMember: { path: '/v2/staffmember/S-1' },
  updateStaffMember: { path: '/v2/staffmember/S-1', body: { FirstName: 'Ö' } },
  listStaffLocations: { path: '/v2/staffmember/S-1/location' },
  addStaffLocationTag: { path: '/v2/staffmember/S-1/location/L-1/tag', body: { TagKey: 1 } },
  addStaffTag: { path: '/v2/staffmember/S-1/tag', body: { TagKey: 1 } },
  setStaffSkillset: { path: '/v2/staffmember/S-1/skillset/T-1', body: { IsSkilledMon: true } },
  removeStaffSkillset: { path: '/v2/staffmember/S-1/skillset/T-1' },
  listStaffProfiles: { path: '/v2/staffmember/S-1/profile' },
  setStaffProfile: { path: '/v2/staffmember/S-1/profile/P-1', body: { IsViewable: true } },
  listPayModifiers: { path: '/v2/staffmember/S-1/payModifier' },
  createPayModifier: { path: '/v2/staffmember/S-1/payModifier', body: { StartDate: '2024-01-01T00:00:00' } },
  updatePayModifier: { path: '/v2/staffmember/S-1/payModifier/M-1', body: { StartDate: '2024-01-01T00:00:00' } },
  deletePayModifier: { path: '/v2/staffmember/S-1/payModifier/M-1' },
  listBadgeIds: { path: '/v2/staffmember/S-1/badgeId' },
  listRequestLimits: { path: '/v2/staffmember/S-1/requestlimit' },
  setStaffManager: { path: '/v2/staffmember/S-1/manager', body: { IsClearManagerId: true } },
};

describe('forwarding', () => {
  test('covers every operation on people', () => {
    const onPeople = Object.values(operations).filter(({ path }) => path.startsWith('/staffmember'));
    expect(Object.keys(requests).sort()).toEqual(onPeople.map(({ operationId }) => operationId).sort());
  });

  test.each(Object.entries(requests))('forwards %s and its response unchanged', async (id, { path, body }) => {
    const { upstream, call } = await start();
    upstream.answers.push(json(200, { Fte: 1.5 }));
    const method = operations[id as keyof typeof operations].method.toUpperCase();
    const answer = await call(path, body === undefined ? { method, headers: admin } : write(admin, method, body));
    expect([answer.status, await answer.json()]).toEqual([200, { Fte: 1.5 }]);
    expect(upstream.seen).toMatchObject([{ method, url: path, body: body === undefined ? '' : JSON.stringify(body) }]);
  });

  test('forwards the query byte for byte', async () => {
    const { upstream, call } = await start();
    const query = '%24filter=LastName+eq+%27O%27%27Neil%27&companyKey=C%2D1&$expand=Tags';
    expect((await call(`/v2/staffmember?${query}`, { headers: reader })).status).toBe(200);
    expect(upstream.seen[0]?.url).toBe(`/v2/staffmember?${query}`);
  });

  test('explains a parameter whose name the shell has removed', async () => {
    const { call, upstream } = await start();
    const response = await call('/v2/staffmember?companyKey=C-1&=2', { headers: admin });
    expect(response.status).toBe(400);
    const detail = expect.stringMatching(/^has no name\. .* as in '\$top=2'\.$/);
    expect(await response.json()).toMatchObject({ errors: [{ parameter: '', detail }] });
    expect(upstream.seen).toEqual([]);
  });

  test('adds the company of the key', async () => {
    const { upstream, call } = await start();
    expect((await call('/v2/staffmember?$top=1', { headers: reader })).status).toBe(200);
    expect(upstream.seen[0]?.url).toBe('/v2/staffmember?$top=1&companyKey=C-1');
  });

  test('returns a Location at the proxy', async () => {
    const { upstream, call } = await start();
    upstream.answers.push(json(201, { StaffKey: 'S-9' }, { Location: `${upstream.url}/v2/staffmember/S-9` }));
    const answer = await call('/v2/staffmember', write(admin, 'POST', { StaffId: 'S-9' }));
    expect([answer.status, answer.headers.get('location')]).toEqual([201, '/v2/staffmember/S-9']);
  });

  test('streams a long response completely', async () => {
    const { upstream, call } = await start();
    const people = Array.from({ length: 20_000 }, (_, i) => ({ StaffKey: `S-${i}` }));
    upstream.answers.push(json(200, people));
    expect(await (await call('/v2/staffmember', { headers: reader })).json()).toEqual(people);
  });

  test('forwards only the headers of the contract', async () => {
    const { upstream, call } = await start();
    const conditions = { 'If-Match': 'W/"7"', 'If-None-Match': '"7"', Prefer: 'maxpagesize=5', 'X-Mine': '1' };
    const headers = { ...admin, ...conditions, 'Accept-Encoding': 'identity' };
    await call('/v2/staffmember/S-1', write(headers, 'PUT', { City: 'Bern' }));
    upstream.answers.push((res) => res.writeHead(304, { ETag: '"7"' }).end());
    const known = await call('/v2/staffmember/S-1', { headers });
    upstream.answers.push(json(200, [], { 'Preference-Applied': 'maxpagesize=5' }));
    const page = await call('/v2/staffmember', { headers });
    const names = ['if-match', 'if-none-match', 'prefer', 'x-mine'];
    const sent = upstream.seen.map((request) => names.filter((name) => request.headers[name] !== undefined));
    expect(sent).toEqual([['if-match'], ['if-none-match'], ['if-none-match', 'prefer']]);
    expect(upstream.seen[0]?.headers['if-match']).toBe('"7"');
    expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, '"7"', '']);
    expect(page.headers.get('preference-applied')).toBe('maxpagesize=5');
  });

  test.each([
    ['W/"6"', '"6"'],
    ['"6W/"', '"6W/"'],
    ['"6W/", W/"7"', '"6W/", "7"'],
    ['*', '*'],
  ])('sends If-Match: %s as %s', async (sent, received) => {
    const { upstream, call } = await start();
    await call('/v2/staffmember/S-1', write({ ...admin, 'If-Match': sent }, 'PUT', { City: 'Bern' }));
    expect(upstream.seen[0]?.headers['if-match']).toBe(received);
  });

  test('relays a version conflict', async () => {
    const { upstream, call } = await start();
    const detail = 'The person has changed since you read it.';
    upstream.answers.push(json(412, { code: 'precondition_failed', detail }));
    const answer = await call('/v2/staffmember/S-1', write({ ...admin, 'If-Match': '"7"' }, 'PUT', { City: 'Bern' }));
    expect([answer.status, await answer.json()]).toMatchObject([412, { code: 'precondition_failed', detail }]);
  });

  test('frees the slot after HEAD, and after its caller disconnects', async () => {
    const { upstream, call } = await start({ upstream_concurrency_max: 1, upstream_queue_max: 0 });
    upstream.otherwise = json(200, ['x'.repeat(2_000_000)]);
    for (let i = 0; i < 5; i++) {
      expect((await call(`/v2/staffmember?$top=${i}`, { method: 'HEAD', headers: reader })).status).toBe(200);
      const answer = await call(`/v2/staffmember?$top=${i}`, { headers: reader });
      await answer.body?.cancel();
      while (upstream.pending > 0) await wait(1);
    }
    const metrics = async () => (await call('/metrics', { headers: { Accept: 'text/plain' } })).text();
    for (const figure of ['working', 'streaming', 'queued']) {
      // A disconnect shows when a write fails.
      await expect.poll(metrics).toContain(`upstream_account_${figure}{account="reader"} 0`);
    }
  });

  test('answers HEAD like GET, without a body', async () => {
    const { call } = await start();
    const answer = await call('/v2/staffmember/S-1', { method: 'HEAD', headers: reader });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  test('relays a rejection as its own problem', async () => {
    const { upstream, call } = await start();
    const errors = [{ pointer: '/StaffId', detail: 'is taken' }];
    upstream.answers.push(
      json(409, {
        code: 'conflict',
        detail: 'Choose another StaffId.',
        errors,
        request_id: 'theirs',
        instance: '/theirs',
      }),
    );
    const answer = await call(
      '/v2/staffmember',
      write({ ...admin, 'X-Request-Id': 'mine-1', Via: '1.0 edge' }, 'POST', { StaffId: 'S-1' }),
    );
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({
      status: 409,
      code: 'conflict',
      kind: 'ConflictError',
      detail: 'Choose another StaffId.',
      errors,
      request_id: 'mine-1',
      instance: '/v2/staffmember',
    });
    expect(upstream.seen[0]?.headers).toMatchObject({ 'x-request-id': 'mine-1', via: '1.0 edge, 1.1 rostergate' });
  });
});

describe('a key without the scope admin', () => {
  const entry = [{ CategoryKey: 3, CategoryName: 'canary-category', Tags: [{ Key: 31, Name: 'canary-tag' }] }];
  const person = {
    StaffKey: 'S-1',
    Tags: entry,
    TTCMTags: entry,
    Skillset: [{ TaskName: 'canary-skill' }],
    Profiles: [{ Name: 'canary-profile' }],
    AvailableProfiles: [{ Name: 'canary-profile' }],
    BadgeIds: null,
  };
  const emptied = { Tags: [], TTCMTags: [], Skillset: [], Profiles: [], AvailableProfiles: [] };
  const modifier = { PositionId: 'P', LocationTagKey: 31, TaskTagKey: 32, PayModifierTagKeys: [{ TagName: 'canary' }] };
  const answers: [string, string, unknown, unknown][] = [
    ['a list', '/v2/staffmember?$expand=Tags', [person], [{ ...person, ...emptied }]],
    ['an envelope', '/v2/staffmember?$count=true', { value: [person] }, { value: [{ ...person, ...emptied }] }],
    ['a person', '/v2/staffmember/S-1?includes=Tags', person, { ...person, ...emptied }],
    [
      'locations',
      '/v2/staffmember/S-1/location',
      [{ Staff: { Tags: entry }, Tags: entry }],
      [{ Staff: { Tags: [] }, Tags: [] }],
    ],
    ['profiles', '/v2/staffmember/S-1/profile', [{ Name: 'canary-profile' }], []],
    [
      'pay modifiers',
      '/v2/staffmember/S-1/payModifier',
      [modifier],
      [{ PositionId: 'P', LocationTagKey: null, TaskTagKey: null, PayModifierTagKeys: [] }],
    ],
  ];

  test.each(answers)('gets %s without tags, skills and profiles', async (_case, path, sent, expected) => {
    const { upstream, call, logText } = await start({ cache_seconds_max: 60, validate_sample_every: 1 });
    for (const headers of [reader, admin, reader]) {
      upstream.answers.push(json(200, sent, { ETag: '"of-all"' }));
      const answer = await call(path, { headers });
      expect([answer.status, await answer.json()]).toEqual([200, headers === admin ? sent : expected]);
      expect(answer.headers.get('etag')).toMatch(headers === admin ? /^"of-all"$/ : /^W\/"read-/);
    }
    expect(logText()).not.toContain('canary-');
  });

  test.each([
    "$filter=Tags/any(t:t/CategoryName eq 'x')",
    '$orderby=Skillset/$count',
    '$search=canary',
    '$expand=Tags($filter=CategoryKey gt 1)',
    '$expand=Tags/$count',
  ])('is rejected with %s', async (query) => {
    const { upstream, call } = await start();
    const answer = await call(`/v2/staffmember?${query}`, { headers: reader });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'scope_missing']);
    expect(upstream.seen).toEqual([]);
    expect((await call(`/v2/staffmember?${query}`, { headers: admin })).status).toBe(200);
  });

  test('gets 304 by a tag of what it can see', async () => {
    const { upstream, call } = await start();
    const path = '/v2/staffmember/S-1?includes=Tags';
    const respondWith = (Tags: unknown) => {
      const body = { StaffKey: 'S-1', Tags };
      const headers = { ETag: '"1"', 'Content-Length': JSON.stringify(body).length };
      upstream.answers.push(json(200, body, headers));
    };
    respondWith(entry);
    const first = await call(path, { headers: reader });
    const condition = { ...reader, 'If-None-Match': String(first.headers.get('etag')) };
    respondWith([]);
    expect((await call(path, { headers: condition })).status).toBe(304);
    expect(upstream.seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
    respondWith(entry);
    expect((await call(path, { headers: { ...reader, 'If-None-Match': '"1"' } })).status).toBe(200);
  });
});

describe('a request that never reaches the upstream', () => {
  const cases: [string, number, string, string, RequestInit][] = [
    ['without a key', 401, 'key_missing', '/v2/staffmember', {}],
    ['with a wrong key', 401, 'key_invalid', '/v2/staffmember', { headers: { 'X-API-Key': 'guess' } }],
    [
      'with two keys',
      401,
      'key_repeated',
      '/v2/staffmember',
      { headers: { ...reader, Authorization: `Bearer ${readerKey}` } },
    ],
    [
      'with the upstream’s own token',
      401,
      'key_invalid',
      '/v2/staffmember',
      { headers: { Authorization: 'Bearer upstream-token-1' } },
    ],
    ['for another company', 403, 'company_forbidden', '/v2/staffmember?companyKey=C-2', { headers: admin }],
    ['to an unknown route', 404, 'route_not_found', '/v2/task', { headers: admin }],
    ['to read tags', 405, 'method_not_allowed', '/v2/staffmember/S-1/tag', { headers: admin }],
    ['to read the skillset', 405, 'method_not_allowed', '/v2/staffmember/S-1/skillset', { headers: admin }],
    ['with an undeclared parameter', 400, 'validation_failed', '/v2/staffmember?colour=red', { headers: admin }],
    [
      'with an undeclared companyKey',
      400,
      'validation_failed',
      '/v2/staffmember/S-1?companyKey=C-1',
      { headers: admin },
    ],
    ['with an invalid body', 400, 'validation_failed', '/v2/staffmember', write(admin, 'POST', { Colour: 1 })],
    [
      'with a body of another media type',
      415,
      'media_type_unsupported',
      '/v2/staffmember',
      { ...write(admin, 'POST', {}), headers: { ...admin, 'Content-Type': 'text/plain' } },
    ],
    [
      'with too long a body',
      413,
      'body_too_large',
      '/v2/staffmember',
      write(admin, 'POST', { StaffId: 'x'.repeat(2_000) }),
    ],
  ];
  test.each(cases)('%s is rejected with %i', async (_case, status, code, path, init) => {
    const { upstream, call } = await start({ body_bytes_max: 1_000 });
    const answer = await call(path, init);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    expect(await answer.json()).toMatchObject({ code, request_id: answer.headers.get('x-request-id') });
    expect([upstream.seen, upstream.logins]).toEqual([[], []]);
  });

  test.each(Object.entries(requests).filter(([id]) => 'requiredScopes' in operations[id as keyof typeof operations]))(
    '%s without its scope is rejected with 403',
    async (id, { path, body }) => {
      const { upstream, call } = await start();
      const method = operations[id as keyof typeof operations].method.toUpperCase();
      const answer = await call(path, body === undefined ? { method, headers: reader } : write(reader, method, body));
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'scope_missing']);
      expect(upstream.seen).toEqual([]);
    },
  );
});

describe('the login', () => {
  const form = (email: string, password: string): RequestInit => ({
    method: 'POST',
    body: new URLSearchParams({ email, password }),
  });

  test.each([
    ['a form', form('ops', adminKey)],
    ['JSON', write({}, 'POST', { email: 'ops', password: adminKey })],
  ])('takes %s and returns a token that works like the key', async (_case, init) => {
    const { upstream, call } = await start();
    const answer = await call('/v2/login', init);
    const body = (await answer.json()) as { access_token: string };
    expect([answer.status, body]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'bearer', expires_in: '3600' },
    ]);
    expect(upstream.logins).toEqual([]);
    const headers = { Authorization: `bearer ${body.access_token}` };
    expect((await call('/v2/staffmember/S-1/manager', write(headers, 'POST', { ManagerId: 'M' }))).status).toBe(200);
  });

  test('rejects a wrong key in the form that existing clients read', async () => {
    const { call } = await start();
    const answer = await call('/v2/login', form('ops', 'guess'));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/problem+json']);
    expect(await answer.json()).toMatchObject({
      code: 'login_failed',
      error: 'access_denied',
      error_description: 'Invalid email or password',
    });
  });

  test('reads at most 16 KiB', async () => {
    const { call } = await start();
    const ofBytes = (bytes: number) => form('ops', 'x'.repeat(bytes - 'email=ops&password='.length));
    const statuses = [16_384, 16_385].map(async (bytes) => (await call('/v2/login', ofBytes(bytes))).status);
    expect(await Promise.all(statuses)).toEqual([400, 413]);
  });

  test('counts guesses against the address', async () => {
    const { call } = await start({ rate_limit_per_minute: 2 });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await call('/v2/login', form('ops', `guess-${i}`))).status);
    expect(statuses).toEqual([401, 401, 429]);
  });
});

describe('the limits', () => {
  test('count per owner over all routes, and report exact values', async () => {
    const { call } = await start({ rate_limit_per_minute_authenticated: 2 });
    const first = await call('/v2/staffmember', { headers: reader });
    expect(first.headers.get('ratelimit-policy')).toBe('"staff-proxy";q=2;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"staff-proxy";r=1;t=\d+$/);
    await call('/v2/staffmember/S-1', { headers: reader });
    const third = await call('/v2/nowhere', { headers: reader });
    expect([third.status, third.headers.has('retry-after')]).toEqual([429, true]);
    expect((await call('/openapi.json', { headers: reader })).headers.get('ratelimit')).toMatch(/^"auxiliary";r=599;/);
    expect((await call('/v2/staffmember', { headers: admin })).status).toBe(200);
    expect((await call('/health/live', { headers: reader })).status).toBe(200);
  });

  test('count a wrong key against the address', async () => {
    const { call } = await start({ rate_limit_per_minute: 2 });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++)
      statuses.push((await call('/v2/staffmember', { headers: { 'X-API-Key': `guess-${i}` } })).status);
    expect(statuses).toEqual([401, 401, 429]);
  });
});

describe('the session of an account', () => {
  test('logs in once for concurrent requests', async () => {
    const { upstream, call } = await start();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => call('/v2/staffmember/S-1', { headers: reader })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(upstream.logins).toHaveLength(1);
    await call('/v2/staffmember/S-1', { headers: admin });
    expect(upstream.logins.map(({ body }) => new URLSearchParams(body).get('email'))).toEqual([
      'reader@up.test',
      'admin@up.test',
    ]);
  });

  test('logs in again when the upstream has lost it, and resends the request', async () => {
    const { upstream, call } = await start();
    await call('/v2/staffmember/S-1', { headers: admin });
    upstream.forgetTokens();
    const answers = await Promise.all([
      call('/v2/staffmember', write(admin, 'POST', { StaffId: 'S-1' })),
      call('/v2/staffmember/S-1', { headers: admin }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(upstream.logins).toHaveLength(2);
  });

  test('fails with 502 when fresh tokens are rejected too', async () => {
    const { upstream, call } = await start();
    const unauthorized = json(401, { code: 'token_expired', detail: 'secret' });
    upstream.answers.push(unauthorized, unauthorized);
    const answer = await call('/v2/staffmember/S-1', { headers: admin });
    expect(await answer.json()).toMatchObject({
      status: 502,
      code: 'upstream_failed',
      detail: expect.stringContaining('401'),
    });
    expect([upstream.seen.length, upstream.logins.length]).toEqual([2, 2]);
  });

  test('fails with 502 when the account is rejected, without a login for each request', async () => {
    const { upstream, call } = await start();
    const headers = { 'X-API-Key': 'canary-stale-key' };
    const answers = [await call('/v2/staffmember', { headers }), await call('/v2/staffmember', { headers })];
    expect(answers.map(({ status }) => status)).toEqual([502, 502]);
    expect(upstream.logins).toHaveLength(1);
  });
});

describe('a fault of the upstream', () => {
  const faults: [string, number, StandIn['answers'][number]][] = [
    ['a 500 with internal details', 502, json(500, { stack: 'secret' })],
    ['a 503', 502, json(503, { detail: 'secret' })],
    ['HTML', 502, (res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>secret</h1>')],
    [
      'garbage labelled as JSON',
      502,
      (res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end('secret'),
    ],
    ['a redirect to elsewhere', 502, (res) => res.writeHead(302, { Location: 'http://169.254.169.254/secret' }).end()],
    ['bytes that are not HTTP', 502, (res) => res.socket?.end('secret\r\n\r\n')],
    ['a connection that is reset', 502, (res) => res.socket?.resetAndDestroy()],
    [
      'an answer that breaks off',
      502,
      (res) => {
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
        res.write('{"secret":');
        setImmediate(() => res.socket?.resetAndDestroy());
      },
    ],
    ['silence', 504, () => {}],
    [
      'headers and then nothing',
      504,
      (res) => {
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).flushHeaders();
      },
    ],
  ];
  test.each(faults)('that is %s becomes a %i without internal details', async (_case, status, fault) => {
    const short = { upstream_timeout_ms: 3_000, upstream_body_timeout_ms: 3_000 };
    const { upstream, call } = await start(status === 504 ? short : {});
    await call('/v2/staffmember/S-1', { headers: admin });
    upstream.answers.push(fault);
    const answer = await call('/v2/staffmember', write(admin, 'POST', { StaffId: 'S-1' }));
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    expect(text).not.toContain('secret');
    // A write is sent once: whether it took effect is unknown.
    expect(upstream.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
    await expect.poll(async () => (await call('/v2/staffmember/S-1', { headers: admin })).status).toBe(200);
  });

  test('never makes an incomplete response look complete', async () => {
    const { upstream, call } = await start();
    const { promise: begun, resolve: begin } = Promise.withResolvers<ServerResponse>();
    upstream.answers.push((res) => {
      res.writeHead(200, { 'Content-Type': 'application/json' });
      res.write(`["${'x'.repeat(200_000)}`);
      begin(res);
    });
    const answer = await call('/v2/staffmember', { headers: admin });
    expect(answer.status).toBe(200);
    (await begun).socket?.resetAndDestroy();
    await expect(answer.text()).rejects.toThrow();
  });

  test('that makes it unreachable becomes a 502 and shows only in readiness', async () => {
    const { upstream, call } = await start();
    await upstream.stop();
    expect((await call('/v2/staffmember', { headers: admin })).status).toBe(502);
    const ready = await call('/health/ready');
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { dependencies: { upstream: { status: 'unavailable' } } },
    ]);
    expect((await call('/health/live')).status).toBe(200);
    expect((await call('/health')).status).toBe(200);
  });

  test('leaves no request running for a disconnected caller', async () => {
    const { upstream, call } = await start();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    upstream.answers.push((res) => {
      res.on('close', resolve);
      arrive();
    });
    const abort = new AbortController();
    const answer = call('/v2/staffmember', { headers: admin, signal: abort.signal });
    await arrived;
    abort.abort();
    await expect(answer).rejects.toThrow();
    await ended;
    expect((await call('/v2/staffmember', { headers: admin })).status).toBe(200);
  });
});

describe('the proxy itself', () => {
  test('serves its contract: with keys, and the company optional', async () => {
    const { call } = await start();
    const document = (await (await call('/openapi.json')).json()) as typeof proxyDocument;
    expect(document.components?.securitySchemes).toMatchObject({
      proxyKeyHeader: { type: 'apiKey', name: 'X-API-Key' },
      proxyBearer: { type: 'http', scheme: 'bearer' },
    });
    expect(document.paths['/staffmember']?.get?.security).toEqual([{ proxyKeyHeader: [] }, { proxyBearer: [] }]);
    expect(document.components?.parameters?.CompanyKey).toMatchObject({ required: false });
  });

  test.each(['/docs', '/redoc', '/metrics', '/health', '/health/live', '/health/ready'])(
    'serves %s at its root',
    async (path) => {
      const { call } = await start();
      await expect.poll(async () => (await call(path)).status).toBe(200);
    },
  );

  test('is not ready while it drains', async () => {
    const { call, beginDrain } = await start();
    beginDrain();
    expect((await call('/health/ready')).status).toBe(503);
    expect((await call('/health/live')).status).toBe(200);
  });

  test('reveals no key, password or token', async () => {
    const { upstream, call, logText } = await start();
    await call('/v2/staffmember', {
      headers: { ...admin, Cookie: 'canary-cookie', 'X-Forwarded-For': 'canary-address' },
    });
    await call('/v2/staffmember', { headers: { 'X-API-Key': 'canary-stale-key' } });
    await call(`/v2/staffmember?canary=${adminKey}`, { headers: { Authorization: `Bearer ${readerKey}` } });
    const login = await call('/v2/login', {
      method: 'POST',
      body: new URLSearchParams({ email: 'ops', password: 'canary-guess' }),
    });
    upstream.answers.push((res) => res.socket?.resetAndDestroy());
    await call('/v2/staffmember', { headers: admin });
    const metrics = await (await call('/metrics', { headers: { Accept: 'text/plain' } })).text();
    expect(await login.text()).not.toContain('canary');
    expect(logText()).toContain('"route":"/v2/staffmember"');
    expect(logText()).not.toMatch(/canary|upstream-token/);
    expect(metrics).not.toMatch(/canary|upstream-token/);
    expect(JSON.stringify(upstream.seen)).not.toContain('canary');
  });
});
