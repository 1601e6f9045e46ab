import type { Endpoint, Service, Settings } from '@rostergate/endpoints';
import type { GatewayHandlers } from '@rostergate/gateway-server';
import type { OpenApiDocument, Principal } from '@rostergate/runtime/contract';
import type { HealthHandlers } from '@rostergate/runtime/lifecycle';
import { createPageHandlers } from '@rostergate/runtime/pages';
import { Problem } from '@rostergate/runtime/problem';
import type { Telemetry } from '@rostergate/runtime/telemetry';
import type { Authentication } from './authenticate.ts';
import { createEndpointLister } from './endpoint-list.ts';
import { createLandingHandlers } from './landing/landing-handlers.ts';
import { servedPages } from './switches.ts';

export interface BuiltInHandlersOptions {
  readonly settings: Readonly<Settings>;
  readonly document: OpenApiDocument;
  readonly endpoints: readonly Endpoint[];
  readonly services: readonly Service[];
  readonly authentication: Authentication;
  readonly health: HealthHandlers;
  readonly telemetry: Telemetry;
  readonly clock: () => number;
}

/** The handlers of every built-in operation, for one configuration. */
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
    }),
    ...createLandingHandlers({ settings, document, endpoints }),
    listEndpoints: createEndpointLister(endpoints, services),
    getAuthStatus: (_request, { principal }) => {
      const { name, scopes } = principal as Principal;
      return {
        status: 200,
        body: { timestamp: now(), authenticated: true, message: 'The key is valid.', name, scopes: [...scopes] },
      };
    },
    validateKey: (_request, context) => {
      const verdict = verdictOf(() => authentication.check(context));
      return { status: 200, body: { timestamp: now(), valid: verdict.code === 'key_valid', ...verdict } };
    },
  };
}

type VerdictCode = 'key_valid' | 'key_missing' | 'key_invalid' | 'key_expired' | 'key_revoked' | 'key_repeated';

interface Verdict {
  readonly code: VerdictCode;
  readonly message: string;
  readonly name?: string;
  readonly owner?: string;
  readonly scopes?: string[];
}

function verdictOf(check: () => Principal | null): Verdict {
  try {
    const principal = check();
    if (principal === null) {
      return { code: 'key_missing', message: 'Send a key in the X-API-Key header or as Authorization: Bearer.' };
    }
    const { name, owner, scopes } = principal;
    return { code: 'key_valid', message: 'The key is valid.', name, owner, scopes: [...scopes] };
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    return { code: error.code as VerdictCode, message: `${error.title}. ${error.detail}` };
  }
}
