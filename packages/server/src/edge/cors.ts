import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';

export interface CorsOptions {
  /** Exact origins, such as `https://app.example`, or `*` for any. */
  readonly origins: readonly string[];
  /** Whether pages may send cookies and other browser credentials; not with `*`. */
  readonly credentials?: boolean;
  /** How long a browser may cache the response to a preflight. */
  readonly maxAgeSeconds?: number;
}

export type ResponseHeaders = Readonly<Record<string, string>>;

/** The CORS policy (Fetch standard §3.2), with its response headers precomputed. */
export interface Cors {
  /** Whether responses differ by `Origin`, so that they need `Vary: Origin`. */
  readonly variesByOrigin: boolean;
  /** The headers of any response to this origin; undefined for an origin that is not allowed. */
  headersFor(origin: string | undefined): ResponseHeaders | undefined;
  /** More headers, for the response to a preflight of a path with these methods; undefined for other requests. */
  preflightHeaders(req: PreflightRequest, allow: string): ResponseHeaders | undefined;
}

/**
 * Returns the policy; undefined when no origin is allowed.
 * @throws RangeError with the first fault of `findCorsFault`.
 */
export function createCors(options: CorsOptions): Cors | undefined {
  const { origins, credentials = false, maxAgeSeconds = 600 } = options;
  const fault = findCorsFault(options);
  if (fault !== undefined) throw new RangeError(fault.detail);
  if (origins.length === 0) return undefined;
  const isAny = origins.includes('*');
  const headersOf = (origin: string): ResponseHeaders =>
    Object.freeze({
      'Access-Control-Allow-Origin': origin,
      ...(credentials ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
      'Access-Control-Expose-Headers': exposedHeaders,
    });
  const any = headersOf('*');
  const byOrigin = new Map(origins.map((origin) => [origin, headersOf(origin)]));

  const headersFor = (origin: string | undefined): ResponseHeaders | undefined =>
    isAny ? any : origin === undefined ? undefined : byOrigin.get(origin);

  return {
    variesByOrigin: !isAny,
    headersFor,
    preflightHeaders(req, allow) {
      const { headers } = req;
      if (!isPreflight(req) || headersFor(headers.origin) === undefined) return undefined;
      const requested = headers['access-control-request-headers'];
      return {
        'Access-Control-Allow-Methods': allow,
        // An operation may accept any header; the origin decides who may send it.
        ...(requested !== undefined && fieldNames.test(requested) ? { 'Access-Control-Allow-Headers': requested } : {}),
        'Access-Control-Max-Age': String(maxAgeSeconds),
      };
    },
  };
}

type PreflightRequest = Pick<IncomingMessage, 'method' | 'headers'>;

/** Returns whether a request is a CORS preflight, which browsers send without a key. */
export function isPreflight({ method, headers }: PreflightRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** The response headers that a page may read, beside those that the Fetch standard always allows. */
const exposedHeaders = [
  'Allow',
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Link',
  'Location',
  'OData-Version',
  'Proxy-Status',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** A list of field names as browsers write it; nothing else is echoed. */
const fieldNames = /^[\w!#$%&'*+.^`|~-]{1,64}(?: ?, ?[\w!#$%&'*+.^`|~-]{1,64}){0,63}$/;

export interface CorsFault {
  readonly option: keyof CorsOptions;
  readonly detail: string;
}

/** Returns what makes options unusable: an origin that no browser sends, or credentials for any page. */
export function findCorsFault({ origins, credentials = false }: CorsOptions): CorsFault | undefined {
  if (credentials && origins.includes('*')) {
    return { option: 'credentials', detail: 'With `*` any page could act as the user: list the origins instead.' };
  }
  for (const origin of origins) {
    if (origin === '*') continue;
    const url = URL.parse(origin);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      return { option: 'origins', detail: `"${origin}" is not an origin: write one such as https://app.example.` };
    }
    if (url.origin !== origin) {
      return { option: 'origins', detail: `Browsers never send "${origin}" as an origin: write ${url.origin}.` };
    }
  }
  return undefined;
}

export interface CorsSettings {
  readonly cors_origins: readonly string[];
  readonly cors_credentials: boolean;
  readonly cors_max_age_seconds: number;
}

/** Returns the policy of the settings. */
export function corsOf(settings: CorsSettings): Cors | undefined {
  return createCors({
    origins: settings.cors_origins,
    credentials: settings.cors_credentials,
    maxAgeSeconds: settings.cors_max_age_seconds,
  });
}

/** Checks what the schema of the settings cannot express: the form of origins, and `*` without credentials. */
export function checkEdgeSettings(
  settings: Partial<CorsSettings> | null | undefined,
  context: z.core.$RefinementCtx,
): void {
  const { cors_origins: origins = [], cors_credentials: credentials } = settings ?? {};
  if (!Array.isArray(origins)) return;
  origins.forEach((origin, i) => {
    // The schema itself rejects other types.
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
