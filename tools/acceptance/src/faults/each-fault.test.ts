import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pollUntil } from '../poll-until.ts';
import { describeOutcome, expectedAtProxy } from './expected-responses.ts';
import { type FaultedProxy, type Outcome, startFaultedProxy } from './faulted-proxy.ts';
import { type FaultName, faults } from './faults.ts';
import { createFigures } from './figures.ts';

/** The deadline of the upstream for the head, and for each pause in the body. */
const timeoutMs = 900;
/** Tolerance for a busy machine; without its deadlines the proxy waits without end. */
const slackMs = 10_000;
/** How long a client reads a response without end. */
const leavesMs = 2_000;

const names = Object.keys(faults) as FaultName[];
const accountOf = (name: FaultName, use = 'reads') => `${use}-${names.indexOf(name)}`;
const update = { method: 'PUT', path: '/v2/staffmember/S-1', json: { FirstName: 'Grace' } };
const create = { method: 'POST', path: '/v2/staffmember', json: { StaffId: 'S-9' } };

describe.each(['sample', 'strict'] as const)('with response validation %s', (mode) => {
  let faulted: FaultedProxy;
  const figures = createFigures(`Responses to clients with a deadline of ${timeoutMs} ms (${mode})`, [
    'fault',
    'response',
    'after ms',
    'requests',
  ]);
  beforeAll(async () => {
    const accounts = names.flatMap((name) => [accountOf(name), accountOf(name, 'updates'), accountOf(name, 'creates')]);
    faulted = await startFaultedProxy(accounts, {
      upstream_timeout_ms: timeoutMs,
      upstream_connect_timeout_ms: 500,
      upstream_body_timeout_ms: 600,
      validate_responses: mode,
      validate_sample_every: 1,
      log_sample_every: 1_000_000,
    });
  });
  afterAll(async () => {
    await faulted.stop();
    figures.print();
  });

  async function askOf(name: FaultName, account: string, more: object = {}): Promise<Outcome & { sent: number }> {
    const { ask, upstream } = faulted;
    // Logs in first, unless the login is the fault.
    if (!('login' in faults[name])) await expect.poll(async () => (await ask({ account })).status).toBe(200);
    upstream.use(faults[name]);
    const before = upstream.requests.length;
    const isEndless = expectedAtProxy[name].includes('200, until the client leaves');
    const outcome = await ask({ account, hangUpMs: isEndless ? leavesMs : timeoutMs + slackMs, ...more });
    upstream.use();
    return { ...outcome, sent: upstream.requests.length - before };
  }

  test.each(names)('an upstream that %s delays a read at most until the deadline', async (name) => {
    const [sample, strict = sample] = expectedAtProxy[name];
    const expected = mode === 'strict' ? strict : sample;
    let outcome = await askOf(name, accountOf(name));
    const isLate = () => outcome.status === 504 || describeOutcome(outcome) === '200, cut off';
    // On a busy machine a deadline may pass before the fault is seen.
    for (let tries = 1; isLate() && describeOutcome(outcome) !== expected && tries < 3; tries++)
      outcome = await askOf(name, accountOf(name));
    const got = describeOutcome(outcome);
    const { code, body, headMs, endMs, sent } = outcome;
    figures.add([name, got, got === '200, until the client leaves' ? headMs : endMs, sent]);
    expect(got).toBe(expected);
    expect(headMs).toBeLessThan(timeoutMs + slackMs);
    if (got === '502') expect(code).toBe('upstream_failed');
    if (got === '504') expect(code).toBe('upstream_timeout');
    if (got === '503') expect(Number(outcome.headers['retry-after'])).toBeGreaterThan(0);
    if (!got.startsWith('200')) {
      expect(outcome.headers['content-type']).toBe('application/problem+json');
      expect(body).not.toMatch(/internal|stack|127\.0\.0\.1|canary|UND_ERR|ECONN|Socket/);
    }
  });

  test.each(names.filter((name) => mode === 'sample' && expectedAtProxy[name][0] !== '200'))(
    'a write to an upstream that %s is sent at most once',
    async (name) => {
      for (const [use, write] of Object.entries({ updates: update, creates: create })) {
        const never = 'login' in faults[name] || name === 'resets on connect';
        // A write with a rejected token had no effect and may be sent again.
        const often = name === 'rejects every token' ? 2 : 1;
        const expected = never ? 0 : often;
        let { sent, status } = await askOf(name, accountOf(name, use), write);
        // On a busy machine the deadline may pass before the write is sent.
        for (let tries = 1; status === 504 && sent < expected && tries < 3; tries++)
          ({ sent, status } = await askOf(name, accountOf(name, use), write));
        expect([use, sent]).toEqual([use, expected]);
        expect(status).toBeGreaterThanOrEqual(200);
      }
    },
  );

  test('the proxy logs no values, passwords and tokens, and survives all faults', async () => {
    expect(faulted.proxy.output()).not.toMatch(/canary|token-\d|db\.internal/);
    expect(faulted.proxy.child.exitCode).toBeNull();
    expect((await faulted.proxy.call('/health/live')).status).toBe(200);
  });

  test('a response that violates the contract is logged by its place and counted', async () => {
    await faulted.proxy.logged(({ places }) => String(places).includes('/0/Fte must be number'));
    const metrics = await (await fetch(`${faulted.proxy.url}/metrics`)).text();
    expect(metrics).toMatch(/^upstream_answers_checked_total\{operation="listStaffMembers",outcome="broken"\} [1-9]/m);
    expect(metrics).toMatch(/^upstream_answers_checked_total\{operation="listStaffMembers",outcome="sound"\} [1-9]/m);
  });

  test('every account is served again after the faults', async () => {
    const { ask } = faulted;
    const failing = names.filter((name) => name !== 'is over its limit for an hour');
    const areServed = async () => {
      const outcomes = await Promise.all(failing.map((name) => ask({ account: accountOf(name) })));
      return outcomes.every(({ status }) => status === 200);
    };
    // A rejected login is cached for a while to prevent a storm of logins.
    await pollUntil(areServed, { withinMs: 60_000, everyMs: 250, describe: () => 'an account is still not served' });
  });
});
