import { describe, expect, it } from 'vitest';
import { createManualTime } from '../../test/manual-time.ts';
import { type Breaker, type CallOrigin, type CallResult, createBreaker } from './breaker.ts';

function start() {
  const time = createManualTime();
  const breaker = createBreaker({ clock: time.clock, openMs: 1_000, openMsMax: 3_000 });
  return { breaker, time };
}

const any: CallOrigin = { path: '/any' };
const passOf = (breaker: Breaker, origin = any) => breaker.admissionFor(origin);

/** Results of the whole target. */
function send(breaker: Breaker, ...verdicts: CallResult[]): void {
  for (const verdict of verdicts) breaker.leave(breaker.enter(any), verdict);
}

/** Five failures of these calls, in rotation. */
function fail(breaker: Breaker, ...origins: CallOrigin[]): void {
  for (let i = 0; i < 5; i++) {
    const origin = origins[i % origins.length] as CallOrigin;
    breaker.leave(breaker.enter(origin), 'failure', origin);
  }
}

describe('createBreaker', () => {
  it('stays closed with few failures, or with at most half', () => {
    const { breaker } = start();
    send(breaker, 'failure', 'failure', 'failure', 'failure');
    expect(breaker.state).toBe('closed');
    send(breaker, 'success', 'success', 'success', 'success', 'failure', 'success');
    expect([breaker.state, passOf(breaker)]).toEqual(['closed', 'ordinary']);
  });

  it('opens when most recent requests failed, and rejects all', () => {
    const { breaker, time } = start();
    send(breaker, 'failure', 'failure', 'failure', 'failure', 'failure');
    time.pass(999);
    expect([breaker.state, passOf(breaker), breaker.probeAtMs]).toEqual(['open', undefined, 1_000]);
  });

  it('ignores failures before the window', () => {
    const { breaker } = start();
    send(breaker, ...Array<CallResult>(20).fill('success'), ...Array<CallResult>(10).fill('failure'));
    expect(breaker.state).toBe('closed');
    send(breaker, 'failure');
    expect(breaker.state).toBe('open');
  });

  it('admits one probe after openMs, and closes when it succeeds', () => {
    const { breaker, time } = start();
    send(breaker, ...Array<CallResult>(5).fill('failure'));
    time.pass(1_000);
    expect(passOf(breaker)).toBe('probe');
    const pass = breaker.enter(any);
    expect([pass, breaker.state, passOf(breaker)]).toEqual(['probe', 'half-open', undefined]);
    breaker.leave(pass, 'success');
    expect([breaker.state, passOf(breaker)]).toEqual(['closed', 'ordinary']);
    send(breaker, 'failure', 'failure');
    expect(breaker.state).toBe('closed');
  });

  it('doubles the wait after each failed probe up to openMsMax, and resets it once closed', () => {
    const { breaker, time } = start();
    send(breaker, ...Array<CallResult>(5).fill('failure'));
    const waits = [];
    for (let i = 0; i < 4; i++) {
      waits.push(breaker.probeAtMs - time.clock());
      time.pass(breaker.probeAtMs - time.clock());
      send(breaker, 'failure');
    }
    expect(waits).toEqual([1_000, 2_000, 3_000, 3_000]);
    time.pass(3_000);
    send(breaker, 'success', ...Array<CallResult>(4).fill('failure'));
    expect(breaker.probeAtMs - time.clock()).toBe(1_000);
  });

  it('probes a target without connections four times as often', () => {
    const { breaker, time } = start();
    send(breaker, ...Array<CallResult>(5).fill('unreached'));
    for (let i = 0; i < 4; i++) {
      expect(breaker.probeAtMs - time.clock()).toBe(250);
      time.pass(250);
      send(breaker, 'unreached');
    }
  });

  it('admits spares beside the probe of an unreached target, and rejects beside any other probe', () => {
    for (const [verdict, beside] of [
      ['unreached', 'spare'],
      ['failure', undefined],
    ] as const) {
      const { breaker, time } = start();
      send(breaker, ...Array<CallResult>(5).fill(verdict));
      expect([passOf(breaker), breaker.rejectsAll]).toEqual([undefined, true]);
      time.pass(1_000);
      const probe = breaker.enter(any);
      expect([probe, passOf(breaker), breaker.rejectsAll]).toEqual(['probe', beside, beside === undefined]);
      if (beside === 'spare') breaker.leave(breaker.enter(any), 'failure', any);
      breaker.leave(probe, 'success');
      expect([breaker.state, passOf(breaker)]).toEqual(['closed', 'ordinary']);
    }
  });

  it('ignores a probe whose caller left: the next one may be sent at once', () => {
    const { breaker, time } = start();
    send(breaker, ...Array<CallResult>(5).fill('failure'));
    time.pass(1_000);
    send(breaker, 'neutral');
    expect([breaker.state, passOf(breaker)]).toEqual(['open', 'probe']);
  });

  it('ignores results of requests from before it opened', () => {
    const { breaker, time } = start();
    const early = breaker.enter(any);
    send(breaker, ...Array<CallResult>(5).fill('failure'));
    breaker.leave(early, 'success');
    expect(breaker.state).toBe('open');
    time.pass(1_000);
    const probe = breaker.enter(any);
    breaker.leave(early, 'failure');
    breaker.leave(probe, 'success');
    expect(breaker.state).toBe('closed');
  });

  const call = (path: string, caller: string) => ({ path, caller });

  it.each([
    [
      'one path of one caller',
      [call('/a', 'x'), call('/a?b', 'x')],
      [call('/a?c', 'x')],
      [call('/a', 'y'), call('/b', 'x')],
    ],
    ['one path', [call('/a', 'x'), call('/a', 'y')], [call('/a', 'z')], [call('/b', 'x')]],
    ['one caller', [call('/a', 'x'), call('/b', 'x')], [call('/c', 'x')], [call('/a', 'y')]],
    ['all', [call('/a', 'x'), call('/b', 'y')], [call('/c', 'z'), call('/a', 'x')], []],
  ])('opens for %s where nothing else has failed', (_, failing, rejected, admitted) => {
    const { breaker } = start();
    fail(breaker, ...failing);
    expect(rejected.map((origin) => breaker.admissionFor(origin))).toEqual(rejected.map(() => undefined));
    expect(admitted.map((origin) => breaker.admissionFor(origin))).toEqual(admitted.map(() => 'ordinary'));
  });

  it('widens its scope when calls of others fail, and probes with calls in its scope', () => {
    const { breaker, time } = start();
    fail(breaker, call('/a', 'x'));
    fail(breaker, call('/a', 'y'));
    expect([call('/a', 'z'), call('/b', 'x')].map((origin) => breaker.admissionFor(origin))).toEqual([
      undefined,
      'ordinary',
    ]);
    fail(breaker, call('/b', 'x'));
    expect(breaker.admissionFor(call('/c', 'z'))).toBe(undefined);
    time.pass(3_000);
    expect(breaker.admissionFor(call('/c', 'z'))).toBe('probe');
    breaker.leave(breaker.enter(call('/c', 'z')), 'success', call('/c', 'z'));
    expect(breaker.admissionFor(call('/a', 'x'))).toBe('ordinary');
  });

  it('opens for the caller and path of the last failures, not of earlier ones', () => {
    const { breaker, time } = start();
    const report = (origin: CallOrigin, verdict: CallResult, times: number) => {
      for (let i = 0; i < times; i++) breaker.leave(breaker.enter(origin), verdict, origin);
    };
    report(call('/other', 'bob'), 'failure', 1);
    report(call('/ok', 'carol'), 'success', 100);
    time.pass(6 * 3_600_000);
    report(call('/bad', 'mallory'), 'failure', 11);
    expect(breaker.admissionFor(call('/bad', 'mallory'))).toBe(undefined);
    expect(breaker.admissionFor(call('/ok', 'carol'))).toBe('ordinary');
    // The failures that opened it leave the window, too.
    report(call('/ok', 'carol'), 'success', 20);
    report(call('/worse', 'mike'), 'failure', 11);
    expect(breaker.admissionFor(call('/worse', 'mike'))).toBe(undefined);
    expect(breaker.admissionFor(call('/ok', 'carol'))).toBe('ordinary');
  });

  it('rejects all only while it is open for all and no probe is due', () => {
    const { breaker, time } = start();
    const states = () => [breaker.state, breaker.rejectsAll];
    expect(states()).toEqual(['closed', false]);
    fail(breaker, call('/a', 'x'));
    expect(states()).toEqual(['open', false]);
    fail(breaker, call('/a', 'y'), call('/b', 'x'));
    expect(states()).toEqual(['open', true]);
    time.pass(2_000);
    expect(states()).toEqual(['open', false]);
    const pass = breaker.enter(any);
    expect(states()).toEqual(['half-open', true]);
    breaker.leave(pass, 'success');
    expect(states()).toEqual(['closed', false]);
  });

  it('closes for a path or a caller without a probe for openMsMax, but not for all', () => {
    const { breaker, time } = start();
    fail(breaker, call('/a', 'x'));
    time.pass(1_000 + 2_999);
    expect(breaker.state).toBe('open');
    time.pass(1);
    expect([breaker.state, breaker.admissionFor(call('/a', 'x'))]).toEqual(['closed', 'ordinary']);
    fail(breaker, call('/a', 'x'), call('/b', 'y'));
    expect(breaker.probeAtMs - time.clock()).toBe(1_000);
    time.pass(3_600_000);
    expect([breaker.state, breaker.admissionFor(any)]).toEqual(['open', 'probe']);
  });

  it('opens for all callers when connections fail', () => {
    const { breaker } = start();
    fail(breaker, call('/a', 'x'));
    send(breaker, ...Array<CallResult>(5).fill('failure'));
    expect(breaker.admissionFor(call('/b', 'y'))).toBe(undefined);
  });
});
