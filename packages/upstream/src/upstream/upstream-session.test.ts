import { Problem } from '@rostergate/server/problem';
import { describe, expect, test } from 'vitest';
import { createUpstreamSession, type UpstreamToken } from './upstream-session.ts';

/** A session whose logins the test settles by hand. */
function setUp() {
  const time = { nowMs: 0 };
  const logins: { resolve: (token: UpstreamToken | 'refused') => void; reject: (error: unknown) => void }[] = [];
  const outcomes: string[] = [];
  const sync = createUpstreamSession({
    login: () => new Promise((resolve, reject) => logins.push({ resolve, reject })),
    clock: () => time.nowMs,
    messages: { refused: 'The upstream rejected the account.', tokenRejected: 'It answered 401 to a new token.' },
    renewBeforeMs: 60_000,
    rejectionHoldMs: 5_000,
    rejectionHoldMsMax: 15_000,
    onLogin: (outcome) => outcomes.push(outcome),
  });
  const session = {
    token: async () => sync.token(),
    replace: async (rejected: string) => sync.replace(rejected),
    state: () => sync.state,
  };
  async function started(value = 'first', lifetimeMs = 3_600_000) {
    const token = session.token();
    logins.at(-1)?.resolve({ value, lifetimeMs });
    await token;
  }
  return { time, logins, outcomes, session, started };
}

describe('an upstream session', () => {
  test('logs in once for concurrent requests', async () => {
    const { logins, session } = setUp();
    const waiting = Array.from({ length: 100 }, () => session.token());
    expect(logins).toHaveLength(1);
    logins[0]?.resolve({ value: 'first', lifetimeMs: 3_600_000 });
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['first']));
    expect(await session.token()).toBe('first');
    expect(logins).toHaveLength(1);
  });

  test('renews a token before its expiry while the old one serves', async () => {
    const { time, logins, session, started } = setUp();
    await started();
    time.nowMs = 3_539_999;
    await session.token();
    expect(logins).toHaveLength(1);
    time.nowMs = 3_540_000;
    expect(await session.token()).toBe('first');
    expect(await session.token()).toBe('first');
    expect(logins).toHaveLength(2);
    logins[1]?.resolve({ value: 'second', lifetimeMs: 3_600_000 });
    await Promise.resolve();
    await Promise.resolve();
    expect(await session.token()).toBe('second');
  });

  test('survives a failed renewal while the old token is valid', async () => {
    const { time, logins, session, started } = setUp();
    await started();
    time.nowMs = 3_550_000;
    await session.token();
    logins[1]?.reject(new Problem('upstream_timeout', 'late'));
    await new Promise(setImmediate);
    expect(await session.token()).toBe('first');
    expect(logins).toHaveLength(2);
    time.nowMs = 3_551_000;
    expect(await session.token()).toBe('first');
    expect(logins).toHaveLength(3);
    time.nowMs = 3_600_000;
    logins[2]?.reject(new Problem('upstream_timeout', 'late'));
    await new Promise(setImmediate);
    const token = session.token();
    logins[3]?.resolve({ value: 'second', lifetimeMs: 3_600_000 });
    expect(await token).toBe('second');
  });

  test('uses a short-lived token for at least half of its lifetime', async () => {
    const { time, logins, session, started } = setUp();
    await started('first', 1_000);
    time.nowMs = 499;
    await session.token();
    expect(logins).toHaveLength(1);
    time.nowMs = 500;
    await session.token();
    expect(logins).toHaveLength(2);
  });

  test('replaces a rejected token by one login for all callers', async () => {
    const { logins, session, started } = setUp();
    await started();
    const replaced = [session.replace('first'), session.replace('first'), session.token()];
    expect(logins).toHaveLength(2);
    logins[1]?.resolve({ value: 'second', lifetimeMs: 3_600_000 });
    expect(await Promise.all(replaced)).toEqual(['second', 'second', 'second']);
    expect(await session.replace('first')).toBe('second');
    expect(logins).toHaveLength(2);
  });

  test('limits logins when fresh tokens are rejected too', async () => {
    const { time, logins, session, started } = setUp();
    await started();
    const replaced = session.replace('first');
    logins[1]?.resolve({ value: 'second', lifetimeMs: 3_600_000 });
    await replaced;
    await expect(session.replace('second')).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(logins).toHaveLength(2);
    time.nowMs = 5_000;
    session.replace('second').catch(() => {});
    expect(logins).toHaveLength(3);
  });

  test('rejects with 502 after a rejected login, then tries again', async () => {
    const { time, logins, session } = setUp();
    const first = session.token();
    logins[0]?.resolve('refused');
    await expect(first).rejects.toMatchObject({ status: 502, code: 'upstream_failed' });
    time.nowMs = 4_999;
    await expect(session.token()).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(logins).toHaveLength(1);
    time.nowMs = 5_000;
    const second = session.token();
    logins[1]?.resolve({ value: 'first', lifetimeMs: 3_600_000 });
    expect(await second).toBe('first');
  });

  test('backs off while an account is rejected repeatedly', async () => {
    const { time, logins, session } = setUp();
    const asked: number[] = [];
    for (time.nowMs = 0; time.nowMs < 60_000; time.nowMs += 1_000) {
      const token = session.token();
      if (logins.length > asked.length) asked.push(time.nowMs);
      logins.at(-1)?.resolve('refused');
      await expect(token).rejects.toMatchObject({ code: 'upstream_failed' });
    }
    expect(asked).toEqual([0, 5_000, 15_000, 30_000, 45_000]);
  });

  test('reports its state, and each login once', async () => {
    const { time, logins, outcomes, session } = setUp();
    const states = [session.state()];
    const asked = [session.token(), session.token()];
    logins[0]?.reject(new Problem('upstream_timeout', 'late'));
    await Promise.allSettled(asked);
    states.push(session.state());
    const rejected = session.token();
    logins[1]?.resolve('refused');
    await rejected.catch(() => {});
    states.push(session.state());
    time.nowMs = 5_000;
    const token = session.token();
    logins[2]?.resolve({ value: 'first', lifetimeMs: 3_600_000 });
    await token;
    states.push(session.state());
    expect(states).toEqual(['unknown', 'failed', 'refused', 'ok']);
    expect(outcomes).toEqual(['failed', 'refused', 'ok']);
  });

  test('retries at once after the first fault', async () => {
    const { logins, session } = setUp();
    const first = session.token();
    logins[0]?.reject(new Problem('upstream_timeout', 'late'));
    await expect(first).rejects.toMatchObject({ code: 'upstream_timeout' });
    session.token().catch(() => {});
    expect(logins).toHaveLength(2);
  });

  test('backs off while logins fail, and rejects with the fault meanwhile', async () => {
    const { time, logins, session } = setUp();
    const asked: number[] = [];
    for (time.nowMs = 0; time.nowMs < 12_000; time.nowMs += 50) {
      const token = session.token();
      if (logins.length > asked.length) asked.push(time.nowMs);
      logins.at(-1)?.reject(new Problem('upstream_failed', 'The upstream answered 500 to our login.'));
      await expect(token).rejects.toMatchObject({ code: 'upstream_failed' });
    }
    expect(asked).toEqual([0, 50, 300, 800, 1_800, 3_800, 7_800]);
  });

  test('retries at once after a login that was not sent', async () => {
    const { logins, session } = setUp();
    for (const count of [1, 2, 3]) {
      const token = session.token();
      logins.at(-1)?.reject(new Problem('unavailable', 'Circuit open.'));
      await expect(token).rejects.toMatchObject({ code: 'unavailable' });
      expect(logins).toHaveLength(count);
    }
  });
});
