import type { UpstreamToken } from '@rostergate/upstream';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import type { ServiceAccount } from '../keys/keys-file.ts';
import { createAccountMetrics } from './account-metrics.ts';
import { type AccountRegistry, createAccountRegistry, type ReachedAccount } from './account-registry.ts';

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
  const accounts: AccountRegistry = createAccountRegistry({
    clock,
    metrics: createAccountMetrics(registry, () => accounts),
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
    const state = accounts.of(account, reached);
    accounts.takeOver(new Map([[account.name, { state, reached }]]));
    return state;
  };
  return { accounts, reach, takeOver, logins, lines, registry, pass };
}

describe('the state of an account', () => {
  test('outlives a configuration, and then uses the new one', async () => {
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
    const entrant = { lane: '', signal: undefined, deadlineMs: 100_000 };
    for (let i = 0; i < 5; i++) await second.gate.enter(entrant);
    expect(second.gate.working).toBe(5);
  });

  test.each([
    ['e-mail', { ...desk, email: 'other@up.test' }, {}],
    ['password', { ...desk, password: 'other' }, {}],
    ['upstream', desk, { place: 'http://elsewhere.test/v2' }],
  ])('is replaced when its %s changes', (_case, account, more) => {
    const { reach, takeOver } = setUp();
    expect(takeOver(account, reach('new', more))).not.toBe(takeOver(desk, reach('old')));
  });

  test('is unchanged by a configuration that never takes over', async () => {
    const { accounts, reach, takeOver, logins } = setUp();
    const state = takeOver(desk, reach('old', { lease: { state: 'degraded' } }));
    accounts.of(desk, reach('new', { bounds: { concurrencyMax: 9, queueMax: 9 } }));
    accounts.of({ ...desk, password: 'mistyped' }, reach('mistyped'));
    expect([...accounts]).toEqual([['desk', state]]);
    expect([state.breaker, await state.session.token(), logins]).toEqual(['degraded', 'old', ['old']]);
    state.gate.enter({ lane: '', signal: undefined, deadlineMs: 10_000 });
    const abort = new AbortController();
    const waiting = state.gate.enter({ lane: '', signal: abort.signal, deadlineMs: 10_000 });
    expect(state.gate.queued).toBe(1);
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'abandoned' });
  });

  test('is removed with the account, also from the metrics', async () => {
    const { accounts, reach, takeOver, registry } = setUp();
    const state = takeOver(desk, reach('old'));
    await state.session.token();
    state.gate.hold(1_000);
    expect(await registry.metrics()).toContain('account="desk"');
    accounts.takeOver(new Map());
    expect([...accounts]).toEqual([]);
    expect(await registry.metrics()).not.toContain('account="desk"');
  });

  test('is logged once for each change, without secrets', async () => {
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
