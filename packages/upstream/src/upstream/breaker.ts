export interface BreakerOptions {
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /**
   * How long the breaker stays open; doubled after each failed probe, up to `openMsMax`. A quarter, never
   * doubled, where no connection could be made.
   */
  readonly openMs?: number;
  readonly openMsMax?: number;
  /** The number of recent requests that count. */
  readonly window?: number;
  /** The minimum number of requests for opening. */
  readonly requestsMin?: number;
  /** The breaker opens when more than this share has failed. */
  readonly failureShare?: number;
}

export type BreakerState = 'closed' | 'open' | 'half-open';
/** `unreached`: a failure before anything was sent. `neutral`: no result, for example because the caller left. */
export type CallResult = 'success' | 'failure' | 'unreached' | 'neutral';

/** The kind of a request that was let through; returned with its result. */
export type Pass = 'ordinary' | 'probe';

/** How a request would be let through: `spare` beside a probe of a target that may be starting, as a last resort. */
export type Admission = Pass | 'spare';

/** The origin of a call: failures of one path or one caller do not open the breaker for others. */
export interface CallOrigin {
  /** With its query. */
  readonly path: string;
  readonly caller?: string | undefined;
}

/**
 * A circuit breaker. While open it rejects requests; then a single probe decides. It opens for one path or one caller if
 * all failures in the window have that path or caller, and otherwise for all. No library has such scopes.
 */
export interface Breaker {
  readonly state: BreakerState;
  /** Rejects every path and caller now. */
  readonly rejectsAll: boolean;
  /** How a request would be let through now; undefined when it is rejected. */
  admissionFor(origin: CallOrigin): Admission | undefined;
  /** When the next probe may be sent. */
  readonly probeAtMs: number;
  /** Lets a request through, as `admissionFor` returned. */
  enter(origin: CallOrigin): Pass;
  /** Records a result. Without an origin it is one of the whole target, such as a failed connection. */
  leave(pass: Pass, result: CallResult, origin?: CallOrigin): void;
}

/** What an open breaker rejects: calls with this path and caller; all without either. */
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
  /** A failed connection opened it: a target that restarts in seconds is soon probed. */
  let isUnreached = false;
  /** The last `window` outcomes: undefined for a success, the scope of a failure, `{}` for one of the whole target. */
  let outcomes: (Scope | undefined)[] = [];
  /** How many of the last outcomes are counted: those since the breaker opened. */
  let counted = 0;
  let rejects: Scope = {};

  function open(result: CallResult): void {
    state = 'open';
    isUnreached = result === 'unreached';
    probeAtMs = clock() + (isUnreached ? openMs / 4 : opensForMs);
    opensForMs = isUnreached ? openMs : Math.min(openMsMax, opensForMs * 2);
  }

  function close(): void {
    state = 'closed';
    opensForMs = openMs;
    outcomes = [];
    counted = 0;
  }

  function settleProbe(result: CallResult): void {
    if (result === 'failure' || result === 'unreached') open(result);
    else if (result === 'neutral') state = 'open';
    else {
      close();
      count(undefined, result);
    }
  }

  function isForAll(): boolean {
    return rejects.path === undefined && rejects.caller === undefined;
  }

  /** Only a call in the scope can probe: without one the breaker would stay open forever. */
  function closeUnprobed(): void {
    if (state === 'open' && !isForAll() && clock() >= probeAtMs + openMsMax) close();
  }

  function isRejected({ path, caller }: CallOrigin): boolean {
    closeUnprobed();
    if (state === 'closed') return false;
    if (rejects.path !== undefined && rejects.path !== withoutQuery(path)) return false;
    return rejects.caller === undefined || rejects.caller === caller;
  }

  function count(outcome: Scope | undefined, result: CallResult): void {
    outcomes.push(outcome);
    if (outcomes.length > window) outcomes.shift();
    counted = Math.min(window, counted + 1);
    if (outcome === undefined || counted < requestsMin) return;
    const failed = outcomes.slice(-counted).filter(isFailure);
    if (failed.length <= failureShare * counted) return;
    rejects = scopeOf(outcomes.filter(isFailure));
    // Calls out of the scope are counted from zero: the whole target may fail.
    counted = 0;
    open(result);
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
    admissionFor(origin) {
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
    leave(pass, result, origin) {
      if (pass === 'probe') {
        if (state === 'half-open') settleProbe(result);
        return;
      }
      // A call from before the breaker opened is no new information.
      if (result === 'neutral') return;
      if (origin === undefined ? state !== 'closed' && isForAll() : isRejected(origin)) return;
      count(result === 'success' ? undefined : failureOf(origin), result);
    },
  };
}

function isFailure(outcome: Scope | undefined): outcome is Scope {
  return outcome !== undefined;
}

function failureOf(origin: CallOrigin | undefined): Scope {
  return origin === undefined ? {} : { path: withoutQuery(origin.path), caller: origin.caller };
}

/** Returns the path and the caller that all failures have in common. */
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

/** A breaker that never opens. */
export const noBreaker: Breaker = {
  state: 'closed',
  rejectsAll: false,
  admissionFor: () => 'ordinary',
  probeAtMs: Number.NEGATIVE_INFINITY,
  enter: () => 'ordinary',
  leave() {},
};
