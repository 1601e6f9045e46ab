import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import type { CallSignal } from '@rostergate/server';
import type { buildConnector, Pool } from 'undici';
import { type ClientTls, createConnector } from './connector.ts';
import { Exchange } from './exchange.ts';
import type { OnInterim, ResponseHead, UpstreamResponse } from './upstream-response.ts';

export interface UpstreamOptions {
  /** The address of the upstream; its path is ignored. */
  readonly baseUrl: string;
  /** How long a connection may take to open. */
  readonly connectTimeoutMs?: number;
  /** How long the head of a response may take without a deadline, waiting for a free connection included. */
  readonly headersTimeoutMs?: number;
  /** How long to wait for more of a body; 0 for any time. */
  readonly bodyTimeoutMs?: number;
  readonly connectionsMax?: number;
  readonly tls?: ClientTls | undefined;
  /** Creates sockets, in place of TCP and TLS. */
  readonly connect?: buildConnector.connector;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

/**
 * A body that is opened on demand. `open` returns a new stream each time, as long as no stream has been read from.
 */
export interface OpenableBody {
  open(): Readable;
  /** No stream has been read from: the body can be sent from its beginning. */
  readonly isUntouched: boolean;
}

export type RequestBody = string | Uint8Array | Readable | OpenableBody;

export function isOpenable(body: RequestBody): body is OpenableBody {
  return typeof body === 'object' && 'open' in body;
}

/** Whether a request with this body can be sent again from its first byte. */
export function canSendAgain(body: RequestBody | undefined): boolean {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return true;
  return isOpenable(body) && body.isUntouched;
}

/** Whether the upstream, or a proxy before it, could not handle the request now. */
export function isOverloadedOrDown(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

/** A request to an upstream. Path, headers and body are sent unchanged. */
export interface UpstreamRequest {
  readonly method: string;
  /** The path from the root, with its query. */
  readonly path: string;
  /** By name, or as alternating names and values. */
  readonly headers?: Readonly<Record<string, string>> | readonly string[];
  readonly body?: RequestBody;
  /** Asks for another protocol: the body of a 101 is the socket, which then belongs to the caller. */
  readonly upgrade?: 'websocket';
  readonly signal?: CallSignal;
  /** The deadline of the response head, by the clock of the upstream. */
  readonly deadlineMs?: number;
  /** Whether it may be sent twice; by default its method decides (RFC 9110 §9.2.2). */
  readonly isRepeatable?: boolean;
  /** Its caller: failures of one caller do not open a breaker for others. */
  readonly caller?: string | undefined;
  /** This target was already tried in the same call: breakers count calls, not attempts. */
  readonly isRepeated?: boolean;
  /** Receives the host of each target to which it is sent, the last one in the end. */
  readonly record?: { upstream?: string | undefined } | undefined;
  /** The targets that were tried, which `balance` avoids and extends. */
  readonly tried?: Set<object>;
  /** Called for each interim response (RFC 9110 §15.2) except 100 and 101. */
  readonly onInterim?: OnInterim | undefined;
  /** Called when the head of the response arrives, before the promise resolves. */
  readonly onHead?: (head: ResponseHead) => void;
  /** Called once when the exchange and its body end, with the fault that ended it, if any. */
  readonly onSettled?: (fault: Error | undefined) => void;
}

/** Sends one request once. Retries, breakers and balancing wrap such a function. */
export type SendOnce = (request: UpstreamRequest) => Promise<UpstreamResponse>;

export interface Upstream {
  /**
   * Read the body of the response to its end or destroy it: until then it holds a connection.
   * @throws Problem `upstream_failed` (502) or `upstream_timeout` (504) without a response.
   */
  readonly request: SendOnce;
  /**
   * Closes every connection once the requests in flight have ended. A later request opens connections for itself, so that
   * a configuration that is being replaced loses none.
   */
  close(): Promise<void>;
  /** Aborts requests in flight. */
  destroy(): Promise<void>;
}

/**
 * Creates a client of one upstream over a pool of connections, which opens at the first request: HTTP/1.1, without
 * following redirects, with streamed bodies. Every fault becomes a `Problem` without internal details, by the deadline.
 * @throws RangeError for an invalid address.
 */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { connectTimeoutMs = 2_000, headersTimeoutMs = 10_000, bodyTimeoutMs = 30_000, connectionsMax = 128 } = options;
  const clock = options.clock ?? (() => performance.now());
  const { origin } = parseTarget(options.baseUrl);
  let pool: Pool | undefined;
  let isClosed = false;
  /** Requests in flight that began after `close`. */
  let lateRequests = 0;

  function openPool(): Pool {
    // Loaded with the first request, since a server may have no upstream.
    const { Pool } = require('undici') as typeof import('undici');
    return new Pool(origin, {
      connections: connectionsMax,
      pipelining: 1,
      allowH2: false,
      connect: options.connect ?? createConnector(connectTimeoutMs, options.tls),
      // The exchange enforces exact deadlines from the start, which undici's timers of a second cannot.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Closing waits for requests in flight. */
  async function closeIfUnused(): Promise<void> {
    if (lateRequests > 0) return;
    const unused = pool;
    pool = undefined;
    if (unused !== undefined && !unused.destroyed) await unused.close();
  }

  /** Counts a request that begins after `close`; the end of the last one closes the pool again. */
  function countLate(onSettled: UpstreamRequest['onSettled']): UpstreamRequest['onSettled'] {
    lateRequests++;
    return (fault) => {
      lateRequests--;
      closeIfUnused().catch(() => {});
      onSettled?.(fault);
    };
  }

  return {
    request({ method, path, headers, body, upgrade, signal, deadlineMs, onInterim, onHead, onSettled }) {
      // An absolute URL or a line break in the path would change the destination or add headers.
      if (!/^\/[\x21-\x7e]*$/.test(path)) throw new RangeError('A path begins with / and is percent-encoded.');
      const sent = body === undefined ? null : isOpenable(body) ? body.open() : body;
      pool ??= openPool();
      const used = pool;
      const exchange = new Exchange({
        headMsMax: deadlineMs === undefined ? headersTimeoutMs : deadlineMs - clock(),
        silenceMsMax: bodyTimeoutMs || Number.POSITIVE_INFINITY,
        ...{ signal, onInterim, onHead },
        onSettled: isClosed ? countLate(onSettled) : onSettled,
      });
      used.dispatch(
        { method, path, headers: headers as Record<string, string>, body: sent, upgrade: upgrade ?? null },
        exchange,
      );
      return exchange.response;
    },
    close() {
      isClosed = true;
      return closeIfUnused();
    },
    async destroy() {
      await pool?.destroy();
      pool = undefined;
    },
  };
}

/**
 * Parses the address of a server.
 * @throws RangeError that does not repeat the address, which may contain secrets.
 */
export function parseTarget(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new RangeError('is not a server address: use http:// or https://, a host, and a port if needed');
  }
  if (url.username !== '' || url.password !== '') {
    throw new RangeError('contains credentials: set them in headers, from the environment');
  }
  if (url.port === '0') throw new RangeError('has port 0, on which no server listens: use another port');
  if (url.search !== '' || url.hash !== '') throw new RangeError('has a query or a fragment: remove it');
  return url;
}

const require = createRequire(import.meta.url);
