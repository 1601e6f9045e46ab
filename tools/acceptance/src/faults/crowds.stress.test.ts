import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pollUntil } from '../poll-until.ts';
import { emailOf, type FaultedProxy, startFaultedProxy } from './faulted-proxy.ts';
import { faults } from './faults.ts';
import { createFigures } from './figures.ts';

const timeoutMs = 1_000;
const slackMs = 1_500;
const figures = createFigures('Many clients at once', ['what', 'figure']);
let faulted: FaultedProxy;
beforeAll(async () => {
  const accounts = ['storm', 'login', 'dripped', 'silent', 'other', 'refused', 'frozen', 'smuggled', 'hung-up'];
  faulted = await startFaultedProxy(accounts, {
    upstream_timeout_ms: timeoutMs,
    upstream_connect_timeout_ms: 300,
    // Longer than the test waits for the end of a request whose client has disconnected.
    upstream_body_timeout_ms: 20_000,
    log_sample_every: 1_000_000,
  });
});
afterAll(async () => {
  await faulted.stop();
  figures.print();
});
beforeEach(() => faulted.upstream.use());

/** Every request differs, so that none are coalesced. */
const crowd = (account: string, size: number, more: object = {}) =>
  Array.from({ length: size }, () => faulted.ask({ account, path: `/v2/staffmember?$skip=${asked++}`, ...more }));
let asked = 0;

const slowest = (outcomes: readonly { readonly endMs: number }[]) => Math.max(...outcomes.map(({ endMs }) => endMs));

test('a storm of rejected tokens causes one login, and every request succeeds', async () => {
  const { upstream, ask } = faulted;
  await ask({ account: 'storm' });
  const loginsBefore = upstream.logins.length;
  upstream.forgetTokens();
  const outcomes = await Promise.all(crowd('storm', 100));
  const logins = upstream.logins.length - loginsBefore;
  figures.add(['100 rejected at once: logins', logins]);
  figures.add(['100 rejected at once: slowest response, ms', slowest(outcomes)]);
  expect(outcomes.map(({ status }) => status)).toEqual(Array(100).fill(200));
  expect(logins).toBe(1);
});

test('a login without response delays no client beyond the deadline, and is tried a few times', async () => {
  const { upstream } = faulted;
  upstream.use(faults['never responds to a login']);
  const loginsBefore = upstream.logins.length;
  const outcomes = await Promise.all(crowd('login', 100));
  const logins = upstream.logins.length - loginsBefore;
  figures.add(['100 wait for a login without response: logins', logins]);
  figures.add(['100 wait for a login without response: slowest response, ms', slowest(outcomes)]);
  expect(outcomes.filter(({ status }) => status !== 504 && status !== 503)).toEqual([]);
  expect(slowest(outcomes)).toBeLessThan(timeoutMs + slackMs);
  expect(logins).toBeLessThanOrEqual(5);
});

test('dripping responses delay no other request of their account', async () => {
  const { upstream, ask } = faulted;
  await ask({ account: 'dripped' });
  upstream.use(faults['drips a long body']);
  const dripping = crowd('dripped', 60, { hangUpMs: 5_000 });
  await pollUntil(() => upstream.openSockets() > 50, { withinMs: 3_000, describe: () => 'not all responses drip' });
  upstream.use();
  const others = await Promise.all(crowd('dripped', 20));
  figures.add(['20 beside 60 dripping responses: slowest response, ms', slowest(others)]);
  expect(others.map(({ status, isWhole }) => [status, isWhole])).toEqual(Array(20).fill([200, true]));
  expect(slowest(others)).toBeLessThan(slackMs);
  expect((await Promise.all(dripping)).filter(({ status }) => status !== 200)).toEqual([]);
});

test('an account without responses delays no other account', async () => {
  const { upstream, ask } = faulted;
  await Promise.all([ask({ account: 'silent' }), ask({ account: 'other' })]);
  upstream.use(faults['never responds'], emailOf('silent'));
  const stuck = crowd('silent', 200);
  await pollUntil(() => upstream.requests.length > 30, { withinMs: 3_000, describe: () => 'no request is stuck' });
  const others = await Promise.all(crowd('other', 20));
  figures.add(['20 of one account beside 200 stuck requests of another: slowest response, ms', slowest(others)]);
  expect(others.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(slowest(others)).toBeLessThan(slackMs);
  const outcomes = await Promise.all(stuck);
  figures.add(['200 without response: slowest error, ms', slowest(outcomes)]);
  expect(outcomes.filter(({ status }) => status !== 503 && status !== 504)).toEqual([]);
  expect(slowest(outcomes)).toBeLessThan(timeoutMs + slackMs);
});

test('an unsolicited second response reaches no client', async () => {
  const { upstream, ask } = faulted;
  upstream.use(faults['sends a second response unasked']);
  const bodies: string[] = [];
  for (let i = 0; i < 50; i++) bodies.push((await ask({ account: 'smuggled' })).body);
  expect(bodies.filter((body) => body.includes('smuggled'))).toEqual([]);
});

test('a client that disconnects ends the request to the upstream', async () => {
  const { upstream, ask } = faulted;
  await ask({ account: 'hung-up' });
  await pollUntil(() => upstream.openSockets() < 100, {
    withinMs: 10_000,
    describe: () => 'connections are still open',
  });
  upstream.use(faults['sends without end']);
  const gone = ask({ account: 'hung-up', hangUpMs: 300 });
  const before = upstream.openSockets();
  await gone;
  const startedMs = performance.now();
  await pollUntil(() => upstream.writing() === 0, {
    withinMs: 10_000,
    everyMs: 5,
    describe: () => 'the response is still read',
  });
  figures.add(['after a client disconnects, until the upstream connection closes, ms', performance.now() - startedMs]);
  expect(upstream.openSockets()).toBeLessThanOrEqual(before + 1);
});

test.each([
  ['refuses connections', 'refused', () => faulted.upstream.refuse()],
  ['accepts no connection', 'frozen', () => faulted.upstream.freeze()],
])(
  'an upstream that %s is reported within the deadline and used again after its recovery',
  async (what, account, fail) => {
    const { upstream, ask } = faulted;
    expect((await ask({ account })).status).toBe(200);
    await fail();
    const outcomes = await Promise.all(crowd(account, 20));
    figures.add([`an upstream that ${what}: slowest error of 20, ms`, slowest(outcomes)]);
    expect(outcomes.filter(({ status }) => ![502, 503, 504].includes(status))).toEqual([]);
    expect(slowest(outcomes)).toBeLessThan(timeoutMs + slackMs);
    expect((await faulted.proxy.call('/health/live')).status).toBe(200);
    await pollUntil(async () => (await faulted.proxy.call('/health/ready')).status === 503, {
      withinMs: 20_000,
      describe: () => 'the proxy reports that it is ready',
    });
    const startedMs = performance.now();
    await upstream.recover();
    await pollUntil(async () => (await ask({ account })).status === 200, {
      withinMs: 35_000,
      everyMs: 50,
      describe: () => 'the account gets no response',
    });
    figures.add([`an upstream that ${what}: until it is used again, ms`, performance.now() - startedMs]);
  },
);
