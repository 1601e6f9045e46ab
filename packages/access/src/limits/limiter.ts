import type { Context, Limit, Principal } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import type { Request } from 'express';
import { rateLimit } from 'express-rate-limit';
import { createAddressKey } from './address-key.ts';
import { monotonicNow } from './clock.ts';
import { type HitStore, isAdmittedBy, type Verdict } from './hit-store.ts';
import type { LimitDecision } from './limit-metrics.ts';
import { LimitPolicies, type LimitUse } from './limit-policy.ts';
import { isPlanName, type PlanSettings } from './plan.ts';
import { createPlanSets, PolicySet } from './plan-choice.ts';
import { createMemoryHitStore } from './sliding-window.ts';

export interface LimiterOptions {
  /** Name of the server's policy in the headers and in a 429. */
  readonly name: string;
  readonly windowMs?: number;
  /** Requests that an address without a key may make in any window. */
  readonly anonymousPerWindow: number;
  /** Requests that an owner may make in any window, over all keys and routes. */
  readonly authenticatedPerWindow: number;
  /**
   * Auxiliary requests (pages, their assets, metrics and preflights) that an address may make in any window, with or
   * without a key. By default 600, or `anonymousPerWindow` if that is more.
   */
  readonly auxiliaryPerWindow?: number;
  readonly trustedProxies?: readonly string[];
  /** Milliseconds since the epoch that never go back. */
  readonly clock?: () => number;
  /**
   * Where hits are counted, with its own window and clock. Pass the same one again to keep the counts across a reload.
   */
  readonly hits?: HitStore;
  /** Named sets of limits for owners, which replace `authenticatedPerWindow`; for addresses, `anonymousPerWindow`. */
  readonly plans?: PlanSettings;
  /** Called once for each request that a policy applies to; for a refused one, with the names of the violated policies. */
  readonly onDecision?: (decision: LimitDecision, violated?: readonly string[]) => void;
}

export interface Limiter<P extends Principal> extends Limit<P> {
  /** Charges the request to its address, regardless of its route or principal: for a wrong key. */
  countAddress(context: Pick<Context<P>, 'req' | 'res' | 'limitHeaders'>): void | Promise<void>;
  /**
   * Returns what an owner has used of each limit of the server or plan, without counting a request; undefined for an
   * unknown plan. @throws Problem `unavailable` when the counts cannot be read
   */
  usesOf(principal: Pick<P, 'owner' | 'plan'>): Promise<OwnerUses | undefined>;
}

export interface OwnerUses {
  /** Empty while requests are not counted. */
  readonly uses: readonly LimitUse[];
  /** Whether only this process's requests are counted now, because the shared counts are unavailable. */
  readonly isEstimate: boolean;
}

/**
 * Returns the contract's `limit`. It counts requests by owner, or by address when they are anonymous, over all routes.
 * A route with a limit of its own (`rateLimitPerMinute`, policy `endpoint`) is counted separately as well, and a
 * request must pass both. Auxiliary routes count by address alone (policy `auxiliary`). Every counted response gets
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10).
 *
 * With plans, an owner has the limits of the principal's plan. They are decided together with those of the route: a
 * rejected request counts nowhere. `RateLimit-Policy` lists all of them, `RateLimit` the one closest to its limit. A
 * principal with an unknown plan is rejected, and counted by its address.
 * @throws Problem `limit_exceeded` with `Retry-After`; a rejected request is not counted
 */
export function createLimiter<P extends Principal>(options: LimiterOptions): Limiter<P> {
  const { name, anonymousPerWindow, authenticatedPerWindow, windowMs = 60_000, clock = monotonicNow } = options;
  const { auxiliaryPerWindow = Math.max(600, anonymousPerWindow) } = options;
  const hits = options.hits ?? createMemoryHitStore({ windowMs, clock });
  const admit = createAdmission(hits, options.onDecision);
  const keyOfAddress = createAddressKey(options);
  const { windowMs: storeWindowMs } = hits;
  const setOf = (limit: number) => new PolicySet([{ name, limit }], { windowMs: storeWindowMs });
  const auxiliary = new LimitPolicies(
    [{ name: 'auxiliary', limit: auxiliaryPerWindow, where: 'for pages, metrics and preflights' }],
    { windowMs: storeWindowMs },
  );
  const sets = { anonymous: setOf(anonymousPerWindow), authenticated: setOf(authenticatedPerWindow) };
  const { anonymous, ofPrincipal } =
    options.plans === undefined || Object.keys(options.plans.plans).length === 0
      ? { anonymous: sets.anonymous, ofPrincipal: () => sets.authenticated }
      : createPlanSets(options.plans, sets, { windowMs: storeWindowMs, clock, showsTightest: true });

  const countAddress = (context: LimitedContext) =>
    admit(`address:${keyOfAddress(context.req)}`, anonymous.ofServer, context);

  const usesOf: Limiter<P>['usesOf'] = async (principal) => {
    const policies = ofPrincipal(principal)?.ofServer;
    if (policies === undefined) return undefined;
    const verdict = await hits.hit(policies.readingOf(ownerKey(principal)));
    return { uses: policies.usesOf(verdict), isEstimate: hits.status().status !== 'ready' };
  };

  const limit = (context: Context<P>): void | Promise<void> => {
    const { route, principal } = context;
    if (route.quota === 'none') return;
    if (route.quota === 'auxiliary') return admit(`auxiliary:${keyOfAddress(context.req)}`, auxiliary, context);
    const set = principal === null ? anonymous : ofPrincipal(principal);
    if (set === undefined) return rejectUnknownPlan(principal?.plan, countAddress(context));
    const client = principal === null ? `address:${keyOfAddress(context.req)}` : ownerKey(principal);
    return admit(client, route.rateLimitPerMinute === undefined ? set.ofServer : set.withRoute(route), context);
  };
  return Object.assign(limit, { countAddress, usesOf });
}

/** Returns the key of an owner, which differs from that of an address of the same name. */
function ownerKey({ owner }: Pick<Principal, 'owner'>): string {
  return `owner:${owner}`;
}

/** Rejects a credential that names an unknown plan, after it was counted. */
async function rejectUnknownPlan(plan: string | undefined, counted: void | Promise<void>): Promise<never> {
  await counted;
  // An issuer may name a plan by any text.
  const named = plan !== undefined && isPlanName(plan) ? `plan "${plan}"` : 'plan of this credential';
  throw new Problem('plan_unknown', `The ${named} is not configured here. Ask the operator of this server.`);
}

type LimitedContext = Pick<Context, 'req' | 'res' | 'limitHeaders'>;

type Admit = (client: string, policies: LimitPolicies, context: LimitedContext) => void | Promise<void>;

/**
 * Returns the function that counts a request, sets its headers and rejects it when a policy does. The hit store decides
 * without express-rate-limit, whose stores count one key at a time and whose promises cost more than the decision.
 */
function createAdmission(hits: HitStore, onDecision: NonNullable<LimiterOptions['onDecision']> = () => {}): Admit {
  const reject = createRejection(hits.windowMs);

  function conclude(policies: LimitPolicies, verdict: Verdict, context: LimitedContext): Promise<never> | undefined {
    const isCounted = verdict.length > 0;
    if (isCounted) {
      context.limitHeaders = { 'RateLimit-Policy': policies.header, RateLimit: policies.describe(verdict) };
    }
    if (isAdmittedBy(verdict)) {
      onDecision(isCounted ? 'admitted' : 'uncounted');
      return undefined;
    }
    const problem = policies.rejectionOf(verdict);
    onDecision('refused', problem.extensions['violated-policies'] as string[]);
    return reject(problem, context);
  }

  function fail(error: unknown): Promise<never> {
    onDecision('unavailable');
    return Promise.reject(error);
  }

  return (client, policies, context) => {
    let found: Verdict | Promise<Verdict>;
    try {
      found = hits.hit(policies.hitOf(client));
    } catch (error) {
      return fail(error);
    }
    if (!(found instanceof Promise)) return conclude(policies, found, context);
    return found.then((verdict) => conclude(policies, verdict, context), fail);
  };
}

/** Returns the function that rejects a request with express-rate-limit, which sees only requests over their limit. */
function createRejection(windowMs: number): (problem: Problem, context: LimitedContext) => Promise<never> {
  const problems = new WeakMap<Request, Problem>();
  const middleware = rateLimit({
    windowMs,
    limit: 0,
    keyGenerator: () => 'rejected',
    // The hit store has counted the request already.
    store: { increment: () => ({ totalHits: 1, resetTime: undefined }), decrement() {}, resetKey() {} },
    handler: (req, _res, next) => next(problems.get(req)),
    standardHeaders: false,
    legacyHeaders: false,
    validate: false,
  });
  return (problem, { req, res }) => {
    problems.set(req, problem);
    return new Promise((_, reject) => middleware(req, res, reject));
  };
}
