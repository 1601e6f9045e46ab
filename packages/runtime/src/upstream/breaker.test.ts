import { describe, expect, it } from 'vitest';
import { createManualTime } from '../../test/manual-time.ts';
import { type Breaker, createBreaker, type Verdict } from './breaker.ts';

function start() {
  const time = createManualTime();
  const breaker = createBreaker({ clock: time.clock, openMs: 1_000, openMsMax: 3_000 });
  return { breaker, time };
}

function send(breaker: Breaker, ...verdicts: Verdict[]): void {
  for (const verdict of verdicts) breaker.leave(breaker.enter(), verdict);
}

describe('createBreaker', () => {
  it('stays closed while failures are few, or no more than half', () => {
    const { breaker } = start();
    send(breaker, 'failure', 'failure', 'failure', 'failure');
    expect(breaker.state).toBe('closed');
    send(breaker, 'success', 'success', 'success', 'success', 'failure', 'success');
    expect([breaker.state, breaker.pass]).toEqual(['closed', 'ordinary']);
  });

  it('opens when most of what was sent of late failed, and lets nothing through', () => {
    const { breaker, time } = start();
    send(breaker, 'failure', 'failure', 'failure', 'failure', 'failure');
    time.pass(999);
    expect([breaker.state, breaker.pass, breaker.probeAtMs]).toEqual(['open', undefined, 1_000]);
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
    expect(breaker.pass).toBe('probe');
    const pass = breaker.enter();
    expect([pass, breaker.state, breaker.pass]).toEqual(['probe', 'half-open', undefined]);
    breaker.leave(pass, 'success');
    expect([breaker.state, breaker.pass]).toEqual(['closed', 'ordinary']);
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

  it('learns nothing from a probe whose caller went away: the next may try at once', () => {
    const { breaker, time } = start();
    send(breaker, ...Array<Verdict>(5).fill('failure'));
    time.pass(1_000);
    send(breaker, 'neutral');
    expect([breaker.state, breaker.pass]).toEqual(['open', 'probe']);
  });

  it('is not moved by what left before it opened', () => {
    const { breaker, time } = start();
    const early = breaker.enter();
    send(breaker, ...Array<Verdict>(5).fill('failure'));
    breaker.leave(early, 'success');
    expect(breaker.state).toBe('open');
    time.pass(1_000);
    const probe = breaker.enter();
    breaker.leave(early, 'failure');
    breaker.leave(probe, 'success');
    expect(breaker.state).toBe('closed');
  });
});
