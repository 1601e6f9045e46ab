import type { SessionState } from '@rostergate/upstream';
import { describe, expect, test } from 'vitest';
import type { AccountState } from './account-registry.ts';
import { createAccountsHealth, createUpstreamHealth } from './upstream-health.ts';

function setUpUpstream(answers: (() => Promise<boolean>)[]) {
  const time = { nowMs: 0, asked: 0 };
  const health = createUpstreamHealth({
    isReachable: () => (answers[time.asked++] ?? Promise.reject)(),
    clock: () => time.nowMs,
    freshMs: 1_000,
  });
  return { time, health };
}

describe('readiness of the upstream', () => {
  test('probes the upstream at most once in its interval', async () => {
    const { time, health } = setUpUpstream([async () => true, async () => false]);
    const found = await Promise.all([health(), health(), health()]);
    expect(found.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready']);
    time.nowMs = 999;
    expect(await health()).toMatchObject({ status: 'ready' });
    expect(time.asked).toBe(1);
    time.nowMs = 1_000;
    expect(await health()).toMatchObject({ status: 'unavailable' });
    expect(time.asked).toBe(2);
  });

  test('reveals no internal details of a failure', async () => {
    const { health } = setUpUpstream([() => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432'))]);
    expect(JSON.stringify(await health())).not.toContain('10.0.0.7');
    expect(await health()).toMatchObject({ status: 'unavailable' });
  });
});

interface Given {
  readonly state?: SessionState;
  readonly heldMs?: number;
  readonly breaker?: AccountState['breaker'];
}

function setUpAccounts(accounts: Readonly<Record<string, Given>>) {
  let logins = 0;
  const health = createAccountsHealth(
    new Map(
      Object.entries(accounts).map(([name, { state = 'ok', heldMs = 0, breaker = 'ready' }]) => {
        const token = () => Promise.reject(new Error(`${++logins}`));
        return [name, { session: { state, token }, gate: { heldMs }, breaker } as unknown as AccountState];
      }),
    ),
  );
  return { health, logins: () => logins };
}

describe('readiness of the accounts', () => {
  test.each<[string, Given, string]>([
    ['is logged in', {}, 'ready'],
    ['has not been used', { state: 'unknown' }, 'ready'],
    ['is limited by the upstream', { heldMs: 1_500 }, 'degraded'],
    ['has a half-open circuit', { breaker: 'degraded' }, 'degraded'],
    ['failed to log in', { state: 'failed' }, 'degraded'],
    ['has an open circuit', { breaker: 'unavailable' }, 'unavailable'],
    ['is rejected', { state: 'refused' }, 'unavailable'],
  ])('covers an account that %s', (_case, given, status) => {
    expect(setUpAccounts({ desk: given }).health()).toMatchObject({ status, accounts: { desk: { status } } });
  });

  test('reports the worst status only when all accounts share it', () => {
    const { health } = setUpAccounts({ a: { breaker: 'unavailable' }, b: {} });
    expect(health()).toMatchObject({
      status: 'degraded',
      accounts: { a: { status: 'unavailable', reason: expect.any(String) }, b: { status: 'ready' } },
    });
    expect(setUpAccounts({ a: { breaker: 'unavailable' }, b: { state: 'refused' } }).health().status).toBe(
      'unavailable',
    );
    expect(setUpAccounts({}).health().status).toBe('ready');
  });

  test('logs a rejected account in again without waiting for a request', async () => {
    const { health, logins } = setUpAccounts({ a: { state: 'refused' }, b: {} });
    health();
    await Promise.resolve();
    expect(logins()).toBe(1);
  });
});
