import { createClientAddress } from '@rostergate/access/limits';
import type { CodePolicy, CorsPolicy, Endpoint, ExpressPolicy, Policy, Settings } from '@rostergate/endpoints';
import { type Context, isPending, type Reply, type RoutePolicies } from '@rostergate/server';
import { createCors } from '@rostergate/server/edge';
import { createAddressCheck } from './addresses-policy.ts';
import { createCodeSteps } from './code-policy.ts';
import { createExpressSteps } from './express-policy.ts';
import { createHeaderSteps } from './headers-policy.ts';
import type { CountRejection, PolicySteps } from './policy-run.ts';

export interface PolicyDependencies {
  readonly settings: Pick<Settings, 'trusted_proxies' | 'service_timeout_ms' | 'cors_max_age_seconds' | 'mcp'>;
  readonly count: CountRejection;
}

/** Returns the policies of each endpoint and of `/mcp`, by operationId; undefined if there are none. */
export function createPoliciesOf(
  endpoints: readonly Endpoint[],
  { settings, count }: PolicyDependencies,
): ((operationId: string) => RoutePolicies | undefined) | undefined {
  const listOf = new Map<string, readonly Policy[]>(
    endpoints.flatMap(({ operationId, policies }) => (policies.length === 0 ? [] : [[operationId, policies] as const])),
  );
  const { mcp, cors_max_age_seconds: maxAgeSeconds } = settings;
  if (mcp !== undefined && mcp.origins.length > 0) {
    const cors: CorsPolicy = {
      ...{ name: 'mcp.origins', type: 'cors', origins: mcp.origins, credentials: false, maxAgeSeconds },
    };
    for (const id of ['callMcp', 'getMcpMetadata']) listOf.set(id, [cors]);
  }
  if (listOf.size === 0) return undefined;
  const addressOf = createClientAddress({ trustedProxies: settings.trusted_proxies });
  const options = { addressOf, count, timeoutMs: settings.service_timeout_ms };
  const stepsOf = memoize((policy: Exclude<Policy, { readonly type: 'cors' | 'body_size' }>): PolicySteps => {
    switch (policy.type) {
      case 'addresses':
        return { admit: createAddressCheck(policy, options) };
      case 'headers':
        return createHeaderSteps(policy, options);
      case 'code':
        return createCodeSteps(policy satisfies CodePolicy, options);
      case 'express':
        return createExpressSteps(policy satisfies ExpressPolicy, options);
    }
  });
  const corsOf = memoize(
    ({ origins, credentials, maxAgeSeconds }: CorsPolicy) =>
      createCors({ origins, credentials, maxAgeSeconds }) ?? null,
  );
  const routePoliciesOf = memoize((policies: readonly Policy[]): RoutePolicies => {
    // The router applies the limit of a body.
    const steps = policies.flatMap((policy) =>
      policy.type === 'cors' || policy.type === 'body_size' ? [] : [stepsOf(policy)],
    );
    const cors = policies.find((policy) => policy.type === 'cors');
    return {
      admit: joinChecks(steps.flatMap(({ admit }) => admit ?? [])),
      before: joinBefore(steps.flatMap(({ before }) => before ?? [])),
      after: joinAfter(steps.flatMap(({ after }) => after ?? [])),
      cors: cors && corsOf(cors),
    };
  });
  return (operationId) => {
    const policies = listOf.get(operationId);
    return policies && routePoliciesOf(policies);
  };
}

function memoize<K extends object, V>(create: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = create(key);
      known.set(key, value);
    }
    return value;
  };
}

type Check = NonNullable<RoutePolicies['admit']>;

function joinChecks(checks: readonly Check[]): Check | undefined {
  if (checks.length < 2) return checks[0];
  return (context, how) => {
    for (const check of checks) check(context, how);
  };
}

type Before = NonNullable<RoutePolicies['before']>;

/** Returns a function that runs the steps in order, up to the first that replies. */
function joinBefore(steps: readonly Before[]): Before | undefined {
  if (steps.length < 2) return steps[0];
  const runFrom = (i: number, context: Context): ReturnType<Before> => {
    for (let at = i; at < steps.length; at++) {
      const reply = (steps[at] as Before)(context);
      if (isPending(reply)) return Promise.resolve(reply).then((early) => early ?? runFrom(at + 1, context));
      if (reply !== undefined) return reply;
    }
    return undefined;
  };
  return (context) => runFrom(0, context);
}

type After = NonNullable<RoutePolicies['after']>;

/** Returns a function that runs every step in order, each on the reply of the one before. */
function joinAfter(steps: readonly After[]): After | undefined {
  if (steps.length < 2) return steps[0];
  const runFrom = (i: number, given: Reply, context: Context): ReturnType<After> => {
    let reply = given;
    for (let at = i; at < steps.length; at++) {
      const next = (steps[at] as After)(reply, context);
      if (isPending(next)) return Promise.resolve<Reply>(next).then((late) => runFrom(at + 1, late, context));
      reply = next;
    }
    return reply;
  };
  return (reply, context) => runFrom(0, reply, context);
}
