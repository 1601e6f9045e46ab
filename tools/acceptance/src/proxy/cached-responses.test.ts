import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createEndings } from '../at-end.ts';
import type { CallOptions } from '../call.ts';
import { type ProxyProcess, startProxy } from '../proxy-process.ts';
import { shareProxy } from '../shared-proxy.ts';
import {
  callAs,
  companyKey,
  createPerson,
  credentialOf,
  otherCompanyKey,
  pathOf,
  type Role,
} from '../staff/callers.ts';
import { findKnownPerson, unchangedPeople } from '../staff/known-keys.ts';
import { createRequests, type StaffRequest } from '../staff/requests.ts';
import { whenTestEnds } from '../when-test-ends.ts';
import { type CountingRelay, startCountingRelay } from './counting-relay.ts';

const { env, urls } = inject('servers');
const list = `/v2/staffmember?companyKey=${companyKey}&$top=2`;

const keysFile = JSON.parse(readFileSync(env.ROSTERGATE_PROXY_KEYS_FILE ?? '', 'utf8'));
const proxies = shareProxy({ keysFile });
const startOwn: typeof proxies.serve = (settings) => startProxy({ keysFile, settings });

/** Serves a caching proxy with an empty cache in front of the shared scheduling server. */
async function start(settings: Readonly<Record<string, unknown>> = {}, atEnd = whenTestEnds, serve = proxies.serve) {
  const relay: CountingRelay = await startCountingRelay(urls.scheduling, atEnd);
  const proxy = await serve({ upstream_url: relay.url, cache_seconds_max: 3_600, ...settings });
  const as = async (role: Role, path: string, options: CallOptions = {}) =>
    proxy.call(path, {
      ...options,
      headers: { 'Accept-Encoding': 'identity', ...(await credentialOf('staff-proxy', role)), ...options.headers },
    });
  const readIf = (path: string, tag: string | null) => as('admin', path, { headers: { 'If-None-Match': String(tag) } });
  return { relay, proxy, as, readIf };
}

async function countOf(proxy: ProxyProcess, outcome: string): Promise<number> {
  const { text } = await proxy.call('/metrics', { headers: { Accept: 'text/plain' } });
  return Number(new RegExp(`^upstream_reads_total\\{outcome="${outcome}"[^}]*\\} (\\d+)$`, 'm').exec(text)?.[1]);
}

test('listStaffMembers 200: a cached response is reused with its age and a tag, and the upstream receives one request', async () => {
  const { relay, proxy, as } = await start();
  const counts = async () => [await countOf(proxy, 'sent'), await countOf(proxy, 'kept')] as const;
  const [sent, kept] = await counts();
  const first = await as('admin', list);
  expect(first.headers.get('Age')).toBeNull();
  for (let i = 0; i < 20; i++) {
    const again = await as('admin', list);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('ETag')).toBe(first.headers.get('ETag'));
    expect(again.headers.get('Age')).toMatch(/^\d+$/);
    expect(again.headers.get('Cache-Control')).toBe('private, no-cache');
  }
  expect(relay.seen).toEqual([`GET ${list}`]);
  expect(await counts()).toEqual([sent + 1, kept + 20]);
});

test('listStaffMembers 304: is returned for a matching tag, by weak comparison, until a change', async () => {
  const { relay, as, readIf } = await start();
  const tag = (await as('admin', list)).headers.get('ETag');
  expect(tag).toMatch(/^W\/"/);
  for (const named of [tag, `"other", ${tag}`, tag?.slice(2) as string, '*']) {
    const { status, text, headers } = await readIf(list, named);
    expect([status, text, headers.get('ETag')], String(named)).toEqual([304, '', tag]);
  }
  expect((await readIf(list, '"other"')).status).toBe(200);
  expect(relay.seen).toHaveLength(1);
});

test('getStaffMember 304: the tag is that of the upstream and valid in If-Match', async () => {
  const person = await createPerson('scheduling');
  const { relay, as, readIf } = await start();
  const tag = (await as('admin', pathOf(person))).headers.get('ETag');
  expect(tag).toMatch(/^"[^"]+"$/);
  // At first only the upstream knows whether the tag belongs to this response.
  for (let i = 0; i < 5; i++) expect((await readIf(pathOf(person), tag)).status).toBe(304);
  expect(relay.seen).toHaveLength(2);
  const change = { method: 'PUT', json: { City: 'Oslo' }, headers: { 'If-Match': String(tag) } };
  const changed = await as('admin', pathOf(person), change);
  expect(changed.status).toBe(200);
  expect((await as('admin', pathOf(person), change)).status).toBe(412);
  const response = await readIf(pathOf(person), tag);
  expect([response.status, response.body.City]).toEqual([200, 'Oslo']);
  expect(response.headers.get('ETag')).toBe(changed.headers.get('ETag'));
});

test('getStaffMember 200: a tag of a response without includes never matches one with includes', async () => {
  const { person } = await findKnownPerson('scheduling', 'admin', 195);
  const { as, readIf } = await start();
  for (const query of ['?$expand=Tags', '?includes=AvailableProfiles']) {
    const first = await as('admin', pathOf(person, query));
    for (let i = 0; i < 3; i++) {
      const { status, text } = await readIf(pathOf(person, query), first.headers.get('ETag'));
      expect([status, text], query).toEqual([200, first.text]);
    }
  }
});

test('listStaffMembers 200: a response for an admin is never returned to others, nor that of one company to another', async () => {
  const { as } = await start();
  const expanded = `/v2/staffmember?$expand=Tags,Skillset&$top=50`;
  const seen = async (role: Role) => {
    const { text, body } = await as(role, expanded);
    return { text, tags: body.flatMap(({ Tags }: { Tags: unknown[] }) => Tags).length, body };
  };
  const first = { admin: await seen('admin'), reader: await seen('reader'), otherCompany: await seen('otherCompany') };
  expect([first.admin.tags > 0, first.reader.tags]).toEqual([true, 0]);
  expect(new Set(first.otherCompany.body.map(({ CompKey }: { CompKey: string }) => CompKey))).toEqual(
    new Set([otherCompanyKey]),
  );
  for (const role of ['reader', 'otherCompany', 'admin'] as const)
    expect((await seen(role)).text).toBe(first[role].text);
});

test('listStaffMembers 200: another form, preference, query or list of includes is another response', async () => {
  const { relay, as } = await start();
  const envelope = { headers: { Accept: 'application/json;odata.metadata=minimal' } };
  const texts = async () => [
    (await as('admin', list)).text,
    (await as('admin', `${list}&includes=Tags`)).text,
    (await as('admin', `${list}&$select=StaffKey`)).text,
    (await as('admin', list, envelope)).text,
    (await as('admin', list, { headers: { ...envelope.headers, Prefer: 'maxpagesize=1' } })).text,
  ];
  const first = await texts();
  expect(new Set(first).size).toBe(5);
  expect(await texts()).toEqual(first);
  expect(relay.seen).toHaveLength(5);
});

describe('each write through the proxy', () => {
  const { atEnd, end } = createEndings();
  let shared: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    shared = await start({}, atEnd);
  });
  afterAll(end);

  const writes = createRequests('S').filter(({ isWrite }) => isWrite);
  test.each(writes)('$operationId 200: later reads show it', async ({ operationId }) => {
    const index = writes.findIndex((each) => each.operationId === operationId);
    const { keys, person } = await findKnownPerson('scheduling', 'admin', 150 + index);
    const { relay, as } = shared;
    const request = createRequests(keys).find((each) => each.operationId === operationId) as StaffRequest;
    const { method, path } = request;
    const json =
      operationId === 'createStaffMember'
        ? { StaffId: person.StaffId, UpdateIfExisting: true, City: 'Ås' }
        : request.json;
    const reads = [pathOf(person, '?includes=Tags,Skillset,Profiles'), pathOf(person, '/payModifier'), list];
    const readAll = async () => Promise.all(reads.map(async (read) => (await as('reader', read)).headers.get('Age')));
    await readAll();
    expect(await readAll()).not.toContain(null);
    const { status } = await as('admin', path, { method, json });
    expect([200, 201]).toContain(status);
    const before = relay.seen.length;
    // Another key of the same company reads.
    expect(await readAll()).toEqual([null, null, null]);
    expect(relay.seen).toHaveLength(before + 3);
    expect(await readAll()).not.toContain(null);
  });
});

test('updateStaffMember 502: a write without a response removes cached responses and pauses caching', async () => {
  const person = await createPerson('scheduling');
  // A process of its own, because the pause outlasts the test.
  const { relay, as } = await start({ upstream_retries: 0 }, whenTestEnds, startOwn);
  await as('reader', pathOf(person));
  relay.isLost = (seen) => seen.startsWith('PUT');
  const { status } = await as('admin', pathOf(person), { method: 'PUT', json: { City: 'Oslo' } });
  expect(status).toBe(502);
  for (let i = 0; i < 3; i++) {
    const { body, headers } = await as('reader', pathOf(person));
    expect([body.City, headers.get('Age')]).toEqual(['Oslo', null]);
  }
});

test('getStaffMember 200: a read in progress during a write is not returned to later requests', async () => {
  const person = await createPerson('scheduling');
  const { relay, as } = await start();
  await as('reader', `${pathOf(person)}?$select=StaffKey`);
  const release: (() => void)[] = [];
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  relay.beforeSending = async (seen) => {
    if (!seen.startsWith('GET')) return;
    relay.beforeSending = () => {};
    arrive();
    await new Promise<void>((resolve) => release.push(resolve));
  };
  const during = as('reader', pathOf(person));
  await arrived;
  await as('admin', pathOf(person), { method: 'PUT', json: { City: 'Oslo' } });
  const after = await as('reader', pathOf(person));
  expect([after.body.City, after.headers.get('Age')]).toEqual(['Oslo', null]);
  for (const go of release) go();
  await during;
  const again = await as('reader', pathOf(person));
  expect([again.text, again.headers.get('Age')]).toEqual([after.text, expect.stringMatching(/^\d+$/)]);
  expect(relay.seen).toHaveLength(4);
});

test('updateStaffMember 200: a write in another company keeps cached responses', async () => {
  const { relay, as } = await start();
  await as('reader', list);
  // A new person, because another file compares those of the demo.
  const json = { StaffId: `other-${randomUUID()}` };
  const { body: person } = await callAs('scheduling', 'otherCompany', '/v2/staffmember', { method: 'POST', json });
  const { status } = await as('otherCompany', pathOf(person), { method: 'PUT', json: { Pager: '1' } });
  expect(status).toBe(200);
  expect((await as('reader', list)).headers.get('Age')).not.toBeNull();
  expect(relay.seen.filter((seen) => seen.includes(companyKey))).toHaveLength(1);
});

test('getStaffMember 200: a request for a fresh response gets one, which is cached', async () => {
  const person = await createPerson('scheduling');
  const { relay, as } = await start();
  await as('reader', pathOf(person));
  // A change that bypasses the proxy.
  await callAs('scheduling', 'admin', pathOf(person), { method: 'PUT', json: { City: 'Oslo' } });
  expect((await as('reader', pathOf(person))).body.City).not.toBe('Oslo');
  for (const wish of ['no-cache', 'max-age=0', 'No-Store']) {
    const { body, headers } = await as('reader', pathOf(person), { headers: { 'Cache-Control': wish } });
    expect([body.City, headers.get('Age')], wish).toEqual(['Oslo', null]);
  }
  const { body, headers } = await as('reader', pathOf(person));
  expect([body.City, headers.get('Age')]).toEqual(['Oslo', expect.stringMatching(/^\d+$/)]);
  expect(relay.seen).toHaveLength(4);
});

test('getStaffMember 404: an error is not cached', async () => {
  const { relay, as } = await start();
  for (let i = 0; i < 2; i++) expect((await as('reader', pathOf({ StaffKey: 'nobody' }))).status).toBe(404);
  expect(relay.seen).toHaveLength(2);
});

test('setting cache_seconds_max: a response that is too old is requested again, and is 304 for a client with the same copy', async () => {
  const { relay, as, readIf } = await start({ cache_seconds_max: 1 });
  // People who stay the same until the second request.
  const unchanged = `${list}&$filter=${encodeURIComponent(unchangedPeople)}`;
  const tag = (await as('admin', unchanged)).headers.get('ETag');
  await expect.poll(async () => (await readIf(unchanged, tag)).status === 304 && relay.seen.length >= 2).toBe(true);
});

test('setting cache_seconds_max: with 0 nothing is cached, and no response has an age', async () => {
  const { relay, as } = await start({ cache_seconds_max: 0 });
  for (let i = 0; i < 3; i++) {
    const { headers } = await as('admin', list);
    expect([headers.get('Age'), headers.get('ETag')]).toEqual([null, null]);
  }
  expect(relay.seen).toHaveLength(3);
});

test('listStaffMembers 200: a whole company is cached too, byte for byte', async () => {
  const { relay, as, readIf } = await start();
  const whole = `/v2/staffmember?companyKey=${companyKey}&$expand=Tags,Skillset,Profiles`;
  const first = await as('admin', whole);
  const again = await as('admin', whole);
  expect(again.text.length).toBeGreaterThan(1_000_000);
  expect(again.text).toBe(first.text);
  expect((await readIf(whole, again.headers.get('ETag'))).status).toBe(304);
  const packed = await as('admin', whole, { headers: { 'Accept-Encoding': 'gzip' } });
  expect(packed.headers.get('Content-Encoding')).toBe('gzip');
  expect(packed.text).toBe(first.text);
  expect(relay.seen).toHaveLength(1);
});

test('setting cache_bytes_max: the cache stays within it, and the least recently used response is removed first', async () => {
  const { relay, proxy, as } = await start({ cache_bytes_max: 100_000 }, whenTestEnds, startOwn);
  const read = (n: number) => as('admin', `/v2/staffmember?$top=4&$skip=${n}`);
  for (let n = 0; n < 40; n++) await read(n);
  const { text } = await proxy.call('/metrics', { headers: { Accept: 'text/plain' } });
  const bytes = Number(/^upstream_reads_kept_bytes\S* (\d+)$/m.exec(text)?.[1]);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(100_000);
  expect((await read(39)).headers.get('Age')).not.toBeNull();
  expect((await read(0)).headers.get('Age')).toBeNull();
  expect(relay.seen).toHaveLength(41);
});
