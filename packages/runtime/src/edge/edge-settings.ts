import type { z } from 'zod';
import { type Cors, createCors, findCorsFault } from './cors.ts';
import type { Timeouts } from './timeouts.ts';

export interface CorsSettings {
  readonly cors_origins: readonly string[];
  readonly cors_credentials: boolean;
  readonly cors_max_age_seconds: number;
}

export interface TimeoutSettings {
  readonly headers_timeout_ms: number;
  readonly request_timeout_ms: number;
  readonly keep_alive_timeout_ms: number;
}

/** The pages that may call, by the settings. */
export function corsOf(settings: CorsSettings): Cors | undefined {
  return createCors({
    origins: settings.cors_origins,
    credentials: settings.cors_credentials,
    maxAgeSeconds: settings.cors_max_age_seconds,
  });
}

/** How long the settings let callers take. */
export function timeoutsOf(settings: TimeoutSettings): Partial<Timeouts> {
  return {
    headersMs: settings.headers_timeout_ms,
    requestMs: settings.request_timeout_ms,
    keepAliveMs: settings.keep_alive_timeout_ms,
  };
}

/** What the schema cannot say of the settings of CORS: origins are what browsers send, and `*` has no credentials. */
export function checkEdgeSettings(
  settings: Partial<CorsSettings> | null | undefined,
  context: z.core.$RefinementCtx,
): void {
  const { cors_origins: origins = [], cors_credentials: credentials } = settings ?? {};
  if (!Array.isArray(origins)) return;
  origins.forEach((origin, i) => {
    // What is no text the schema refuses itself, and not all of it can be made one.
    if (typeof origin !== 'string') return;
    const fault = findCorsFault({ origins: [origin] });
    const path = ['cors_origins', i];
    if (fault !== undefined) context.addIssue({ code: 'custom', path, input: origin, message: fault.detail });
  });
  if (credentials !== true) return;
  const fault = findCorsFault({ origins: origins.filter((origin) => origin === '*'), credentials });
  const path = ['cors_credentials'];
  if (fault !== undefined) context.addIssue({ code: 'custom', path, input: credentials, message: fault.detail });
}
