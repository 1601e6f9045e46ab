export interface BreakerOptions {
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  /**
   * How long nothing is sent after the breaker has opened; doubled each time that a probe fails, up to `openMsMax`. A
   * quarter of it, and never more, where no connection could be made.
   */
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
/** `unreached`: a failure before anything was sent. `neutral`: nothing was learned, as when the caller went away. */
export type Verdict = 'success' | 'failure' | 'unreached' | 'neutral';

/** A pass for one request; to be given back with what became of it. */
export type Pass = 'ordinary' | 'probe';

/** What a request would get: `spare` where a probe is under way at a target that may be starting, for want of a better. */
export type Prospect = Pass | 'spare';

/** Whose call it was: what fails for one path or one caller alone is no fault of the whole target. */
export interface CallOrigin {
  /** With its query. */
  readonly path: string;
  readonly caller?: string | undefined;
}

/**
 * Rejects requests to a target that fails: while it is open nothing goes there; after a while a single probe does, and
 * its outcome decides. It opens for one path where all failures in the window are of that path, for one caller where
 * all are of that caller, and otherwise for all. No library counts here: the failures in the window name the scope.
 */
export interface Breaker {
  readonly state: BreakerState;
  /** No request of any path or caller may go now. */
  readonly rejectsAll: boolean;
  /** What a request would get now; undefined when it may not go. */
  passFor(origin: CallOrigin): Prospect | undefined;
  /** When the next probe may go. */
  readonly probeAtMs: number;
  /** Takes the pass that `passFor` tells of. */
  enter(origin: CallOrigin): Pass;
  /** Without an origin the outcome is that of the target as a whole, such as a connection that cannot be made. */
  leave(pass: Pass, verdict: Verdict, origin?: CallOrigin): void;
}

/** What an open breaker rejects: calls to this path, of this caller; with neither, all. */
interface Scope {
  /** Without a query. */
  readonly path?: string | undefined;
  readonly caller?: string | undefined;
}

export function createBreaker(options: BreakerOptions): Breaker {
  const { clock, openMs = 1_000, openMsMax = 30_000 } = options;
  const { window = 20, requestsMin = 5, failureShare = 0.5 } = options;
  let state: BreakerState = 'closed';
  let probeAtMs = Number.NEGATIVE_INFINITY;
  let opensForMs = openMs;
  /** The failure that opened it was that of a connection: whoever restarts in seconds is not left out for longer. */
  let isUnreached = false;
  /** The last `window` outcomes: undefined for a success, for a failure whose it was, `{}` for one of the whole target. */
  let outcomes: (Scope | undefined)[] = [];
  /** The last outcomes that count: those since the breaker opened. */
  let counted = 0;
  let rejects: Scope = {};

  function open(verdict: Verdict): void {
    state = 'open';
    isUnreached = verdict === 'unreached';
    probeAtMs = clock() + (isUnreached ? openMs / 4 : opensForMs);
    opensForMs = isUnreached ? openMs : Math.min(openMsMax, opensForMs * 2);
  }

  function close(): void {
    state = 'closed';
    opensForMs = openMs;
    outcomes = [];
    counted = 0;
  }

  function judgeProbe(verdict: Verdict): void {
    if (verdict === 'failure' || verdict === 'unreached') open(verdict);
    else if (verdict === 'neutral') state = 'open';
    else {
      close();
      count(undefined, verdict);
    }
  }

  function isForAll(): boolean {
    return rejects.path === undefined && rejects.caller === undefined;
  }

  /** Only a call to the path, or of the caller, can probe: without one the breaker would stay open forever. */
  function closeUnprobed(): void {
    if (state === 'open' && !isForAll() && clock() >= probeAtMs + openMsMax) close();
  }

  function isRejected({ path, caller }: CallOrigin): boolean {
    closeUnprobed();
    if (state === 'closed') return false;
    if (rejects.path !== undefined && rejects.path !== withoutQuery(path)) return false;
    return rejects.caller === undefined || rejects.caller === caller;
  }

  function count(outcome: Scope | undefined, verdict: Verdict): void {
    outcomes.push(outcome);
    if (outcomes.length > window) outcomes.shift();
    counted = Math.min(window, counted + 1);
    if (outcome === undefined || counted < requestsMin) return;
    const failed = outcomes.slice(-counted).filter(isFailure);
    if (failed.length <= failureShare * counted) return;
    rejects = scopeOf(outcomes.filter(isFailure));
    // The calls of the others are counted anew: it may be all of the target after all.
    counted = 0;
    open(verdict);
  }

  return {
    get state() {
      closeUnprobed();
      return state;
    },
    get rejectsAll() {
      if (state === 'closed' || !isForAll()) return false;
      return state === 'half-open' ? !isUnreached : clock() < probeAtMs;
    },
    passFor(origin) {
      if (!isRejected(origin)) return 'ordinary';
      if (state === 'half-open') return isUnreached ? 'spare' : undefined;
      return clock() >= probeAtMs ? 'probe' : undefined;
    },
    get probeAtMs() {
      return probeAtMs;
    },
    enter(origin) {
      if (!isRejected(origin) || state === 'half-open') return 'ordinary';
      state = 'half-open';
      return 'probe';
    },
    leave(pass, verdict, origin) {
      if (pass === 'probe') {
        if (state === 'half-open') judgeProbe(verdict);
        return;
      }
      // What left before the breaker opened says nothing new.
      if (verdict === 'neutral') return;
      if (origin === undefined ? state !== 'closed' && isForAll() : isRejected(origin)) return;
      count(verdict === 'success' ? undefined : failureOf(origin), verdict);
    },
  };
}

function isFailure(outcome: Scope | undefined): outcome is Scope {
  return outcome !== undefined;
}

function failureOf(origin: CallOrigin | undefined): Scope {
  return origin === undefined ? {} : { path: withoutQuery(origin.path), caller: origin.caller };
}

/** The path and the caller that all of these failures have in common. */
function scopeOf(failures: readonly Scope[]): Scope {
  const { path, caller } = failures[0] as Scope;
  return {
    path: failures.every((one) => one.path === path) ? path : undefined,
    caller: failures.every((one) => one.caller === caller) ? caller : undefined,
  };
}

function withoutQuery(path: string): string {
  const end = path.indexOf('?');
  return end < 0 ? path : path.slice(0, end);
}

/** Of a target that is always asked, whatever became of the last request. */
export const noBreaker: Breaker = {
  state: 'closed',
  rejectsAll: false,
  passFor: () => 'ordinary',
  probeAtMs: Number.NEGATIVE_INFINITY,
  enter: () => 'ordinary',
  leave() {},
};
