import type { IncomingMessage } from 'node:http';

export interface CorsOptions {
  /** Exact origins, such as `https://app.example`, or `*` for any. */
  readonly origins: readonly string[];
  /** Whether pages may send the browser's own credentials along; not with `*`. */
  readonly credentials?: boolean;
  /** How long a browser may keep the answer to its preflight. */
  readonly maxAgeSeconds?: number;
}

export type ResponseHeaders = Readonly<Record<string, string>>;

/** Which pages may call, and with what; all headers are made beforehand (Fetch standard §3.2). */
export interface Cors {
  /** Whether answers differ by `Origin`, so that caches must be told. */
  readonly variesByOrigin: boolean;
  /** For an answer to this origin, errors too; undefined when the browser is to keep it from the page. */
  headersFor(origin: string | undefined): ResponseHeaders | undefined;
  /** Beside those: the answer to a preflight of a path with these methods; undefined when it is none. */
  preflightHeaders(req: AskingRequest, allow: string): ResponseHeaders | undefined;
}

/**
 * Makes the policy; undefined when no origin is allowed.
 * @throws RangeError naming the first fault of `findCorsFault`.
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
      const wanted = headers['access-control-request-headers'];
      return {
        'Access-Control-Allow-Methods': allow,
        // An operation may take any header; who may send it was decided by the origin.
        ...(wanted !== undefined && fieldNames.test(wanted) ? { 'Access-Control-Allow-Headers': wanted } : {}),
        'Access-Control-Max-Age': String(maxAgeSeconds),
      };
    },
  };
}

type AskingRequest = Pick<IncomingMessage, 'method' | 'headers'>;

/** A browser asks whether it may send a request; it does so without a key. */
export function isPreflight({ method, headers }: AskingRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** What a page may read of an answer beside the few headers that any page may. */
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

/** Names with commas between, as a browser writes them; nothing else is repeated. */
const fieldNames = /^[\w!#$%&'*+.^`|~-]{1,64}(?: ?, ?[\w!#$%&'*+.^`|~-]{1,64}){0,63}$/;

export interface CorsFault {
  readonly option: keyof CorsOptions;
  readonly detail: string;
}

/** What makes options unusable: a browser would never match the origin, or any page could act as the user. */
export function findCorsFault({ origins, credentials = false }: CorsOptions): CorsFault | undefined {
  if (credentials && origins.includes('*')) {
    return { option: 'credentials', detail: 'With `*` any page could act as the user: list the origins instead.' };
  }
  for (const origin of origins) {
    if (origin === '*') continue;
    const url = URL.parse(origin);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      return { option: 'origins', detail: `"${origin}" is no origin: write one such as https://app.example.` };
    }
    if (url.origin !== origin) {
      return { option: 'origins', detail: `"${origin}" is never what a browser sends: write ${url.origin}.` };
    }
  }
  return undefined;
}
