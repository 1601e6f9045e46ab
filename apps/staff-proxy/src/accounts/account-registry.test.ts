import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import type { ServiceAccount } from '../keys/keys-file.ts';
import { createAccountMetrics } from './account-metrics.ts';
import { createStandingAccounts, type ReachedAccount, type StandingAccounts } from './account-registry.ts';
import type { UpstreamToken } from './upstream-session.ts';

const desk: ServiceAccount = {
  name: 'desk',
  email: 'desk@up.test',
  password: 'canary-password',
  companyKey: 'C-1',
  isAdmin: false,
};

function setUp() {
  const registry = new Registry();
  const lines: string[] = [];
  const log = {
    info: (...line: unknown[]) => void lines.push(`info ${JSON.stringify(line)}`),
    warn: (...line: unknown[]) => void lines.push(`warn ${JSON.stringify(line)}`),
  };
  let nowMs = 0;
  const clock = () => nowMs;
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const standing: StandingAccounts = createStandingAccounts({
    clock,
    metrics: createAccountMetrics(registry, () => standing),
    log,
  });
  const logins: string[] = [];
  const reach = (
    by: string,
    more: Partial<ReachedAccount> = {},
    token: UpstreamToken | 'refused' = { value: by, lifetimeMs: 60_000 },
  ): ReachedAccount => ({
    async login() {
      logins.push(by);
      return token;
    },
    lease: { state: 'ready' },
    place: 'http://up.test/v2',
    bounds: { concurrencyMax: 1, queueMax: 1 },
    ...more,
  });
  const takeOver = (account: ServiceAccount, reached: ReachedAccount) => {
    const stands = standing.of(account, reached);
    standing.takeOver(new Map([[account.name, { stands, reached }]]));
    return stands;
  };
  return { standing, reach, takeOver, logins, lines, registry, pass };
}

describe('what stands of an account', () => {
  test('stays from one configuration to the next, and is then reached as that says', async () => {
    const { reach, takeOver, logins, pass } = setUp();
    const first = takeOver(desk, reach('old'));
    await first.session.token();
    const second = takeOver(
      { ...desk, companyKey: 'C-2' },
      reach('new', { bounds: { concurrencyMax: 5, queueMax: 5 } }),
    );
    expect(second).toBe(first);
    expect(await second.session.token()).toBe('old');
    pass(60_000);
    expect(await first.session.token()).toBe('new');
    expect(logins).toEqual(['old', 'new']);
    const visitor = { lane: '', signal: undefined, deadlineMs: 100_000 };
    for (let i = 0; i < 5; i++) await second.gate.enter(visitor);
    expect(second.gate.working).toBe(5);
  });

  test.each([
    ['e-mail', { ...desk, email: 'other@up.test' }, {}],
    ['password', { ...desk, password: 'other' }, {}],
    ['upstream', desk, { place: 'http://elsewhere.test/v2' }],
  ])('is another when its %s is', (_case, account, more) => {
    const { reach, takeOver } = setUp();
    expect(takeOver(account, reach('new', more))).not.toBe(takeOver(desk, reach('old')));
  });

  test('is left as it is by a configuration that never takes over', async () => {
    const { standing, reach, takeOver, logins } = setUp();
    const stands = takeOver(desk, reach('old', { lease: { state: 'degraded' } }));
    standing.of(desk, reach('new', { bounds: { concurrencyMax: 9, queueMax: 9 } }));
    standing.of({ ...desk, password: 'mistyped' }, reach('mistyped'));
    expect([...standing]).toEqual([['desk', stands]]);
    expect([stands.breaker, await stands.session.token(), logins]).toEqual(['degraded', 'old', ['old']]);
    stands.gate.enter({ lane: '', signal: undefined, deadlineMs: 10_000 });
    const abort = new AbortController();
    const waiting = stands.gate.enter({ lane: '', signal: abort.signal, deadlineMs: 10_000 });
    expect(stands.gate.queued).toBe(1);
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'abandoned' });
  });

  test('is forgotten with the account, in metrics as well', async () => {
    const { standing, reach, takeOver, registry } = setUp();
    const stands = takeOver(desk, reach('old'));
    await stands.session.token();
    stands.gate.hold(1_000);
    expect(await registry.metrics()).toContain('account="desk"');
    standing.takeOver(new Map());
    expect([...standing]).toEqual([]);
    expect(await registry.metrics()).not.toContain('account="desk"');
  });

  test('tells the log when it changes, once, and nothing secret', async () => {
    const { reach, takeOver, lines, pass } = setUp();
    const { session, gate } = takeOver(desk, reach('canary-token', {}, 'refused'));
    for (let i = 0; i < 3; i++) {
      await Promise.resolve(session.token()).catch(() => {});
      pass(60_000);
    }
    takeOver(desk, reach('canary-token'));
    await session.token();
    for (let i = 0; i < 3; i++) gate.hold(30_000);
    expect(lines).toEqual([
      'warn [{"account":"desk","outcome":"refused"},"login at the upstream"]',
      'info [{"account":"desk","outcome":"ok"},"login at the upstream"]',
      'warn [{"account":"desk","held_ms":30000},"limited by the upstream"]',
    ]);
  });
});
