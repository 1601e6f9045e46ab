import type { Server } from 'node:http';
import {
  type ContractRouter,
  createDeclaredPaths,
  createServer,
  type OpenApiDocument,
} from '@rostergate/runtime/contract';
import { createHealthHandlers } from '@rostergate/runtime/lifecycle';
import { createLimiter, createLimitMetrics } from '@rostergate/runtime/limits';
import { createPageHandlers, createRosterHandlers } from '@rostergate/runtime/pages';
import type { Telemetry } from '@rostergate/runtime/telemetry';
import type { SendOnce } from '@rostergate/runtime/upstream';
import { createStaffRouter, operations, type StaffHandlers } from '@rostergate/staff-server';
import { createAuthenticate } from './authenticate.ts';
import { createForwardHandlers } from './forward-handlers.ts';
import { createIssuedTokens } from './issued-tokens.ts';
import type { KeysFile, ServiceAccount } from './keys-file.ts';
import { createLoginHandler } from './login-handler.ts';
import { createCompanyPolicy } from './policies/company-policy.ts';
import { createProxyKeys, type StaffKey } from './proxy-keys.ts';
import type { Settings } from './settings.ts';
import { createStaffUpstream, type StaffUpstream } from './staff-upstream.ts';
import { createUpstreamHealth } from './upstream-health.ts';
import { createUpstreamSession, type UpstreamSession } from './upstream-session.ts';

export interface AppConfig {
  readonly settings: Settings;
  readonly keysFile: KeysFile;
}

export interface AppDependencies {
  /** The contract as this proxy serves it. */
  readonly document: OpenApiDocument;
  readonly version: string;
  /** Milliseconds since the epoch that never go back. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  readonly telemetry: Telemetry;
  /** Reaches the host of `upstream_url`. */
  readonly request: SendOnce;
}

export interface App {
  /** Serves everything; does not listen yet. */
  readonly server: Server;
  /** From now on readiness says that the proxy is about to stop. */
  beginDrain(): void;
}

/** Builds the proxy without any I/O. */
export function createApp(config: AppConfig, dependencies: AppDependencies): App {
  const { settings } = config;
  const { document, version, clock, telemetry, request } = dependencies;
  const upstream = createStaffUpstream({ request, baseUrl: settings.upstream_url, ownBase: basePathOf(document) });
  const isReachable = () => upstream.isReachable();
  const health = createHealthHandlers({
    version,
    clock,
    startedMs: clock(),
    dependencies: { upstream: createUpstreamHealth({ isReachable, clock }) },
  });
  const router = createProxyRouter(config, dependencies, upstream, {
    getHealth: health.getHealth,
    getLiveness: health.getLiveness,
    getReadiness: health.getReadiness,
    getMetrics: telemetry.metricsHandlers.getMetrics,
    ...createPageHandlers({ document: () => document, title: document.info.title, home: 'Roster' }),
    ...createRosterHandlers({ document }),
  });
  return {
    server: createServer({ router: () => router, onRefusal: telemetry.observeRefusal }),
    beginDrain: health.beginDrain,
  };
}

type ForwardedId = (typeof forwardedIds)[number];
type SystemHandlers = Omit<StaffHandlers<StaffKey>, ForwardedId | 'login'>;

/** The operations that are the upstream's to answer. */
const forwardedIds = [
  'listStaffMembers',
  'createStaffMember',
  'getStaffMember',
  'updateStaffMember',
  'listStaffLocations',
  'addStaffLocationTag',
  'addStaffTag',
  'setStaffSkillset',
  'removeStaffSkillset',
  'listStaffProfiles',
  'setStaffProfile',
  'listPayModifiers',
  'createPayModifier',
  'updatePayModifier',
  'deletePayModifier',
  'listBadgeIds',
  'listRequestLimits',
  'setStaffManager',
] as const;

function createProxyRouter(
  { settings, keysFile }: AppConfig,
  { document, clock, randomBytes, telemetry }: AppDependencies,
  upstream: StaffUpstream,
  systemHandlers: SystemHandlers,
): ContractRouter {
  const proxyKeys = createProxyKeys(keysFile.keys);
  const keys = () => proxyKeys;
  const tokens = createIssuedTokens({ clock, randomBytes, lifetimeS: settings.token_lifetime_s });
  const handlers: StaffHandlers<StaffKey> = {
    ...systemHandlers,
    login: createLoginHandler({ keys, tokens, clock }),
    ...createForwardHandlers(operations, forwardedIds, {
      upstream,
      sessionOf: createSessions(keysFile.accounts, upstream, clock),
      policies: [createCompanyPolicy(takersOfCompanyKey(document))],
    }),
  };
  return createStaffRouter(handlers, {
    document,
    authenticate: createAuthenticate({ keys, tokens, clock }),
    limit: settings.rate_limit_enabled
      ? createLimiter<StaffKey>({
          name: 'staff-proxy',
          anonymousPerWindow: settings.rate_limit_per_minute,
          authenticatedPerWindow: settings.rate_limit_per_minute_authenticated,
          clock,
          onDecision: createLimitMetrics(telemetry.registry, () => ({ status: 'ready' })),
        })
      : undefined,
    observe: telemetry.observe,
    startTrace: telemetry.startTrace,
    clock,
    bodyBytesMax: settings.body_bytes_max,
  });
}

/** One standing login for each account; a key's account is known to exist. */
function createSessions(
  accounts: ReadonlyMap<string, ServiceAccount>,
  upstream: StaffUpstream,
  clock: () => number,
): (account: string) => UpstreamSession {
  const sessions = new Map(
    [...accounts].map(([name, account]) => [
      name,
      createUpstreamSession({ login: () => upstream.login(account), clock }),
    ]),
  );
  return (account) => sessions.get(account) as UpstreamSession;
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
