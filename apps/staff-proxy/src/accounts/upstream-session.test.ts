import { Problem } from '@rostergate/runtime/problem';
import { describe, expect, test } from 'vitest';
import { createUpstreamSession, type UpstreamToken } from './upstream-session.ts';

/** A login whose answers the test gives by hand, one after the other. */
function setUp() {
  const time = { nowMs: 0 };
  const logins: { resolve: (token: UpstreamToken | 'refused') => void; reject: (error: unknown) => void }[] = [];
  const outcomes: string[] = [];
  const sync = createUpstreamSession({
    login: () => new Promise((resolve, reject) => logins.push({ resolve, reject })),
    clock: () => time.nowMs,
    renewBeforeMs: 60_000,
    refusalHoldMs: 5_000,
    refusalHoldMsMax: 15_000,
    onLogin: (outcome) => outcomes.push(outcome),
  });
  const session = {
    token: async () => sync.token(),
    replace: async (refused: string) => sync.replace(refused),
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
  test('logs in once however many requests wait', async () => {
    const { logins, session } = setUp();
    const waiting = Array.from({ length: 100 }, () => session.token());
    expect(logins).toHaveLength(1);
    logins[0]?.resolve({ value: 'first', lifetimeMs: 3_600_000 });
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['first']));
    expect(await session.token()).toBe('first');
    expect(logins).toHaveLength(1);
  });

  test('renews before the token ends while the old one serves', async () => {
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

  test('survives a failed renewal for as long as the old token holds', async () => {
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

  test('uses a short-lived token for at least half of its life', async () => {
    const { time, logins, session, started } = setUp();
    await started('first', 1_000);
    time.nowMs = 499;
    await session.token();
    expect(logins).toHaveLength(1);
    time.nowMs = 500;
    await session.token();
    expect(logins).toHaveLength(2);
  });

  test('replaces a refused token by one new login for all who were refused', async () => {
    const { logins, session, started } = setUp();
    await started();
    const replaced = [session.replace('first'), session.replace('first'), session.token()];
    expect(logins).toHaveLength(2);
    logins[1]?.resolve({ value: 'second', lifetimeMs: 3_600_000 });
    expect(await Promise.all(replaced)).toEqual(['second', 'second', 'second']);
    expect(await session.replace('first')).toBe('second');
    expect(logins).toHaveLength(2);
  });

  test('makes no storm of logins when every fresh token is refused too', async () => {
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

  test('answers 502 while a refused account is held back, then asks again', async () => {
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

  test('asks ever more seldom about an account that stays refused', async () => {
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

  test('tells how it stands, and each login once', async () => {
    const { time, logins, outcomes, session } = setUp();
    const states = [session.state()];
    const asked = [session.token(), session.token()];
    logins[0]?.reject(new Problem('upstream_timeout', 'late'));
    await Promise.allSettled(asked);
    states.push(session.state());
    const refused = session.token();
    logins[1]?.resolve('refused');
    await refused.catch(() => {});
    states.push(session.state());
    time.nowMs = 5_000;
    const token = session.token();
    logins[2]?.resolve({ value: 'first', lifetimeMs: 3_600_000 });
    await token;
    states.push(session.state());
    expect(states).toEqual(['unknown', 'failed', 'refused', 'ok']);
    expect(outcomes).toEqual(['failed', 'refused', 'ok']);
  });

  test('tries again at once after a fault that was no refusal', async () => {
    const { logins, session } = setUp();
    const first = session.token();
    logins[0]?.reject(new Problem('upstream_timeout', 'late'));
    await expect(first).rejects.toMatchObject({ code: 'upstream_timeout' });
    session.token().catch(() => {});
    expect(logins).toHaveLength(2);
  });

  test('asks ever more seldom where each login fails, and tells callers of the fault meanwhile', async () => {
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

  test('asks at once again where a login was not even sent', async () => {
    const { logins, session } = setUp();
    for (const count of [1, 2, 3]) {
      const token = session.token();
      logins.at(-1)?.reject(new Problem('unavailable', 'The upstream is given a rest.'));
      await expect(token).rejects.toMatchObject({ code: 'unavailable' });
      expect(logins).toHaveLength(count);
    }
  });
});
