import type { Settings } from '@rostergate/endpoints';
import { type Cors, createCors, findCorsFault, type Timeouts } from '@rostergate/runtime/edge';
import type { z } from 'zod';

/** The pages that may call, by the settings. */
export function corsOf(settings: Readonly<Settings>): Cors | undefined {
  return createCors({
    origins: settings.cors_origins,
    credentials: settings.cors_credentials,
    maxAgeSeconds: settings.cors_max_age_seconds,
  });
}

/** How long the settings let callers take. */
export function timeoutsOf(settings: Readonly<Settings>): Partial<Timeouts> {
  return {
    headersMs: settings.headers_timeout_ms,
    requestMs: settings.request_timeout_ms,
    keepAliveMs: settings.keep_alive_timeout_ms,
  };
}

/** What the schema cannot say of the settings of CORS: origins are what browsers send, and `*` has no credentials. */
export function checkEdgeSettings(
  settings: Partial<Settings> | null | undefined,
  context: z.core.$RefinementCtx,
): void {
  const { cors_origins: origins = [], cors_credentials: credentials } = settings ?? {};
  if (!Array.isArray(origins)) return;
  origins.forEach((origin, i) => {
    const fault = findCorsFault({ origins: [String(origin)] });
    const path = ['cors_origins', i];
    if (fault !== undefined) context.addIssue({ code: 'custom', path, input: origin, message: fault.detail });
  });
  if (credentials !== true) return;
  const fault = findCorsFault({ origins: origins.filter((origin) => origin === '*'), credentials });
  const path = ['cors_credentials'];
  if (fault !== undefined) context.addIssue({ code: 'custom', path, input: credentials, message: fault.detail });
}
