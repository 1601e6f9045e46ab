import {
  type ContractRouter,
  createDeclaredPaths,
  type OpenApiDocument,
  type Operation,
} from '@rostergate/runtime/contract';
import type { DependencyStatus, HealthHandlers } from '@rostergate/runtime/lifecycle';
import { createLimiter, type HitStore, type LimitDecision } from '@rostergate/runtime/limits';
import type { Telemetry } from '@rostergate/runtime/telemetry';
import type { UpstreamRegistry } from '@rostergate/runtime/upstream';
import { createStaffRouter, operations, type StaffHandlers } from '@rostergate/staff-server';
import { createAccountLines } from './account-lines.ts';
import { createAuthenticate } from './authenticate.ts';
import type { Configuration } from './configuration.ts';
import { createForwardHandlers, type ForwardHandler } from './forward-handlers.ts';
import type { IssuedTokens } from './issued-tokens.ts';
import { createOwnHandlers } from './own-handlers.ts';
import { createCompanyPolicy } from './policies/company-policy.ts';
import { createProxyKeys, type StaffKey } from './proxy-keys.ts';
import type { Settings } from './settings.ts';
import type { SendCall } from './staff-call.ts';
import type { StandingAccounts } from './standing-accounts.ts';
import { contractForm } from './upstream-form.ts';
import { createVendorForm } from './vendor-form.ts';

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
  /** Connections and breakers. */
  readonly upstreams: UpstreamRegistry;
}

/** Builds a generation without touching the one that serves; throws, naming the faults, when it could not serve. */
export function createGeneration({ settings, keysFile }: Configuration, lasting: Lasting): Generation {
  const { document, clock, health, telemetry, hits, onLimitDecision, tokens, upstreams, standing } = lasting;
  const ownBase = basePathOf(document);
  const { sendOf, upstreamStatus, accountsStatus, close } = createAccountLines({
    settings,
    accounts: keysFile.accounts,
    ownBase,
    form: settings.upstream_form === 'vendor' ? createVendorForm({ document, ownBase }) : contractForm,
    upstreams,
    standing,
    clock,
  });
  const proxyKeys = createProxyKeys(keysFile.keys);
  const keys = () => proxyKeys;
  const own = createOwnHandlers({ settings, document, keys, tokens, health, telemetry, clock });
  const forwarded = createForwardHandlers(securedOperations(document), {
    lineOf: (account) => sendOf.get(account) as SendCall,
    policies: [createCompanyPolicy(takersOfCompanyKey(document))],
  }) as Readonly<Record<Exclude<keyof StaffHandlers, keyof typeof own>, ForwardHandler>>;
  try {
    const router = createStaffRouter<StaffKey>(
      { ...forwarded, ...own },
      {
        document,
        authenticate: createAuthenticate({ keys, tokens, clock }),
        limit: settings.rate_limit_enabled
          ? createLimiter<StaffKey>({
              name: 'staff-proxy',
              anonymousPerWindow: settings.rate_limit_per_minute,
              authenticatedPerWindow: settings.rate_limit_per_minute_authenticated,
              hits,
              onDecision: onLimitDecision,
            })
          : undefined,
        observe: telemetry.observe,
        startTrace: telemetry.startTrace,
        clock,
        bodyBytesMax: settings.body_bytes_max,
      },
    );
    return Object.freeze({ settings, router, upstreamStatus, accountsStatus, close });
  } catch (error) {
    close();
    throw error;
  }
}

/** What the contract puts behind a key is the upstream's to answer. */
export function securedOperations(document: OpenApiDocument): readonly Operation[] {
  const secured = new Set(routesOf(document).flatMap((route) => (route.isPublic ? [] : [route.operationId])));
  return Object.values(operations).filter(({ operationId }) => secured.has(operationId));
}

function takersOfCompanyKey(document: OpenApiDocument): (operationId: string) => boolean {
  const takers = routesOf(document).filter(({ parameters }) =>
    parameters.some((p) => p.in === 'query' && p.name === 'companyKey'),
  );
  const ids = new Set(takers.map(({ operationId }) => operationId));
  return (operationId) => ids.has(operationId);
}

function routesOf(document: OpenApiDocument) {
  return createDeclaredPaths(document).flatMap((path) => path.routes);
}

function basePathOf({ servers }: OpenApiDocument): string {
  return new URL(servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
}
