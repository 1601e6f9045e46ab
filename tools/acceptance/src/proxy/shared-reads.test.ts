import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type ClientRequest, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ProxyProcess } from '../proxy-process.ts';
import {
  digestOf,
  keys,
  type StandInProxy,
  shareStandInProxy,
  startStandInProxy,
  usualKeysFile,
} from './stand-in-proxy.ts';

/** Another key of the same account, of another owner. */
const secondKey = 'canary-acceptance-second';
const keysFile = {
  ...usualKeysFile,
  keys: [...usualKeysFile.keys, { name: 'second', owner: 'other', sha256: digestOf(secondKey), account: 'reader' }],
};
const as = (key: string, more: Record<string, string> = {}) => ({ headers: { 'X-API-Key': key, ...more } });
const path = '/v2/staffmember?$top=5';

const settings = { upstream_retries: 0, validate_responses: 'off' };
const proxies = shareStandInProxy({ keysFile });

async function start(starting: Promise<StandInProxy> = proxies.serve(settings)) {
  const proxy = await starting;
  // Logs in first, so that no login is held.
  for (const key of [keys.reader, keys.admin]) await proxy.call('/v2/staffmember', as(key));
  proxy.upstream.seen.splice(0);
  const before = { shared: await totalOf(proxy, 'shared'), resumed: await totalOf(proxy, 'resumed') };
  /** Returns the reads of the test by the source of their response. */
  const count = async (outcome: 'shared' | 'resumed') => (await totalOf(proxy, outcome)) - before[outcome];
  return { ...proxy, count };
}

/** Resolves with the response of the next request to the upstream, which the test writes. */
function holdNext({ upstream }: StandInProxy): Promise<ServerResponse> {
  return new Promise((resolve) => upstream.answers.push((res) => resolve(res)));
}

/** Returns the reads by the source of their response, from the metrics. */
async function totalOf({ call }: ProxyProcess, outcome: string): Promise<number> {
  const { text } = await call('/metrics', { headers: { Accept: 'text/plain' } });
  return Number(new RegExp(`^upstream_reads_total\\{outcome="${outcome}"[^}]*\\} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** Sends a request on a new connection that is read only by the test. */
function open({ url }: ProxyProcess, key: string = keys.reader): ClientRequest {
  const request = get(url + path, { agent: false, ...as(key) });
  request.on('error', () => {});
  return request;
}

/** Writes a list of that many megabytes as fast as it is read. */
async function sendList(res: ServerResponse, megabytes: number): Promise<void> {
  const some = Buffer.from('{"Abbrev":"0123456789"},'.repeat(2_700));
  if (!res.headersSent) res.writeHead(200, { 'Content-Type': 'application/json' });
  const parts = function* () {
    yield '[';
    for (let sent = 0; sent < megabytes * 1024 ** 2; sent += some.length) yield some;
    yield '{}]';
  };
  // The client may have disconnected.
  await pipeline(Readable.from(parts()), res).catch(() => {});
}

async function lengthOf(response: AsyncIterable<Buffer>): Promise<number> {
  let length = 0;
  for await (const chunk of response) length += chunk.length;
  return length;
}

async function rssOf({ child }: ProxyProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

test('listStaffMembers 200: identical concurrent reads of an account are coalesced', async () => {
  const proxy = await start();
  const held = holdNext(proxy);
  const asked = Array.from({ length: 40 }, (_, i) => proxy.call(path, as(i % 2 === 0 ? keys.reader : secondKey)));
  await expect.poll(() => proxy.count('shared')).toBe(39);
  (await held).writeHead(200, { 'Content-Type': 'application/json' }).end('[{"FirstName":"Ada"}]');
  for (const { status, body } of await Promise.all(asked)) expect([status, body[0].FirstName]).toEqual([200, 'Ada']);
  expect(proxy.upstream.seen).toHaveLength(1);
  const ids = (await Promise.all(asked)).map(({ headers }) => headers.get('X-Request-Id'));
  expect(new Set(ids).size).toBe(40);
});

test('listStaffMembers 200: reads of another account, query, form, preference or copy are separate', async () => {
  const proxy = await start();
  const others: [string, string, Record<string, string>?][] = [
    [path, keys.reader],
    [path, keys.admin],
    [`${path}&includes=Tags`, keys.reader],
    [path, keys.reader, { Accept: 'application/json;odata.metadata=minimal' }],
    [path, keys.reader, { Prefer: 'maxpagesize=2' }],
    [path, keys.reader, { 'If-None-Match': '"7"' }],
    ['/v2/staffmember/S-1/payModifier', keys.reader],
    ['/v2/staffmember/S-2/payModifier', keys.reader],
  ];
  const held = others.map(() => holdNext(proxy));
  const asked = others.map(([what, key, headers]) => proxy.call(what, as(key, headers)));
  const responses = await Promise.all(held);
  responses.forEach(
    (res, i) => void res.writeHead(200, { 'Content-Type': 'application/json' }).end(`[ ${' '.repeat(i)}]`),
  );
  const texts = (await Promise.all(asked)).map(({ text }) => text);
  expect(new Set(texts).size).toBe(others.length);
  expect(await proxy.count('shared')).toBe(0);
});

test('listStaffMembers 200: the first client may disconnect; the last one to disconnect cancels the request', async () => {
  const proxy = await start();
  const held = holdNext(proxy);
  const [first, second] = [open(proxy), open(proxy)];
  const res = await held;
  await expect.poll(() => proxy.count('shared')).toBe(1);
  first.destroy();
  await wait(50);
  expect(res.destroyed).toBe(false);
  res.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
  const [reply] = (await once(second, 'response')) as [IncomingMessage];
  expect([reply.statusCode, await lengthOf(reply)]).toEqual([200, 2]);

  const again = holdNext(proxy);
  const both = [open(proxy), open(proxy)];
  const lost = await again;
  await expect.poll(() => proxy.count('shared')).toBe(2);
  for (const request of both) request.destroy();
  if (!lost.destroyed) await once(lost, 'close');
  expect(proxy.upstream.seen).toHaveLength(2);
});

test('listStaffMembers 502: a fault is returned to all waiting clients, and a later request is sent again', async () => {
  const proxy = await start();
  const held = holdNext(proxy);
  const asked = Array.from({ length: 10 }, () => proxy.call(path, as(keys.reader)));
  await expect.poll(() => proxy.count('shared')).toBe(9);
  (await held).destroy();
  const problems = (await Promise.all(asked)).map(({ status, body }) => [status, body.request_id]);
  expect(new Set(problems.map(([status]) => status))).toEqual(new Set([502]));
  expect(new Set(problems.map(([, id]) => id)).size).toBe(10);
  expect(proxy.upstream.seen).toHaveLength(1);
  expect((await proxy.call(path, as(keys.reader))).status).toBe(200);
});

test('updateStaffMember 200: identical writes are all sent', async () => {
  const proxy = await start();
  const json = { City: 'Oslo' };
  const write = () =>
    fetch(`${proxy.url}/v2/staffmember/S-1`, {
      method: 'PUT',
      body: JSON.stringify(json),
      headers: { 'X-API-Key': keys.admin, 'Content-Type': 'application/json' },
    });
  await Promise.all(Array.from({ length: 5 }, write));
  expect(proxy.upstream.seen).toHaveLength(5);
});

test('listStaffMembers 200: a whole roster is streamed from its first byte to all waiting clients', async () => {
  const proxy = await start();
  const held = holdNext(proxy);
  const requests = Array.from({ length: 10 }, () => open(proxy));
  const res = await held;
  await expect.poll(() => proxy.count('shared')).toBe(9);
  res.writeHead(200, { 'Content-Type': 'application/json' }).write('[ ');
  // The upstream continues only once all clients have the beginning.
  const responses = (await Promise.all(requests.map((request) => once(request, 'response')))) as [IncomingMessage][];
  const first = (await Promise.all(responses.map(([reply]) => once(reply, 'data')))) as [Buffer][];
  expect(first.map(([chunk]) => chunk.toString())).toEqual(Array(10).fill('[ '));
  const lengths = responses.map(([reply]) => lengthOf(reply));
  await sendList(res, 10);
  const [length, ...others] = await Promise.all(lengths);
  expect(length).toBeGreaterThan(10 * 1024 ** 2);
  expect(new Set(others)).toEqual(new Set([length]));
  expect(proxy.upstream.seen).toHaveLength(1);
});

test('listStaffMembers 200: a slow reader barely delays others and receives every byte', async () => {
  const proxy = await start();
  const held = holdNext(proxy);
  const [slow, quick] = [open(proxy), open(proxy, secondKey)];
  const res = await held;
  await expect.poll(() => proxy.count('shared')).toBe(1);
  // The slow reader continues on a response of its own.
  proxy.upstream.answers.push((again) => void sendList(again, 20));
  const sent = sendList(res, 20);
  const [slowly] = (await once(slow, 'response')) as [IncomingMessage];
  const [reply] = (await once(quick, 'response')) as [IncomingMessage];
  const startedMs = performance.now();
  const length = await lengthOf(reply);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect(length).toBeGreaterThan(20 * 1024 ** 2);
  await sent;
  expect(await lengthOf(slowly)).toBe(length);
  expect(await proxy.count('resumed')).toBe(1);
  expect(proxy.upstream.seen).toHaveLength(2);
});

test('listStaffMembers 200: a roster of 200 MB for four readers leaves memory flat', async () => {
  // A process of its own, whose memory only this test uses.
  const proxy = await start(startStandInProxy({ keysFile, settings }));
  // The code that loads for the first invalid response does not count.
  expect((await proxy.call('/v2/staffmember?$top=none', as(keys.reader))).status).toBe(400);
  const read = async (megabytes: number) => {
    const before = await proxy.count('shared');
    const held = holdNext(proxy);
    // On a busy machine a reader may fall behind and continue on a response of its own.
    proxy.upstream.answers.push(...Array(4).fill((again: ServerResponse) => void sendList(again, megabytes)));
    const requests = Array.from({ length: 4 }, () => open(proxy));
    const res = await held;
    await expect.poll(() => proxy.count('shared')).toBe(before + 3);
    const lengths = requests.map(async (request) => {
      const [reply] = (await once(request, 'response')) as [IncomingMessage];
      return lengthOf(reply);
    });
    let peak = 0;
    let isOver = false;
    const watching = (async () => {
      for (; !isOver; await wait(20)) peak = Math.max(peak, await rssOf(proxy));
    })();
    await sendList(res, megabytes);
    expect(new Set(await Promise.all(lengths)).size).toBe(1);
    isOver = true;
    await watching;
    proxy.upstream.answers.splice(0);
    return peak;
  };
  // The first streams load what every stream needs.
  const usual = Math.max(await read(40), await read(40));
  // A whole response in memory takes 160 MB more, in each of three readings; collecting garbage late takes less.
  let more = Number.POSITIVE_INFINITY;
  for (let reads = 0; reads < 3 && more >= 100; reads++) more = Math.min(more, (await read(200)) - usual);
  expect(more).toBeLessThan(100);
});
