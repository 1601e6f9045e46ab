import type { SharedKeys } from '@rostergate/access/keys';
import { createLimiter, type HitStore, type LimitDecision } from '@rostergate/access/limits';
import type { IssuerRegistry, TokenClaims } from '@rostergate/access/tokens';
import { mcpAuthOf } from '@rostergate/mcp';
import {
  type Authenticate,
  basePathOf,
  type ContractRouter,
  type OpenApiDocument,
  type SendLocally,
} from '@rostergate/server';
import { corsOf } from '@rostergate/server/edge';
import type { DependencyStatus, HealthHandlers } from '@rostergate/server/lifecycle';
import { runSteps, type Steps } from '@rostergate/server/steps';
import { describeCause, type Telemetry } from '@rostergate/server/telemetry';
import { createStaffRouterSteps, type StaffHandlers } from '@rostergate/staff-server';
import type { UpstreamRegistry } from '@rostergate/upstream';
import { createAccountChains } from './accounts/account-chains.ts';
import type { AccountRegistry } from './accounts/account-registry.ts';
import type { ResponseChecks } from './checks/response-checks.ts';
import type { Configuration } from './configuration/configuration.ts';
import {
  createCompanyPolicy,
  createForwardHandlers,
  type ForwardHandler,
  plainPathPolicy,
} from './forward-handlers.ts';
import { findHiddenParts } from './hidden/hidden-parts.ts';
import { createHiddenPolicy } from './hidden/hidden-policy.ts';
import { createAuthenticate } from './keys/authenticate.ts';
import type { IssuedTokens } from './keys/issued-tokens.ts';
import { createProxyKeys, type ProxyKeys, type StaffKey } from './keys/proxy-keys.ts';
import { createStoredStaffKeys } from './keys/stored-staff-keys.ts';
import { createTokenVerifiers } from './keys/token-callers.ts';
import { createToolRoutes } from './mcp/tool-routes.ts';
import { createCompanyKeyTest, createServedDocument, securedOperations } from './operations.ts';
import { createOwnHandlers, type OwnHandlers } from './own-handlers.ts';
import { createPassThroughHandlers } from './pass-through/pass-through-handlers.ts';
import { passThroughOperations } from './pass-through/pass-through-operations.ts';
import type { ReadState } from './reads/read-state.ts';
import type { Settings } from './settings.ts';
import { contractForm } from './upstream/staff-upstream.ts';
import { createVendorForm } from './vendor/vendor-form.ts';

/** Everything built from one configuration. A request uses the generation that was current when it began. */
export interface Generation {
  readonly settings: Settings;
  /** Routing, keys, limits, validation and handlers. */
  readonly router: ContractRouter;
  /** Readiness of the upstream and of each account. */
  readonly upstreamStatus: () => Promise<DependencyStatus>;
  readonly accountsStatus: () => DependencyStatus;
  /** Applies this configuration to the dependencies that outlive it. Called when it begins to serve. */
  readonly takeOver: () => void;
  /** Releases its resources; its requests in flight are still answered. */
  readonly close: () => void;
}

/** The process-wide dependencies, which outlive every generation. */
export interface ProcessDependencies {
  /** The contract of this proxy. */
  readonly document: OpenApiDocument;
  readonly version: string;
  /** Sends the requests of tools to this server. */
  readonly send: SendLocally;
  readonly clock: () => number;
  readonly health: HealthHandlers;
  readonly telemetry: Telemetry;
  readonly hits: HitStore;
  readonly onLimitDecision: (decision: LimitDecision) => void;
  readonly tokens: IssuedTokens;
  /** The keys of the key store, if there is one. */
  readonly storedKeys: SharedKeys | undefined;
  /** The issuers of access tokens, with their keys. */
  readonly issuers: IssuerRegistry<TokenClaims>;
  readonly accounts: AccountRegistry;
  readonly checks: ResponseChecks;
  readonly reads: ReadState;
  /** Connections and breakers. */
  readonly upstreams: UpstreamRegistry;
}

/** Builds a generation without affecting the current one. @throws an error that names the faults */
export function createGeneration(configuration: Configuration, dependencies: ProcessDependencies): Generation {
  return runSteps(createGenerationSteps(configuration, dependencies));
}

/** Builds a generation in steps, between which the current one serves. */
export function* createGenerationSteps(
  { settings, keysFile }: Configuration,
  dependencies: ProcessDependencies,
): Steps<Generation> {
  const { document, clock, health, telemetry, hits, onLimitDecision, tokens, upstreams } = dependencies;
  const ownBase = basePathOf(document.servers);
  const hidden = findHiddenParts(document);
  const { sendOf, passThroughOf, upstreamStatus, accountsStatus, takeOver, close } = createAccountChains({
    settings,
    accounts: keysFile.accounts,
    ownBase,
    hidden,
    form: settings.upstream_form === 'vendor' ? createVendorForm({ document, ownBase }) : contractForm,
    upstreams,
    registry: dependencies.accounts,
    checks: dependencies.checks,
    reads: dependencies.reads,
    clock,
  });
  const keys = createKeysOf(settings, keysFile, dependencies);
  const served = createServedDocument(document, settings);
  const own = createOwnHandlers({ settings, document: served, keys, tokens, health, telemetry, clock });
  const forwarded = createForwardHandlers(securedOperations(document), {
    sendOf,
    policies: [
      plainPathPolicy,
      createCompanyPolicy(createCompanyKeyTest(document)),
      createHiddenPolicy(hidden, settings.upstream_form),
    ],
  }) as Readonly<Record<Exclude<keyof StaffHandlers, keyof OwnHandlers>, ForwardHandler>>;
  try {
    const tools = createToolRoutes(settings, {
      ...{ document: served, version: dependencies.version, send: dependencies.send, router: () => router },
      onError: (error) => telemetry.log.warn({ err: describeCause(error) }, 'a call of a tool failed'),
    });
    const router: ContractRouter = yield* createStaffRouterSteps<StaffKey>(
      { ...forwarded, ...own },
      {
        document: served,
        ...tools,
        extraHandlers: {
          ...tools?.extraHandlers,
          ...createPassThroughHandlers(passThroughOperations(settings.pass_through), passThroughOf),
        },
        authenticate: createProxyAuthenticate(settings, keysFile, dependencies, keys),
        limit: settings.rate_limit_enabled
          ? createLimiter<StaffKey>({
              name: 'staff-proxy',
              anonymousPerWindow: settings.rate_limit_per_minute,
              authenticatedPerWindow: settings.rate_limit_per_minute_authenticated,
              plans: settings,
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

/** Returns the keys of the keys file, and those of the key store. */
function createKeysOf(
  { upstream_form: upstreamForm }: Settings,
  { keys, accounts }: Configuration['keysFile'],
  { storedKeys: stored, telemetry: { log } }: ProcessDependencies,
): ProxyKeys {
  if (stored === undefined) return createProxyKeys(keys);
  const onUnusable = (account: string) => log.warn({ account }, 'keys of the key store have no service account here');
  return createStoredStaffKeys({ local: keys, stored, accounts, upstreamForm, onUnusable });
}

/**
 * Returns the callers of requests. `/mcp` accepts its own ways, and only tokens that are meant for it. A login has no
 * caller: it takes no credential from headers.
 */
function createProxyAuthenticate(
  { mcp, jwt_issuers: all }: Settings,
  { tokens: rules }: Configuration['keysFile'],
  { tokens, clock, issuers }: ProcessDependencies,
  keys: ProxyKeys,
): Authenticate<StaffKey> {
  const createFor = (accepted: Settings['jwt_issuers'], acceptsKeys = true) =>
    createAuthenticate({
      ...{ keys, tokens, clock, acceptsKeys, onForeign: issuers.countForeign },
      verifiers: createTokenVerifiers(accepted, rules, issuers),
    });
  const usual = createFor(all);
  const ofTools = mcp === undefined || all.length === 0 ? usual : createForTools(mcp);
  return (context) => {
    const { operationId } = context.route;
    // Each attempt counts against its address, also beside a valid key.
    if (operationId === 'login') return null;
    return (operationId === 'callMcp' ? ofTools : usual)(context);
  };

  function createForTools(field: NonNullable<Settings['mcp']>) {
    const { acceptsKeys, issuers: names } = mcpAuthOf(field);
    const meantForTools = all
      .filter(({ name }) => names.includes(name))
      .map((issuer) => ({ ...issuer, audiences: [field.resource] }));
    return createFor(meantForTools, acceptsKeys);
  }
}
