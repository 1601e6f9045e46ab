import { createRequire } from 'node:module';

export interface BreakerOptions {
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  /** How long nothing is sent after the breaker has opened; doubled each time that a probe fails, up to `openMsMax`. */
  readonly openMs?: number;
  readonly openMsMax?: number;
  /** Of so many last requests … */
  readonly window?: number;
  /** … and no fewer than these … */
  readonly requestsMin?: number;
  /** … more than this share has to fail for the breaker to open. */
  readonly failureShare?: number;
}

export type BreakerState = 'closed' | 'open' | 'half-open';
/** `neutral`: nothing was learned, as when the caller went away. */
export type Verdict = 'success' | 'failure' | 'neutral';

/** A pass for one request; to be given back with what became of it. */
export type Pass = 'ordinary' | 'probe';

/**
 * Keeps requests from a target that fails: open, nothing goes there; after a while a single probe does, and what becomes
 * of it decides. Cockatiel counts; the clock, and the choice among several targets, need more than its policy gives.
 */
export interface Breaker {
  readonly state: BreakerState;
  /** What a request would get now; undefined when it may not go. */
  readonly pass: Pass | undefined;
  /** When the next probe may go. */
  readonly probeAtMs: number;
  /** Takes the pass that `pass` tells of. */
  enter(): Pass;
  leave(pass: Pass, verdict: Verdict): void;
}

export function createBreaker(options: BreakerOptions): Breaker {
  const { clock, openMs = 1_000, openMsMax = 30_000 } = options;
  const { window = 20, requestsMin = 5, failureShare = 0.5 } = options;
  // Loaded with the first upstream: a server that has none starts without it.
  const { CircuitState, CountBreaker } = require('cockatiel') as typeof import('cockatiel');
  const counts = new CountBreaker({ threshold: failureShare, size: window, minimumNumberOfCalls: requestsMin });
  let state: BreakerState = 'closed';
  let probeAtMs = Number.NEGATIVE_INFINITY;
  let opensForMs = openMs;

  function open(): void {
    state = 'open';
    probeAtMs = clock() + opensForMs;
    opensForMs = Math.min(openMsMax, opensForMs * 2);
  }

  function judgeProbe(verdict: Verdict): void {
    if (verdict === 'failure') open();
    else if (verdict === 'neutral') state = 'open';
    else {
      state = 'closed';
      opensForMs = openMs;
      counts.success(CircuitState.HalfOpen);
    }
  }

  return {
    get state() {
      return state;
    },
    get pass() {
      if (state === 'closed') return 'ordinary';
      return state === 'open' && clock() >= probeAtMs ? 'probe' : undefined;
    },
    get probeAtMs() {
      return probeAtMs;
    },
    enter() {
      if (state === 'closed') return 'ordinary';
      state = 'half-open';
      return 'probe';
    },
    leave(pass, verdict) {
      if (pass === 'probe') {
        if (state === 'half-open') judgeProbe(verdict);
        return;
      }
      // What left before the breaker opened says nothing new.
      if (state !== 'closed' || verdict === 'neutral') return;
      if (verdict === 'success') counts.success(CircuitState.Closed);
      else if (counts.failure(CircuitState.Closed)) open();
    },
  };
}

/** Of a target that is always asked, whatever became of the last request. */
export const noBreaker: Breaker = {
  state: 'closed',
  pass: 'ordinary',
  probeAtMs: Number.NEGATIVE_INFINITY,
  enter: () => 'ordinary',
  leave() {},
};

const require = createRequire(import.meta.url);
