import { type Endpoint, type Service, type Settings, upstreamPartsOf } from '@rostergate/endpoints';
import type { GatewayHandlers } from '@rostergate/gateway-server';
import type { components } from '@rostergate/gateway-spec';
import { createPageHandlers } from '@rostergate/pages';
import type { Context, OpenApiDocument, Principal, RawReply } from '@rostergate/server';
import type { HealthHandlers } from '@rostergate/server/lifecycle';
import { Problem } from '@rostergate/server/problem';
import { createJsonBytesSteps, runInSlices, type Steps } from '@rostergate/server/steps';
import { describeCause, type Telemetry } from '@rostergate/server/telemetry';
import { type Authentication, isOfToken } from './authenticate.ts';
import { createLandingHandlers } from './landing/landing-page.ts';
import { createGatewayMcpHandlers, type GatewayMcpOptions } from './mcp/mcp-handlers.ts';
import type { PortalHandlers } from './portal/portal-operations.ts';
import { ownPageLinks, servedPages } from './served-document.ts';
import type { Usage } from './usage/usage.ts';
import { createUsageHandler } from './usage/usage-handler.ts';

export interface BuiltInHandlersOptions extends Pick<GatewayMcpOptions, 'router' | 'send' | 'version'> {
  readonly settings: Readonly<Settings>;
  readonly document: OpenApiDocument;
  readonly endpoints: readonly Endpoint[];
  readonly services: readonly Service[];
  readonly authentication: Authentication;
  readonly health: HealthHandlers;
  readonly telemetry: Telemetry;
  readonly clock: () => number;
  readonly usage: Pick<Usage, 'read'>;
  readonly portal: PortalHandlers;
}

/** Returns the handlers of every built-in operation, for one configuration. */
export function createBuiltInHandlers(options: BuiltInHandlersOptions): GatewayHandlers {
  const { settings, document, endpoints, services, authentication, health, telemetry, clock } = options;
  const pages = servedPages(settings);
  const { getHealth, getLiveness, getReadiness } = health;
  const now = () => new Date(clock()).toISOString();

  return {
    getHealth,
    getLiveness,
    getReadiness,
    ...telemetry.metricsHandlers,
    ...createPageHandlers({
      document: () => document,
      title: document.info.title,
      pages: (['docs', 'redoc'] as const).filter((page) => pages[page]),
      home: pages.landing ? 'Overview' : undefined,
      more: ownPageLinks(settings),
    }),
    ...createLandingHandlers({ settings, document, endpoints }),
    ...createGatewayMcpHandlers({
      ...options,
      onError: (error) => telemetry.log.warn({ err: describeCause(error) }, 'a call of a tool failed'),
    }),
    getUsage: createUsageHandler(options),
    ...options.portal,
    listEndpoints: createEndpointLister(endpoints, services, settings.plans),
    getAuthStatus: (_request, { principal }) => {
      const { name, scopes, plan } = principal as Principal;
      const facts = { name, scopes: [...scopes], ...(plan === undefined ? {} : { plan }) };
      const message = validText(principal as Principal);
      return { status: 200, body: { timestamp: now(), authenticated: true, message, ...facts } };
    },
    async validateKey(_request, context) {
      const verdict = await verdictOf(async () => authentication.check(context as unknown as Context<Principal>));
      return { status: 200, body: { timestamp: now(), valid: verdict.code.endsWith('_valid'), ...verdict } };
    },
  };
}

type Verdict = Omit<Schemas['KeyVerdict'], 'timestamp' | 'valid'>;

function validText(principal: Principal): string {
  return isOfToken(principal) ? 'The token is valid.' : 'The key is valid.';
}

async function verdictOf(check: () => Promise<Principal | null>): Promise<Verdict> {
  try {
    const principal = await check();
    if (principal === null) {
      return { code: 'key_missing', message: 'Send a key in the X-API-Key header or as Authorization: Bearer.' };
    }
    const { name, owner, scopes, plan } = principal;
    const code = isOfToken(principal) ? 'token_valid' : 'key_valid';
    const facts = { name, owner, scopes: [...scopes], ...(plan === undefined ? {} : { plan }) };
    return { code, message: validText(principal), ...facts };
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    return { code: error.code as Verdict['code'], message: `${error.title}. ${error.detail}` };
  }
}

type Schemas = components['schemas'];

/** Returns the handler that lists the endpoints. The list is created in slices with the first request, and cached. */
function createEndpointLister(
  endpoints: readonly Endpoint[],
  services: readonly Service[],
  plans: Settings['plans'],
): () => Promise<RawReply> {
  let written: Promise<RawReply> | undefined;
  const write = async (): Promise<RawReply> => ({
    status: 200,
    raw: await runInSlices(createEndpointListSteps(endpoints, services, plans)),
    contentType: 'application/json',
  });
  return () => {
    written ??= write();
    return written;
  };
}

function* createEndpointListSteps(
  endpoints: readonly Endpoint[],
  services: readonly Service[],
  plans: Settings['plans'],
): Steps<Buffer> {
  const listed: Schemas['Endpoint'][] = [];
  for (const endpoint of endpoints) {
    yield;
    listed.push(toListed(endpoint));
  }
  const list: Schemas['EndpointList'] = {
    endpoints: listed,
    services: services.map((service) => service.name).sort(),
    ...(Object.keys(plans).length === 0 ? {} : { plans }),
    total: listed.length,
  };
  return yield* createJsonBytesSteps(list);
}

function toListed({ path, method, service, requiresAuth, description, tags, summary, ...more }: Endpoint) {
  const parts = more.upstream && upstreamPartsOf(more.upstream);
  return {
    path,
    method: method.toUpperCase() as 'GET',
    service: service.name,
    enabled: true as const,
    requires_auth: requiresAuth,
    auth: [...(more.acceptsKeys ? ['key'] : []), ...more.issuers.map((name) => `jwt:${name}`)],
    scopes: [...more.scopes],
    rate_limit_per_minute: more.rateLimitPerMinute ?? null,
    policies: more.policies.map((policy) => policy.name),
    description,
    tags: [...tags],
    summary,
    ...(parts === undefined || parts.length === 0 ? {} : { upstream: parts }),
  };
}
