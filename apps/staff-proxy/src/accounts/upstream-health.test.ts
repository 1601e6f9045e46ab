import { describe, expect, test } from 'vitest';
import { createAccountsHealth } from './upstream-health.ts';
import type { StandingAccount } from './account-registry.ts';
import type { SessionState } from './upstream-session.ts';

interface Given {
  readonly state?: SessionState;
  readonly heldMs?: number;
  readonly breaker?: StandingAccount['breaker'];
}

function setUp(accounts: Readonly<Record<string, Given>>) {
  let logins = 0;
  const health = createAccountsHealth(
    new Map(
      Object.entries(accounts).map(([name, { state = 'ok', heldMs = 0, breaker = 'ready' }]) => {
        const token = () => Promise.reject(new Error(`${++logins}`));
        return [name, { session: { state, token }, gate: { heldMs }, breaker } as unknown as StandingAccount];
      }),
    ),
  );
  return { health, logins: () => logins };
}

describe('readiness of the accounts', () => {
  test.each<[string, Given, string]>([
    ['stands', {}, 'ready'],
    ['has not been used', { state: 'unknown' }, 'ready'],
    ['is limited by the upstream', { heldMs: 1_500 }, 'degraded'],
    ['is tried again after a rest', { breaker: 'degraded' }, 'degraded'],
    ['could not log in, for whatever reason', { state: 'failed' }, 'degraded'],
    ['is given a rest', { breaker: 'unavailable' }, 'unavailable'],
    ['is refused', { state: 'refused' }, 'unavailable'],
  ])('of one that %s', (_case, given, status) => {
    expect(setUp({ desk: given }).health()).toMatchObject({ status, accounts: { desk: { status } } });
  });

  test('is the worst only when it holds of all: the others serve', () => {
    const { health } = setUp({ a: { breaker: 'unavailable' }, b: {} });
    expect(health()).toMatchObject({
      status: 'degraded',
      accounts: { a: { status: 'unavailable', reason: expect.any(String) }, b: { status: 'ready' } },
    });
    expect(setUp({ a: { breaker: 'unavailable' }, b: { state: 'refused' } }).health().status).toBe('unavailable');
    expect(setUp({}).health().status).toBe('ready');
  });

  test('asks once more about a refused account by itself: nobody else may come to try it', async () => {
    const { health, logins } = setUp({ a: { state: 'refused' }, b: {} });
    health();
    await Promise.resolve();
    expect(logins()).toBe(1);
  });
});
