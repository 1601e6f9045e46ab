import { describe, expect, it } from 'vitest';
import { createManualTime } from '../../test/manual-time.ts';
import { type Breaker, type CallOrigin, createBreaker, type Verdict } from './breaker.ts';

function start() {
  const time = createManualTime();
  const breaker = createBreaker({ clock: time.clock, openMs: 1_000, openMsMax: 3_000 });
  return { breaker, time };
}

const any: CallOrigin = { path: '/any' };
const passOf = (breaker: Breaker, origin = any) => breaker.passFor(origin);

/** Outcomes of the target as a whole. */
function send(breaker: Breaker, ...verdicts: Verdict[]): void {
  for (const verdict of verdicts) breaker.leave(breaker.enter(any), verdict);
}

/** Five failures of these calls, in turn. */
function fail(breaker: Breaker, ...origins: CallOrigin[]): void {
  for (let i = 0; i < 5; i++) {
    const origin = origins[i % origins.length] as CallOrigin;
    breaker.leave(breaker.enter(origin), 'failure', origin);
  }
}

describe('createBreaker', () => {
  it('stays closed while failures are few, or no more than half', () => {
    const { breaker } = start();
    send(breaker, 'failure', 'failure', 'failure', 'failure');
    expect(breaker.state).toBe('closed');
    send(breaker, 'success', 'success', 'success', 'success', 'failure', 'success');
    expect([breaker.state, passOf(breaker)]).toEqual(['closed', 'ordinary']);
  });

  it('opens when most of what was sent of late failed, and lets nothing through', () => {
    const { breaker, time } = start();
    send(breaker, 'failure', 'failure', 'failure', 'failure', 'failure');
    time.pass(999);
    expect([breaker.state, passOf(breaker), breaker.probeAtMs]).toEqual(['open', undefined, 1_000]);
  });

  it('forgets what was long ago: a window of successes outlives a few failures', () => {
    const { breaker } = start();
    send(breaker, ...Array<Verdict>(20).fill('success'), ...Array<Verdict>(10).fill('failure'));
    expect(breaker.state).toBe('closed');
    send(breaker, 'failure');
    expect(breaker.state).toBe('open');
  });

  it('lets one probe through after a while; it closes when that succeeds', () => {
    const { breaker, time } = start();
    send(breaker, ...Array<Verdict>(5).fill('failure'));
    time.pass(1_000);
    expect(passOf(breaker)).toBe('probe');
    const pass = breaker.enter(any);
    expect([pass, breaker.state, passOf(breaker)]).toEqual(['probe', 'half-open', undefined]);
    breaker.leave(pass, 'success');
    expect([breaker.state, passOf(breaker)]).toEqual(['closed', 'ordinary']);
    send(breaker, 'failure', 'failure');
    expect(breaker.state).toBe('closed');
  });

  it('waits twice as long after each failed probe, up to a bound, and begins anew once closed', () => {
    const { breaker, time } = start();
    send(breaker, ...Array<Verdict>(5).fill('failure'));
    const waits = [];
    for (let i = 0; i < 4; i++) {
      waits.push(breaker.probeAtMs - time.clock());
      time.pass(breaker.probeAtMs - time.clock());
      send(breaker, 'failure');
    }
    expect(waits).toEqual([1_000, 2_000, 3_000, 3_000]);
    time.pass(3_000);
    send(breaker, 'success', ...Array<Verdict>(4).fill('failure'));
    expect(breaker.probeAtMs - time.clock()).toBe(1_000);
  });

  it('asks a target to which no connection can be made four times as often: it may be starting', () => {
    const { breaker, time } = start();
    send(breaker, ...Array<Verdict>(5).fill('unreached'));
    for (let i = 0; i < 4; i++) {
      expect(breaker.probeAtMs - time.clock()).toBe(250);
      time.pass(250);
      send(breaker, 'unreached');
    }
  });

  it('is a spare while a target that was not reached is asked again, and rejects beside any other probe', () => {
    for (const [verdict, beside] of [
      ['unreached', 'spare'],
      ['failure', undefined],
    ] as const) {
      const { breaker, time } = start();
      send(breaker, ...Array<Verdict>(5).fill(verdict));
      expect([passOf(breaker), breaker.rejectsAll]).toEqual([undefined, true]);
      time.pass(1_000);
      const probe = breaker.enter(any);
      expect([probe, passOf(breaker), breaker.rejectsAll]).toEqual(['probe', beside, beside === undefined]);
      if (beside === 'spare') breaker.leave(breaker.enter(any), 'failure', any);
      breaker.leave(probe, 'success');
      expect([breaker.state, passOf(breaker)]).toEqual(['closed', 'ordinary']);
    }
  });

  it('learns nothing from a probe whose caller went away: the next may try at once', () => {
    const { breaker, time } = start();
    send(breaker, ...Array<Verdict>(5).fill('failure'));
    time.pass(1_000);
    send(breaker, 'neutral');
    expect([breaker.state, passOf(breaker)]).toEqual(['open', 'probe']);
  });

  it('is not moved by what left before it opened', () => {
    const { breaker, time } = start();
    const early = breaker.enter(any);
    send(breaker, ...Array<Verdict>(5).fill('failure'));
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
    expect(rejected.map((origin) => breaker.passFor(origin))).toEqual(rejected.map(() => undefined));
    expect(admitted.map((origin) => breaker.passFor(origin))).toEqual(admitted.map(() => 'ordinary'));
  });

  it('opens for more when the calls of others fail, too, and probes with the calls that it rejects', () => {
    const { breaker, time } = start();
    fail(breaker, call('/a', 'x'));
    fail(breaker, call('/a', 'y'));
    expect([call('/a', 'z'), call('/b', 'x')].map((origin) => breaker.passFor(origin))).toEqual([
      undefined,
      'ordinary',
    ]);
    fail(breaker, call('/b', 'x'));
    expect(breaker.passFor(call('/c', 'z'))).toBe(undefined);
    time.pass(3_000);
    expect(breaker.passFor(call('/c', 'z'))).toBe('probe');
    breaker.leave(breaker.enter(call('/c', 'z')), 'success', call('/c', 'z'));
    expect(breaker.passFor(call('/a', 'x'))).toBe('ordinary');
  });

  it('opens for the caller and path of the last calls, whatever failed before them', () => {
    const { breaker, time } = start();
    const report = (origin: CallOrigin, verdict: Verdict, times: number) => {
      for (let i = 0; i < times; i++) breaker.leave(breaker.enter(origin), verdict, origin);
    };
    report(call('/other', 'bob'), 'failure', 1);
    report(call('/ok', 'carol'), 'success', 100);
    time.pass(6 * 3_600_000);
    report(call('/bad', 'mallory'), 'failure', 11);
    expect(breaker.passFor(call('/bad', 'mallory'))).toBe(undefined);
    expect(breaker.passFor(call('/ok', 'carol'))).toBe('ordinary');
    // The failures that opened it leave the window, too.
    report(call('/ok', 'carol'), 'success', 20);
    report(call('/worse', 'mike'), 'failure', 11);
    expect(breaker.passFor(call('/worse', 'mike'))).toBe(undefined);
    expect(breaker.passFor(call('/ok', 'carol'))).toBe('ordinary');
  });

  it('rejects all only while it is open for all and no probe may go', () => {
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

  it('closes for a path or a caller that nobody probes for openMsMax, but not for all', () => {
    const { breaker, time } = start();
    fail(breaker, call('/a', 'x'));
    time.pass(1_000 + 2_999);
    expect(breaker.state).toBe('open');
    time.pass(1);
    expect([breaker.state, breaker.passFor(call('/a', 'x'))]).toEqual(['closed', 'ordinary']);
    fail(breaker, call('/a', 'x'), call('/b', 'y'));
    expect(breaker.probeAtMs - time.clock()).toBe(1_000);
    time.pass(3_600_000);
    expect([breaker.state, breaker.passFor(any)]).toEqual(['open', 'probe']);
  });

  it('opens for all where connections cannot be made, whoever has called', () => {
    const { breaker } = start();
    fail(breaker, call('/a', 'x'));
    send(breaker, ...Array<Verdict>(5).fill('failure'));
    expect(breaker.passFor(call('/b', 'y'))).toBe(undefined);
  });
});
