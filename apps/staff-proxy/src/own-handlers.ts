import { createPageHandlers } from '@rostergate/pages';
import { createRosterHandlers } from '@rostergate/roster-page';
import type { OpenApiDocument } from '@rostergate/server';
import type { HealthHandlers } from '@rostergate/server/lifecycle';
import type { Telemetry } from '@rostergate/server/telemetry';
import type { StaffHandlers } from '@rostergate/staff-server';
import type { IssuedTokens } from './keys/issued-tokens.ts';
import { createLoginHandler } from './keys/login-handler.ts';
import type { ProxyKeys, StaffKey } from './keys/proxy-keys.ts';
import type { Settings } from './settings.ts';

export interface OwnHandlersOptions {
  readonly settings: Settings;
  readonly document: OpenApiDocument;
  readonly keys: ProxyKeys;
  readonly tokens: IssuedTokens;
  readonly health: HealthHandlers;
  readonly telemetry: Telemetry;
  readonly clock: () => number;
}

/** The operations that the proxy answers without the upstream. */
export type OwnHandlers = Pick<
  StaffHandlers<StaffKey>,
  | ('getHealth' | 'getLiveness' | 'getReadiness' | 'getMetrics' | 'login')
  | ('getOpenapiDocument' | 'getDocs' | 'getDocsAsset' | 'getRedoc' | 'getRedocAsset')
  | ('getRosterPage' | 'getRosterAsset')
>;

/** Returns the handlers of the proxy's own operations for one configuration. */
export function createOwnHandlers(options: OwnHandlersOptions): OwnHandlers {
  const { settings, document, keys, tokens, health, telemetry, clock } = options;
  const { getHealth, getLiveness, getReadiness } = health;
  return {
    getHealth,
    getLiveness,
    getReadiness,
    getMetrics: telemetry.metricsHandlers.getMetrics,
    ...createPageHandlers({
      document: () => document,
      title: document.info.title,
      pages: (['docs', 'redoc'] as const).filter((page) => settings[`enable_${page}`]),
      home: settings.enable_landing_page ? 'Roster' : undefined,
    }),
    ...createRosterHandlers({ document }),
    login: createLoginHandler({ keys, tokens, clock, lifetimeS: settings.token_lifetime_s }),
  };
}
