import { type ContractRouter, createDeclaredPaths, type OpenApiDocument } from '@rostergate/runtime/contract';
import { corsOf } from '@rostergate/runtime/edge';
import type { DependencyStatus, HealthHandlers } from '@rostergate/runtime/lifecycle';
import { createLimiter, type HitStore, type LimitDecision } from '@rostergate/runtime/limits';
import { runSteps, type Steps } from '@rostergate/runtime/steps';
import type { Telemetry } from '@rostergate/runtime/telemetry';
import type { UpstreamRegistry } from '@rostergate/runtime/upstream';
import { createStaffRouterSteps, type StaffHandlers } from '@rostergate/staff-server';
import { createAccountLines } from './accounts/account-lines.ts';
import type { StandingAccounts } from './accounts/account-registry.ts';
import type { AnswerChecks } from './checks/response-checks.ts';
import type { Configuration } from './configuration/configuration.ts';
import { createServedDocument } from './operations.ts';
import { createForwardHandlers, type ForwardHandler } from './forward-handlers.ts';
import { findHiddenParts } from './hidden/hidden-parts.ts';
import { createHiddenPolicy } from './hidden/hidden-policy.ts';
import { createAuthenticate } from './keys/authenticate.ts';
import type { IssuedTokens } from './keys/issued-tokens.ts';
import { createProxyKeys, type StaffKey } from './keys/proxy-keys.ts';
import { createOwnHandlers, type OwnHandlers } from './own-handlers.ts';
import { createCompanyPolicy } from './policies.ts';
import { plainPathPolicy } from './policies/plain-path-policy.ts';
import type { StandingReads } from './reads/read-state.ts';
import { securedOperations } from './secured-operations.ts';
import type { Settings } from './settings.ts';
import type { SendCall } from './staff-call.ts';
import { contractForm } from './upstream/upstream-form.ts';
import { createVendorForm } from './vendor/vendor-form.ts';

/**
 * All that one configuration makes of the proxy, in one frozen object. A request reads the current generation once and
 * ends with it, whatever comes after.
 */
export interface Generation {
  readonly settings: Settings;
  /** Lookup, keys, limits, validation and handlers. */
  readonly router: ContractRouter;
  /** What readiness says of the upstream, and of each account. */
  readonly upstreamStatus: () => Promise<DependencyStatus>;
  readonly accountsStatus: () => DependencyStatus;
  /** Called when this generation begins to serve: what outlives generations is this one's from now on. */
  readonly takeOver: () => void;
  /** Gives back what it holds; requests that are still in it are answered all the same. */
  readonly close: () => void;
}

/** What outlives every generation. */
export interface Lasting {
  /** The contract as this proxy serves it. */
  readonly document: OpenApiDocument;
  readonly clock: () => number;
  readonly health: HealthHandlers;
  readonly telemetry: Telemetry;
  /** The live counts of the limits. */
  readonly hits: HitStore;
  readonly onLimitDecision: (decision: LimitDecision) => void;
  /** The bearer tokens that are out. */
  readonly tokens: IssuedTokens;
  /** The logins at the upstream, and who waits for it. */
  readonly standing: StandingAccounts;
  /** What the upstream's answers are held against, and those that wait for it. */
  readonly checks: AnswerChecks;
  /** What was written, and how reads are counted. */
  readonly reads: StandingReads;
  /** Connections and breakers. */
  readonly upstreams: UpstreamRegistry;
}

/** Builds a generation without touching the one that serves; throws, naming the faults, when it could not serve. */
export function createGeneration(configuration: Configuration, lasting: Lasting): Generation {
  return runSteps(createGenerationSteps(configuration, lasting));
}

/** The same, operation by operation: the old generation goes on serving between two of them. */
export function* createGenerationSteps({ settings, keysFile }: Configuration, lasting: Lasting): Steps<Generation> {
  const { document, clock, health, telemetry, hits, onLimitDecision, tokens, upstreams, standing, checks, reads } =
    lasting;
  const ownBase = basePathOf(document);
  const hidden = findHiddenParts(document);
  const { sendOf, upstreamStatus, accountsStatus, takeOver, close } = createAccountLines({
    settings,
    accounts: keysFile.accounts,
    ownBase,
    hidden,
    form: settings.upstream_form === 'vendor' ? createVendorForm({ document, ownBase }) : contractForm,
    upstreams,
    standing,
    checks,
    reads,
    clock,
  });
  const proxyKeys = createProxyKeys(keysFile.keys);
  const keys = () => proxyKeys;
  const served = createServedDocument(document, settings);
  const own = createOwnHandlers({ settings, document: served, keys, tokens, health, telemetry, clock });
  const forwarded = createForwardHandlers(securedOperations(document), {
    lineOf: (account) => sendOf.get(account) as SendCall,
    policies: [plainPathPolicy, createCompanyPolicy(takersOfCompanyKey(document)), createHiddenPolicy(hidden)],
  }) as Readonly<Record<Exclude<keyof StaffHandlers, keyof OwnHandlers>, ForwardHandler>>;
  try {
    const router = yield* createStaffRouterSteps<StaffKey>(
      { ...forwarded, ...own },
      {
        document: served,
        authenticate: createAuthenticate({ keys, tokens, clock }),
        limit: settings.rate_limit_enabled
          ? createLimiter<StaffKey>({
              name: 'staff-proxy',
              anonymousPerWindow: settings.rate_limit_per_minute,
              authenticatedPerWindow: settings.rate_limit_per_minute_authenticated,
              trustedProxies: settings.trusted_proxies,
              hits,
              onDecision: onLimitDecision,
            })
          : undefined,
        observe: telemetry.observe,
        cors: corsOf(settings),
        isCompressing: settings.enable_compression,
        startTrace: telemetry.startTrace,
        clock,
        bodyBytesMax: settings.body_bytes_max,
      },
    );
    return Object.freeze({ settings, router, upstreamStatus, accountsStatus, takeOver, close });
  } catch (error) {
    close();
    throw error;
  }
}

function takersOfCompanyKey(document: OpenApiDocument): (operationId: string) => boolean {
  const routes = createDeclaredPaths(document).flatMap((path) => path.routes);
  const takers = routes.filter(({ parameters }) => parameters.some((p) => p.in === 'query' && p.name === 'companyKey'));
  const ids = new Set(takers.map(({ operationId }) => operationId));
  return (operationId) => ids.has(operationId);
}

function basePathOf({ servers }: OpenApiDocument): string {
  return new URL(servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
}
