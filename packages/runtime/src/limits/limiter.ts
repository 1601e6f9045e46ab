import type { Request } from 'express';
import { type ClientRateLimitInfo, rateLimit } from 'express-rate-limit';
import type { Context, Limit, Principal, Route } from '../contract/index.ts';
import { createAddressKey } from './address-key.ts';
import { type Hit, type HitStore, isAdmittedBy, type Verdict } from './hit-store.ts';
import type { LimitDecision } from './limit-metrics.ts';
import { LimitPolicies, type LimitPolicy } from './limit-policy.ts';
import { createMemoryHitStore } from './memory-hit-store.ts';

export interface LimiterOptions {
  /** Name of the server's policy in the headers and in a 429. */
  readonly name: string;
  readonly windowMs?: number;
  /** How many requests an address without a key has in any window. */
  readonly anonymousPerWindow: number;
  /** How many requests an owner has in any window, over all keys and routes. */
  readonly authenticatedPerWindow: number;
  /**
   * How many auxiliary requests an address has in any window, with a key or without one: pages, their assets, metrics
   * and preflights. 600 by default, or `anonymousPerWindow` where that is more.
   */
  readonly auxiliaryPerWindow?: number;
  readonly trustedProxies?: readonly string[];
  /** Milliseconds since the epoch that never go back. */
  readonly clock?: () => number;
  /** Where hits are counted, so that a new configuration keeps the counts; brings its own window and clock. */
  readonly hits?: HitStore;
  /** Called once for each request that was counted or could not be. */
  readonly onDecision?: (decision: LimitDecision) => void;
}

export interface Limiter<P extends Principal> extends Limit<P> {
  /** Charges the request to its address whatever its route or principal, as a wrong key is. */
  chargeAddress(context: Pick<Context<P>, 'req' | 'res' | 'limitHeaders'>): void | Promise<void>;
}

/**
 * Makes the contract's `limit`: one count an owner, or an address when nobody is authenticated, over all routes, and
 * beside it one of a route that has a limit of its own (`rateLimitPerMinute`, policy `endpoint`). A request must pass
 * both. Requests of auxiliary routes count against their address alone (policy `auxiliary`). Sets `RateLimit` and
 * `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-08) on every response it counts.
 * @throws Problem `limit_exceeded` with `Retry-After`; such a request costs nothing anywhere.
 */
export function createLimiter<P extends Principal>(options: LimiterOptions): Limiter<P> {
  const { name, anonymousPerWindow, authenticatedPerWindow, windowMs = 60_000, clock = monotonicNow } = options;
  const { auxiliaryPerWindow = Math.max(600, anonymousPerWindow) } = options;
  const hits = options.hits ?? createMemoryHitStore({ windowMs, clock });
  const admit = createAdmission(hits, options.onDecision);
  const keyOfAddress = createAddressKey(options);
  const policiesOf = (limit: number, ...more: LimitPolicy[]) =>
    new LimitPolicies([{ name, limit }, ...more], hits.windowMs);
  const anonymous = policiesOf(anonymousPerWindow);
  const authenticated = policiesOf(authenticatedPerWindow);
  const auxiliary = new LimitPolicies(
    [{ name: 'auxiliary', limit: auxiliaryPerWindow, where: 'for pages, metrics and preflights' }],
    hits.windowMs,
  );

  const ofRoutes = new WeakMap<Route, RoutePolicies>();
  const ofRoute = (route: Route, limit: number): RoutePolicies => {
    let found = ofRoutes.get(route);
    if (found === undefined) {
      const own = { name: 'endpoint', limit, where: 'on this endpoint' };
      found = {
        prefix: `route:${route.operationId}\n`,
        anonymous: policiesOf(anonymousPerWindow, own),
        authenticated: policiesOf(authenticatedPerWindow, own),
      };
      ofRoutes.set(route, found);
    }
    return found;
  };

  const limit = (context: Context<P>): void | Promise<void> => {
    const { route, principal } = context;
    if (route.quota === 'none') return;
    if (route.quota === 'auxiliary') {
      return admit(new Attempt([`auxiliary:${keyOfAddress(context.req)}`], auxiliary), context);
    }
    // Without the prefixes an owner could be named like an address.
    const key = principal === null ? `address:${keyOfAddress(context.req)}` : `owner:${principal.owner}`;
    const { rateLimitPerMinute } = route;
    if (rateLimitPerMinute === undefined) {
      return admit(new Attempt([key], principal === null ? anonymous : authenticated), context);
    }
    const own = ofRoute(route, rateLimitPerMinute);
    return admit(new Attempt([key, own.prefix + key], principal === null ? own.anonymous : own.authenticated), context);
  };
  return Object.assign(limit, {
    chargeAddress: (context: Pick<Context<P>, 'req' | 'res' | 'limitHeaders'>) =>
      admit(new Attempt([`address:${keyOfAddress(context.req)}`], anonymous), context),
  });
}

interface RoutePolicies {
  readonly prefix: string;
  readonly anonymous: LimitPolicies;
  readonly authenticated: LimitPolicies;
}

/** What express-rate-limit is given for a request, and what our store finds. */
class Attempt implements Hit {
  readonly keys: readonly string[];
  readonly limits: readonly number[];
  readonly policies: LimitPolicies;
  verdict: Verdict = [];
  /** Where the middleware leaves what it made of the numbers. */
  rateLimit: unknown;

  constructor(keys: readonly string[], policies: LimitPolicies) {
    this.keys = keys;
    this.limits = policies.limits;
    this.policies = policies;
  }

  /** What of it goes to a store in another process. */
  toJSON(): Hit {
    return { keys: this.keys, limits: this.limits };
  }

  /**
   * The one number by which the middleware decides: it rejects what is over the first limit. A rejected hit is not
   * among those used, whichever policy rejects it.
   */
  countHits(): ClientRateLimitInfo {
    const { verdict, limits } = this;
    const first = verdict[0];
    const totalHits = first === undefined ? 0 : isAdmittedBy(verdict) ? first.used : (limits[0] as number) + 1;
    return { totalHits, resetTime: undefined };
  }
}

/** Admits what the store admits; express-rate-limit words every rejection. */
function createAdmission(
  hits: HitStore,
  onDecision?: (decision: LimitDecision) => void,
): (attempt: Attempt, context: Pick<Context, 'res' | 'limitHeaders'>) => void | Promise<void> {
  // An attempt stands in place of the request, whose `ip` the middleware would work out, and in place of the key, which
  // it hands to the store untouched: so a hit under several keys is one decision.
  const middleware = rateLimit({
    windowMs: hits.windowMs,
    keyGenerator: (attempt) => attempt as unknown as string,
    store: {
      increment: (key) => (key as unknown as Attempt).countHits(),
      decrement() {},
      resetKey() {},
    },
    limit: (attempt) => (attempt as unknown as Attempt).limits[0] as number,
    handler: (attempt, _res, next) => {
      const { policies, verdict } = attempt as unknown as Attempt;
      next(policies.refuse(verdict));
    },
    standardHeaders: false,
    legacyHeaders: false,
    validate: false,
  });

  function tell({ verdict, policies }: Attempt, context: Pick<Context, 'limitHeaders'>, error?: unknown): void {
    if (verdict.length > 0) {
      context.limitHeaders = { 'RateLimit-Policy': policies.header, RateLimit: policies.describe(verdict) };
    }
    onDecision?.(decisionOf(verdict, error));
  }

  type AttemptContext = Pick<Context, 'res' | 'limitHeaders'>;

  function decide(attempt: Attempt, verdict: Verdict, context: AttemptContext): void | Promise<void> {
    attempt.verdict = verdict;
    if (isAdmittedBy(verdict)) return tell(attempt, context);
    return new Promise((resolve, reject) => {
      middleware(attempt as unknown as Request, context.res, (error?: unknown) => {
        tell(attempt, context, error);
        if (error === undefined) resolve();
        else reject(error);
      });
    });
  }

  function fail(attempt: Attempt, error: unknown, context: AttemptContext): Promise<never> {
    tell(attempt, context, error);
    return Promise.reject(error);
  }

  return (attempt, context) => {
    let found: Verdict | Promise<Verdict>;
    try {
      found = hits.hit(attempt);
    } catch (error) {
      // What a store throws is counted and passed on like what it rejects with.
      return fail(attempt, error, context);
    }
    if (!(found instanceof Promise)) return decide(attempt, found, context);
    return found.then(
      (verdict) => decide(attempt, verdict, context),
      (error) => fail(attempt, error, context),
    );
  };
}

function decisionOf(verdict: Verdict, error: unknown): LimitDecision {
  if (error === undefined) return verdict.length > 0 ? 'admitted' : 'uncounted';
  return verdict.length > 0 ? 'refused' : 'unavailable';
}

/** The time of day that no change of the system's clock can move. */
export function monotonicNow(): number {
  return startedMs + performance.now();
}

const startedMs = performance.timeOrigin;

/** Milliseconds by a clock that all processes of the machine share and nobody can set. */
export function machineNow(): number {
  return machineStartMs + performance.now();
}

const machineStartMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();
