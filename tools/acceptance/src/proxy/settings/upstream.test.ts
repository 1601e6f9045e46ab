import { expect, test } from 'vitest';
import { type Answer, json } from '../../../../../apps/staff-proxy/test/stand-in-upstream.ts';
import { pollUntil } from '../../poll-until.ts';
import { shareStandInProxy, startStandInProxy, startUpstream, withAdminKey, withKey } from '../stand-in-proxy.ts';

const proxies = shareStandInProxy();
const people = '/v2/staffmember';
const silence: Answer = () => {};
const hangUp: Answer = (res) => res.destroy();
const secondsOf = async (work: () => Promise<unknown>) => {
  const before = performance.now();
  await work();
  return (performance.now() - before) / 1_000;
};

test('setting upstream_url: /v2 is added when missing, and a reload switches to another', async () => {
  const proxy = await proxies.serve();
  const other = await startUpstream();
  await proxy.call(people, withKey);
  expect(proxy.upstream.seen.map(({ url }) => url)).toEqual([`${people}?companyKey=C-1`]);
  await proxy.applied(() => proxy.writeSettings({ upstream_url: `${other.url}/v2/` }));
  await proxy.call(people, withKey);
  expect(other.seen.map(({ url }) => url)).toEqual([`${people}?companyKey=C-1`]);
  expect(proxy.upstream.seen).toHaveLength(1);
});

test('setting upstream_form: contract forwards requests unchanged, vendor in the vendor’s formats', async () => {
  const key = '6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a';
  const proxy = await proxies.serve({ upstream_form: 'contract' });
  proxy.upstream.answers.push(json(200, { StaffKey: key }), json(200, { StaffKey: key }));
  await proxy.call(`${people}/${key}`, withKey);
  await proxy.applied(() => proxy.writeSettings({ upstream_form: 'vendor' }));
  await proxy.call(`${people}/${key}`, withKey);
  const urls = proxy.upstream.seen.map(({ url }) => url);
  expect(urls).toEqual([`${people}/${key}`, `${people}/${key}?CompanyKey=C-1`]);
});

test('setting upstream_form: vendor computes with no member that its responses lack here', async () => {
  const proxy = await proxies.serve({ upstream_form: 'vendor' });
  const codeOf = async (query: string) => (await proxy.call(`${people}?${query}`, withAdminKey)).body.code;
  expect(await codeOf("$filter=startswith(SocialSecurityNumber,'0')")).toBe('odata_invalid');
  expect(await codeOf('$orderby=TimeClockKioskPIN')).toBe('odata_invalid');
  expect(await codeOf('$search=x')).toBe('odata_unsupported');
  expect(proxy.upstream.seen).toEqual([]);
});

test('setting upstream_timeout_ms: a response that has not begun by then is 504', async () => {
  const proxy = await proxies.serve({ upstream_timeout_ms: 3_000 });
  proxy.upstream.answers.push(silence);
  const took = await secondsOf(async () => expect((await proxy.call(people, withKey)).status).toBe(504));
  expect(took).toBeGreaterThan(2.9);
  // The default is 15 s.
  expect(took).toBeLessThan(10);
});

test('setting upstream_connect_timeout_ms: an address that does not accept connections is an error by then', async () => {
  // An address for documentation (RFC 5737), where no server is.
  const settings = { upstream_url: 'http://192.0.2.1:9', upstream_connect_timeout_ms: 300, upstream_retries: 0 };
  const proxy = await proxies.serve(settings);
  const took = await secondsOf(async () => expect([502, 504]).toContain((await proxy.call(people, withKey)).status));
  // The next deadline is that of the whole request, after 15 s.
  expect(took).toBeLessThan(10);
});

test('setting upstream_body_timeout_ms: a response that pauses for longer is cut off', async () => {
  const proxy = await proxies.serve({ upstream_body_timeout_ms: 300 });
  proxy.upstream.answers.push((res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.write(`[${'{},'.repeat(50_000)}`);
  });
  const headers = { ...withKey.headers, 'Accept-Encoding': 'identity' };
  const read = async () => (await fetch(proxy.url + people, { headers })).text();
  const took = await secondsOf(() => expect(read()).rejects.toThrow());
  expect(took).toBeLessThan(10);
});

test('setting upstream_retries: repeats a read that many times, and never with 0', async () => {
  const proxy = await proxies.serve({ upstream_retries: 2 });
  proxy.upstream.answers.push(hangUp, hangUp);
  expect((await proxy.call(people, withKey)).status).toBe(200);
  await proxy.applied(() => proxy.writeSettings({ upstream_retries: 0 }));
  proxy.upstream.answers.push(json(503, {}));
  expect((await proxy.call(people, withKey)).status).toBe(502);
});

test('setting upstream_concurrency_max, upstream_queue_max: that many requests are sent at once, that many wait, and one more is 503', async () => {
  const proxy = await proxies.serve({ upstream_concurrency_max: 2, upstream_queue_max: 1 });
  const release: (() => void)[] = [];
  const held: Answer = (res, seen, req) => void release.push(() => json(200, [])(res, seen, req));
  proxy.upstream.answers.push(held, held, held);
  // Different reads, because identical ones are coalesced.
  const ask = (n: number) => proxy.call(`${people}?$top=${n}`, withKey);
  const first = [ask(1), ask(2)];
  await pollUntil(() => release.length === 2, { withinMs: 10_000, describe: proxy.output });
  const waiting = ask(3);
  const isWaiting = async () => /^\w*queue\w*(\{[^}]*\})? 1$/m.test((await proxy.call('/metrics')).text);
  await pollUntil(isWaiting, { withinMs: 10_000, describe: proxy.output });
  expect((await ask(4)).status).toBe(503);
  expect(proxy.upstream.seen).toHaveLength(2);
  release[0]?.();
  await pollUntil(() => release.length === 3, { withinMs: 10_000, describe: proxy.output });
  for (const each of release.slice(1)) each();
  expect((await Promise.all([...first, waiting])).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('setting validate_responses: strict turns an invalid response into 502, sample logs it, off passes it on', async () => {
  const proxy = await proxies.serve({ validate_responses: 'strict' });
  const broken = () => {
    proxy.upstream.answers.push(json(200, [{ Fte: 'canary' }]));
    return fetch(proxy.url + people, withKey).then(({ status }) => status);
  };
  const countViolations = () => proxy.log.filter(({ msg }) => msg === 'the upstream broke the contract').length;
  expect(await broken()).toBe(502);
  await proxy.applied(() => proxy.writeSettings({ validate_responses: 'off' }));
  const before = countViolations();
  expect(await broken()).toBe(200);
  await proxy.applied(() => proxy.writeSettings({ validate_responses: 'sample' }));
  expect(await broken()).toBe(200);
  await pollUntil(() => countViolations() === before + 1, { withinMs: 10_000, describe: proxy.output });
  expect(proxy.output()).not.toContain('canary');
});

test('setting validate_sample_every: the first response of an operation is validated, and then one in that many', async () => {
  const proxy = await startStandInProxy({ settings: { validate_responses: 'sample', validate_sample_every: 3 } });
  for (let i = 0; i < 6; i++) {
    proxy.upstream.answers.push(json(200, [{ Fte: 'text' }]));
    await (await fetch(`${proxy.url}${people}?$top=${i}`, withKey)).text();
  }
  const violations = () => proxy.log.filter(({ msg }) => msg === 'the upstream broke the contract');
  // A sample is validated after its response.
  await expect.poll(violations).toHaveLength(2);
  await proxy.stop();
  expect(violations()).toHaveLength(2);
});
