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

/** Whose call it was: what fails for one path or one caller alone is no fault of the whole target. */
export interface CallOrigin {
  /** With its query. */
  readonly path: string;
  readonly caller?: string | undefined;
}

/**
 * Rejects requests to a target that fails: while it is open nothing goes there; after a while a single probe does, and
 * its outcome decides. It opens for one path where that path alone has failed, for one caller where that caller alone
 * has met failures, and otherwise for all. Cockatiel counts; the clock, and the choice among several targets, need more
 * than its policy gives.
 */
export interface Breaker {
  readonly state: BreakerState;
  /** What a request would get now; undefined when it may not go. */
  passFor(origin: CallOrigin): Pass | undefined;
  /** When the next probe may go. */
  readonly probeAtMs: number;
  /** Takes the pass that `passFor` tells of. */
  enter(origin: CallOrigin): Pass;
  /** Without an origin the outcome is that of the target as a whole, such as a connection that cannot be made. */
  leave(pass: Pass, verdict: Verdict, origin?: CallOrigin): void;
}

/** What an open breaker rejects: calls to this path, of this caller; with neither, all. */
interface Scope {
  readonly path?: string | undefined;
  readonly caller?: string | undefined;
}

export function createBreaker(options: BreakerOptions): Breaker {
  const { clock, openMs = 1_000, openMsMax = 30_000 } = options;
  const { window = 20, requestsMin = 5, failureShare = 0.5 } = options;
  // Loaded with the first upstream: a server that has none starts without it.
  const { CircuitState, CountBreaker } = require('cockatiel') as typeof import('cockatiel');
  const createCounts = () =>
    new CountBreaker({ threshold: failureShare, size: window, minimumNumberOfCalls: requestsMin });
  let counts = createCounts();
  let state: BreakerState = 'closed';
  let probeAtMs = Number.NEGATIVE_INFINITY;
  let opensForMs = openMs;
  /** Of the last failures; undefined for one of the target as a whole. */
  let failed: (CallOrigin | undefined)[] = [];
  let rejects: Scope = {};

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
      failed = [];
      counts.success(CircuitState.HalfOpen);
    }
  }

  function isRejected({ path, caller }: CallOrigin): boolean {
    if (state === 'closed') return false;
    if (rejects.path !== undefined && rejects.path !== withoutQuery(path)) return false;
    return rejects.caller === undefined || rejects.caller === caller;
  }

  function isOpenForAll(): boolean {
    return state !== 'closed' && rejects.path === undefined && rejects.caller === undefined;
  }

  function openFor(scope: Scope): void {
    rejects = scope;
    // The calls of the others are counted anew: it may be all of the target after all.
    counts = createCounts();
    open();
  }

  return {
    get state() {
      return state;
    },
    passFor(origin) {
      if (!isRejected(origin)) return 'ordinary';
      return state === 'open' && clock() >= probeAtMs ? 'probe' : undefined;
    },
    get probeAtMs() {
      return probeAtMs;
    },
    enter(origin) {
      if (!isRejected(origin)) return 'ordinary';
      state = 'half-open';
      return 'probe';
    },
    leave(pass, verdict, origin) {
      if (pass === 'probe') {
        if (state === 'half-open') judgeProbe(verdict);
        return;
      }
      // What left before the breaker opened says nothing new.
      if (verdict === 'neutral' || (origin === undefined ? isOpenForAll() : isRejected(origin))) return;
      if (verdict === 'success') {
        counts.success(CircuitState.Closed);
        return;
      }
      failed.push(origin);
      if (failed.length > window) failed.shift();
      if (counts.failure(CircuitState.Closed)) openFor(scopeOf(failed));
    },
  };
}

/** The path and the caller that all of these have in common. */
function scopeOf(failed: readonly (CallOrigin | undefined)[]): Scope {
  const [first] = failed;
  if (first === undefined) return {};
  const path = withoutQuery(first.path);
  const { caller } = first;
  return {
    path: failed.every((one) => one !== undefined && withoutQuery(one.path) === path) ? path : undefined,
    caller: failed.every((one) => one !== undefined && one.caller === caller) ? caller : undefined,
  };
}

function withoutQuery(path: string): string {
  const end = path.indexOf('?');
  return end < 0 ? path : path.slice(0, end);
}

/** Of a target that is always asked, whatever became of the last request. */
export const noBreaker: Breaker = {
  state: 'closed',
  passFor: () => 'ordinary',
  probeAtMs: Number.NEGATIVE_INFINITY,
  enter: () => 'ordinary',
  leave() {},
};

const require = createRequire(import.meta.url);
