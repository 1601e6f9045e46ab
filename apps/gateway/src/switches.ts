import type { Settings } from '@rostergate/endpoints';
import type { operations } from '@rostergate/gateway-server';

type OperationId = keyof typeof operations;
type Router = Settings['enabled_routers'][number];

/** A part of the gateway that settings turn on and off, and the built-in operations that go with it. */
export interface Switch {
  readonly what: 'router' | 'page';
  readonly name: string;
  readonly isOn: (settings: Readonly<Settings>) => boolean;
  readonly operations: readonly OperationId[];
}

/** Which pages a configuration serves. Docs and ReDoc show the document, so they go with it. */
export function servedPages(settings: Readonly<Settings>): {
  readonly landing: boolean;
  readonly openapi: boolean;
  readonly docs: boolean;
  readonly redoc: boolean;
} {
  const openapi = settings.enable_openapi;
  return {
    landing: settings.enable_landing_page,
    openapi,
    docs: openapi && settings.enable_docs,
    redoc: openapi && settings.enable_redoc,
  };
}

const router = (name: Router, ...ids: OperationId[]): Switch => ({
  what: 'router',
  name,
  isOn: (settings) => settings.enabled_routers.includes(name),
  operations: ids,
});

const page = (name: string, key: keyof ReturnType<typeof servedPages>, ...ids: OperationId[]): Switch => ({
  what: 'page',
  name,
  isOn: (settings) => servedPages(settings)[key],
  operations: ids,
});

export const switches: readonly Switch[] = [
  router('health', 'getHealth', 'getLiveness', 'getReadiness'),
  router('metrics', 'getMetrics'),
  router('auth', 'getAuthStatus', 'validateKey'),
  router('endpoints', 'listEndpoints'),
  page('/', 'landing', 'getLandingPage', 'getLandingAsset'),
  page('/openapi.json', 'openapi', 'getOpenapiDocument'),
  page('/docs', 'docs', 'getDocs', 'getDocsAsset'),
  page('/redoc', 'redoc', 'getRedoc', 'getRedocAsset'),
];
