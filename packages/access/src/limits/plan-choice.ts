import type { Principal, Route } from '@rostergate/server';
import { LimitPolicies, type LimitPoliciesOptions, type LimitPolicy } from './limit-policy.ts';
import { type PlanSettings, policiesOfPlan } from './plan.ts';

/** The policies of a client: those of the server or plan alone, and together with the limit of a route. */
export class PolicySet {
  readonly ofServer: LimitPolicies;
  readonly #policies: readonly LimitPolicy[];
  readonly #options: LimitPoliciesOptions;
  readonly #byRoute = new WeakMap<Route, LimitPolicies>();

  constructor(policies: readonly LimitPolicy[], options: LimitPoliciesOptions) {
    this.ofServer = new LimitPolicies(policies, options);
    this.#policies = policies;
    this.#options = options;
  }

  withRoute(route: Route): LimitPolicies {
    let found = this.#byRoute.get(route);
    if (found === undefined) {
      const { operationId, rateLimitPerMinute: limit = 0 } = route;
      const endpoint = { name: 'endpoint', limit, where: 'on this endpoint', keyPrefix: `route:${operationId}\n` };
      found = new LimitPolicies([...this.#policies, endpoint], this.#options);
      this.#byRoute.set(route, found);
    }
    return found;
  }
}

export interface ClientSets {
  readonly anonymous: PolicySet;
  /** Returns undefined for a principal whose plan is unknown. */
  readonly ofPrincipal: (principal: Pick<Principal, 'plan'>) => PolicySet | undefined;
}

/** Returns the policies by plan: that of the principal, the default one, or the one of clients without a key. */
export function createPlanSets(
  { plans, default_plan, anonymous_plan }: PlanSettings,
  { anonymous, authenticated }: { readonly anonymous: PolicySet; readonly authenticated: PolicySet },
  options: LimitPoliciesOptions,
): ClientSets {
  const byName = new Map(
    Object.entries(plans).map(([name, plan]) => [name, new PolicySet(policiesOfPlan(name, plan), options)]),
  );
  const withoutPlan = default_plan === '' ? authenticated : byName.get(default_plan);
  return {
    anonymous: byName.get(anonymous_plan) ?? anonymous,
    ofPrincipal: ({ plan }) => (plan === undefined ? withoutPlan : byName.get(plan)),
  };
}
