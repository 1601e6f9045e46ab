import type { Readable } from 'node:stream';
import { type buildConnector, Pool } from 'undici';
import { Exchange, type UpstreamResponse } from './exchange.ts';

export interface UpstreamOptions {
  /** Address of the upstream; a path in it is the caller's business. */
  readonly baseUrl: string | URL;
  /** How long a connection may take to be made. */
  readonly connectTimeoutMs?: number;
  /** How long the head of an answer may take, waiting for a free connection included. */
  readonly headersTimeoutMs?: number;
  /** How long the upstream may be silent in the midst of a body. */
  readonly bodyTimeoutMs?: number;
  readonly connectionsMax?: number;
  /** Makes sockets, in place of TCP and TLS. */
  readonly connect?: buildConnector.connector;
}

/** One request outwards. Path, headers and body go out as they stand. */
export interface UpstreamRequest {
  readonly method: string;
  /** From the root, with its query. */
  readonly path: string;
  /** By name, or as alternating names and values. */
  readonly headers?: Readonly<Record<string, string>> | readonly string[];
  readonly body?: string | Uint8Array | Readable;
  readonly signal?: AbortSignal;
}

/** What came back. The body is to be read to its end or destroyed: until then it holds a connection. */
/** Sends one request, once. What retries, breaks circuits or caches wraps a function of this shape. */
export type SendOnce = (request: UpstreamRequest) => Promise<UpstreamResponse>;

export interface Upstream {
  readonly baseUrl: URL;
  /** @throws Problem `upstream_failed` (502) or `upstream_timeout` (504) when there is no answer. */
  readonly request: SendOnce;
  /** Resolves when what is in flight has ended and every connection is closed. */
  close(): Promise<void>;
  /** Cuts what is in flight. */
  destroy(): Promise<void>;
}

/**
 * A client of one upstream over a pool of kept connections: HTTP/1.1, no redirects followed, bodies streamed both
 * ways. Every fault becomes a `Problem` that names nothing internal, by the deadline.
 * @throws RangeError for an address that is not http or https, or that holds credentials.
 */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { connectTimeoutMs = 2_000, headersTimeoutMs = 10_000, bodyTimeoutMs = 30_000, connectionsMax = 128 } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  const pool = new Pool(baseUrl.origin, {
    connections: connectionsMax,
    pipelining: 1,
    allowH2: false,
    connect: options.connect ?? { timeout: connectTimeoutMs },
    // The exchange has its own, which counts from the start and is exact.
    headersTimeout: 0,
    bodyTimeout: bodyTimeoutMs,
  });

  return {
    baseUrl,
    request({ method, path, headers, body, signal }) {
      // An absolute address or a line break in the path would speak to somebody else, or of something else.
      if (!/^\/[\x21-\x7e]*$/.test(path)) throw new RangeError('A path begins with / and is percent-encoded.');
      const exchange = new Exchange(headersTimeoutMs, signal);
      pool.dispatch({ method, path, headers: headers as Record<string, string>, body: body ?? null }, exchange);
      return exchange.response;
    },
    close: () => (pool.closed || pool.destroyed ? Promise.resolve() : pool.close()),
    destroy: () => pool.destroy(),
  };
}

function parseBaseUrl(address: string | URL): URL {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new RangeError('The address of an upstream begins with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new RangeError('The address of an upstream has no credentials, no query and no fragment.');
  }
  return url;
}
