import type { KeyStoreSettings } from '@rostergate/access/key-store';
import type { SharedKeys } from '@rostergate/access/keys';
import { createLimiter, type HitStore, type LimitDecision } from '@rostergate/access/limits';
import type { IssuerRegistry } from '@rostergate/access/tokens';
import type { Endpoint, Service, Settings } from '@rostergate/endpoints';
import { createGatewayRouterSteps } from '@rostergate/gateway-server';
import type {
  Authenticate,
  ContractRouter,
  Limit,
  LiveConnections,
  OpenApiDocument,
  Principal,
  SendLocally,
} from '@rostergate/server';
import { corsOf } from '@rostergate/server/edge';
import type { HealthHandlers } from '@rostergate/server/lifecycle';
import { runSteps, type Steps } from '@rostergate/server/steps';
import { describeCause, type Telemetry } from '@rostergate/server/telemetry';
import { createAuthenticationSteps } from './authenticate.ts';
import { createBuiltInHandlers } from './built-in-handlers.ts';
import { type CacheDependencies, createEndpointHandlersSteps } from './endpoint-handlers.ts';
import type { CountRejection } from './policies/policy-run.ts';
import { createPoliciesOf } from './policies/route-policies.ts';
import { createPortalHandlers } from './portal/portal-handlers.ts';
import { createServedDocumentSteps } from './served-document.ts';
import type { Configuration } from './sources/read-sources.ts';
import { findServiceOrigin } from './sources/service-origin.ts';
import type { Usage } from './usage/usage.ts';

/** Everything built from one configuration, frozen. A request reads the current generation once and finishes with it. */
export interface Generation {
  readonly settings: Readonly<Settings>;
  readonly endpoints: readonly Endpoint[];
  readonly services: readonly Service[];
  readonly document: OpenApiDocument;
  /** Routing, keys, limits, validation and handlers. */
  readonly router: ContractRouter;
  /** For the admin API: who calls, and how often. */
  readonly authenticateKey: Authenticate<Principal>;
  readonly limit: Limit<Principal> | undefined;
  /** Names of the scopes of its responses in the cache. */
  readonly cacheScopes: ReadonlySet<string>;
  /**
   * Closes the services after the last request in flight; call it when the generation gets no new requests.
   * `ignoresHeld` does not wait for background work, for the end of the process.
   */
  readonly close: (options?: { readonly ignoresHeld?: boolean }) => void;
}

/** Process-wide dependencies, which outlive every generation. */
export interface ProcessDependencies extends CacheDependencies {
  readonly clock: () => number;
  /** Monotonic milliseconds, for durations. */
  readonly steadyClock: () => number;
  readonly health: HealthHandlers;
  readonly telemetry: Telemetry;
  /** The live counts of the limits. */
  readonly hits: HitStore;
  readonly onLimitDecision: (decision: LimitDecision) => void;
  /** The issuers of tokens, with their keys. */
  readonly issuers: IssuerRegistry<Principal>;
  /** The keys of the key store; undefined without one. */
  readonly storedKeys: SharedKeys | undefined;
  /** Where the portal stores keys: another address needs a restart. */
  readonly keyStore: KeyStoreSettings;
  readonly onPolicyRejection: CountRejection;
  /** Open WebSockets and streams. */
  readonly live: LiveConnections;
  /** The usage of callers. */
  readonly usage: Usage;
  readonly version: string;
  /** Sends the requests of tools to this server. */
  readonly send: SendLocally;
}

/** Builds a generation without changing the current one; throws, naming the faults, if it cannot serve. */
export function createGeneration(configuration: Configuration, dependencies: ProcessDependencies): Generation {
  return runSteps(createGenerationSteps(configuration, dependencies));
}

/** Does the same in steps, one endpoint each: the current generation serves requests between them. */
export function* createGenerationSteps(
  configuration: Configuration,
  dependencies: ProcessDependencies,
): Steps<Generation> {
  const { settings, services, endpoints, keys, endpointKeys } = configuration;
  const { clock, steadyClock, health, telemetry, hits, onLimitDecision, onPolicyRejection, live } = dependencies;
  const { version, send, usage } = dependencies;
  const document = yield* createServedDocumentSteps(settings, endpoints);
  const limiter = settings.rate_limit_enabled
    ? createLimiter<Principal>({
        name: 'default',
        anonymousPerWindow: settings.rate_limit_per_minute,
        authenticatedPerWindow: settings.rate_limit_per_minute_authenticated,
        plans: settings,
        trustedProxies: settings.trusted_proxies,
        hits,
        onDecision: onLimitDecision,
      })
    : undefined;
  const authentication = yield* createAuthenticationSteps({
    ...{ keys, endpointKeys, endpoints, clock },
    issuers: settings.jwt_issuers,
    registry: dependencies.issuers,
    storedKeys: dependencies.storedKeys,
    mcp: settings.mcp,
  });
  const {
    handlers,
    cacheScopes,
    close: closeServices,
  } = yield* createEndpointHandlersSteps(endpoints, dependencies, settings.service_timeout_ms);
  const portal = createPortalHandlers({
    ...configuration,
    ...{ document, clock, steadyClock, telemetry, limiter, keyStore: dependencies.keyStore, usageReader: usage },
  });
  try {
    const router: ContractRouter = yield* createGatewayRouterSteps<Principal>(
      createBuiltInHandlers({
        ...{ settings, document, endpoints, services, authentication, health, telemetry, clock, version, send, usage },
        portal: portal.handlers,
        router: () => router,
      }),
      {
        document,
        extraHandlers: handlers,
        authenticate: authentication.authenticate,
        limit: limiter,
        observe: configuration.usage === undefined ? telemetry.observe : countUsage(telemetry.observe, usage),
        cors: corsOf(settings),
        isCompressing: settings.enable_compression,
        startTrace: telemetry.startTrace,
        clock: steadyClock,
        bodyBytesMax: settings.body_bytes_max,
        live,
        policiesOf: createPoliciesOf(endpoints, { settings, count: onPolicyRejection }),
        guardOf: createGuards(endpoints, endpointKeys),
      },
    );
    const close: Generation['close'] = (options) =>
      router.whenIdle(async () => {
        await portal.close();
        for (const error of await closeServices()) {
          const origin = findServiceOrigin(error);
          const place = origin === undefined ? '' : ` (${origin})`;
          telemetry.log.error({ err: describeCause(error) }, `a service failed to close${place}`);
        }
      }, options);
    const { authenticateKey } = authentication;
    const contents = { settings, endpoints, services, document, router, cacheScopes };
    return Object.freeze({ ...contents, authenticateKey, limit: limiter, close });
  } catch (error) {
    void closeServices();
    throw error;
  }
}

/** Returns the observer that counts the usage of callers, too. */
function countUsage(observe: Telemetry['observe'], { count }: Usage): Telemetry['observe'] {
  return (context, status, durationMs, problem) => {
    observe(context, status, durationMs, problem);
    count(context, status);
  };
}

/** Returns a name for everything that decides who may call an endpoint, by operationId; undefined for open ones. */
function createGuards(
  endpoints: readonly Endpoint[],
  endpointKeys: Configuration['endpointKeys'],
): (operationId: string) => string | undefined {
  const byId = new Map<string, string>();
  for (const { operationId, requiresAuth, acceptsKeys, issuers, scopes, policies } of endpoints) {
    if (!requiresAuth && policies.length === 0) continue;
    const keys = endpointKeys.get(operationId)?.map(({ sha256 }) => sha256);
    const names = policies.map(({ name }) => name);
    byId.set(operationId, JSON.stringify([requiresAuth, acceptsKeys, issuers, scopes, names, keys]));
  }
  return (operationId) => byId.get(operationId);
}
