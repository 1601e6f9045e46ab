import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import type { buildConnector } from 'undici';
import type { CallSignal } from '../contract/call-signal.ts';
import { createConnector } from './connector.ts';
import { DeadlineQueue } from './deadline-queue.ts';
import { Exchange } from './exchange.ts';
import type { OnInterim, ResponseHead, UpstreamResponse } from './upstream-response.ts';

export interface UpstreamOptions {
  /** Address of the upstream; a path in it is the caller's business. */
  readonly baseUrl: string | URL;
  /** How long a connection may take to be made. */
  readonly connectTimeoutMs?: number;
  /** How long the head of an answer may take, waiting for a free connection included, when a request says nothing. */
  readonly headersTimeoutMs?: number;
  /** How long the upstream may be silent in the midst of a body. */
  readonly bodyTimeoutMs?: number;
  readonly connectionsMax?: number;
  /** Makes sockets, in place of TCP and TLS. */
  readonly connect?: buildConnector.connector;
  /** Milliseconds that never go back. */
  readonly clock?: () => number;
}

/**
 * A body that is read where it is needed: `open` gives it as a stream, again and again as long as nobody has read from
 * one of them.
 */
export interface OpenableBody {
  open(): Readable;
  /** Nothing has been taken out yet: it can still be sent from its beginning. */
  readonly isUntouched: boolean;
}

export type RequestBody = string | Uint8Array | Readable | OpenableBody;

export function isOpenable(body: RequestBody): body is OpenableBody {
  return typeof body === 'object' && 'open' in body;
}

/** Whether a request with this body could be sent once more, from its first byte. */
export function canSendAgain(body: RequestBody | undefined): boolean {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return true;
  return isOpenable(body) && body.isUntouched;
}

/** One request outwards. Path, headers and body go out as they stand. */
export interface UpstreamRequest {
  readonly method: string;
  /** From the root, with its query. */
  readonly path: string;
  /** By name, or as alternating names and values. */
  readonly headers?: Readonly<Record<string, string>> | readonly string[];
  readonly body?: RequestBody;
  readonly signal?: CallSignal;
  /** When the head of the answer must be there, by the clock of the upstream. */
  readonly deadlineMs?: number;
  /** Whether it may be done twice; without a word its method says (RFC 9110 §9.2.2). */
  readonly isRepeatable?: boolean;
  /** Whose request it is: failures of one caller alone do not reject those of others. */
  readonly caller?: string | undefined;
  /** This target was asked in the same call before: breakers count calls, not tries. */
  readonly isRepeated?: boolean;
  /** Who has been asked already: whoever chooses among several targets asks others first, and notes its choice here. */
  readonly tried?: Set<object>;
  /** Called for each interim response (RFC 9110 §15.2) but 100 and 101. */
  readonly onInterim?: OnInterim | undefined;
  /** Called when the head of the answer is there, before the answer is. */
  readonly onHead?: (head: ResponseHead) => void;
  /** Called once when the exchange is over, its body included: with the fault that ended it, if one did. */
  readonly onSettled?: (fault: Error | undefined) => void;
}

/** Sends one request, once. What retries, breaks circuits or balances wraps a function of this shape. */
export type SendOnce = (request: UpstreamRequest) => Promise<UpstreamResponse>;

export interface Upstream {
  readonly baseUrl: URL;
  /**
   * The body of the answer is to be read to its end or destroyed: until then it holds a connection.
   * @throws Problem `upstream_failed` (502) or `upstream_timeout` (504) when there is no answer.
   */
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
  const clock = options.clock ?? (() => performance.now());
  const baseUrl = parseBaseUrl(options.baseUrl);
  // Loaded with the first upstream: a server that has none starts without it.
  const { Pool } = require('undici') as typeof import('undici');
  const pool = new Pool(baseUrl.origin, {
    connections: connectionsMax,
    pipelining: 1,
    allowH2: false,
    connect: options.connect ?? createConnector(connectTimeoutMs),
    // The exchange has its own, which count from the start, are exact and cost nothing where all comes at once.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // Timers go by the machine's time, whatever clock the deadlines of requests are told by.
  const deadlines = new DeadlineQueue(() => performance.now());

  return {
    baseUrl,
    request({ method, path, headers, body, signal, deadlineMs, onInterim, onHead, onSettled }) {
      // An absolute address or a line break in the path would speak to somebody else, or of something else.
      if (!/^\/[\x21-\x7e]*$/.test(path)) throw new RangeError('A path begins with / and is percent-encoded.');
      const leftMs = deadlineMs === undefined ? headersTimeoutMs : deadlineMs - clock();
      const dueMs = deadlines.nowMs + leftMs;
      const exchange = new Exchange({
        ...{ deadlines, dueMs, silenceMsMax: bodyTimeoutMs },
        ...{ signal, onInterim, onHead, onSettled },
      });
      const sent = body === undefined ? null : isOpenable(body) ? body.open() : body;
      pool.dispatch({ method, path, headers: headers as Record<string, string>, body: sent }, exchange);
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

const require = createRequire(import.meta.url);
