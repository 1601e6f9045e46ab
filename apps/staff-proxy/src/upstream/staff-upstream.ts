import type { CallTrace, RawReply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import {
  discard,
  isUnsafeSegment,
  type SendOnce,
  type UpstreamRequest,
  type UpstreamResponse,
  type UpstreamToken,
} from '@rostergate/upstream';
import type { ServiceAccount } from '../keys/keys-file.ts';
import { strongly } from '../reads/entity-tags.ts';
import type { Caller, StaffCall } from '../staff-call.ts';
import { createLoginRequest, isLoginRejected, readLogin } from './login-messages.ts';
import { readInTime, readJsonValue, relayNotModified, relayResponse } from './relay-response.ts';

/** A Staff Member API. */
export interface StaffUpstream {
  /** Returns the reply to a call, begun by the deadline; `token_rejected` when the upstream wants another login. */
  send(call: StaffCall, token: string, caller: Caller, deadlineMs: number): Promise<RawReply | 'token_rejected'>;
  /** Returns `refused` when the upstream rejects the credentials. */
  login(account: ServiceAccount): Promise<UpstreamToken | 'refused'>;
  /** Whether it responds with another status than 5xx. */
  isReachable(): Promise<boolean>;
}

/** How an upstream wants to be asked, and how its responses become those of the contract. */
export interface UpstreamForm {
  /** @throws Problem for every rejection and fault of the upstream. */
  send(call: StaffCall, exchange: Exchange): Promise<RawReply | 'token_rejected'>;
}

/** Requests to the upstream for one call, with the account's token and by the deadline. */
export interface Exchange {
  /** Sends a call as it is. Relay, read or discard the response. */
  ask(call: StaffCall): Promise<UpstreamResponse | 'token_rejected'>;
  /** Sends a call and relays the response. */
  forward(call: StaffCall): Promise<RawReply | 'token_rejected'>;
  /** Returns the response to a call as the proxy's. @throws Problem for every rejection and fault of the upstream. */
  relay(response: UpstreamResponse, call: StaffCall): RawReply | Promise<RawReply>;
  /** Reads, by the deadline, what is needed before replying. @throws Problem 504. */
  inTime<T>(response: UpstreamResponse, read: () => T | Promise<T>): T | Promise<T>;
  /** Returns the value of a JSON response; undefined for any other. @throws Problem when it breaks off or is too long. */
  read(response: UpstreamResponse): unknown;
}

/** The form of an upstream that serves the contract. */
export const contractForm: UpstreamForm = {
  send: (call, exchange) => exchange.forward(call),
};

export interface StaffUpstreamOptions {
  /** Sends to the host of `baseUrl`. */
  readonly request: SendOnce;
  /** Address of the API; its path ends in the contract's base. */
  readonly baseUrl: URL;
  /** Base path of the same operations at this proxy. */
  readonly ownBase: string;
  readonly form: UpstreamForm;
  /** How long a login may take. */
  readonly timeoutMs: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export function createStaffUpstream(options: StaffUpstreamOptions): StaffUpstream {
  const { request, baseUrl, ownBase, form, timeoutMs, clock } = options;
  const base = baseUrl.pathname.replace(/\/$/, '');
  const { origin } = baseUrl;

  const rewriteLocation = createLocationRewriter(baseUrl, ownBase);
  const routes = new WeakMap<Operation, OutgoingRoute>();

  function routeOf(operation: Operation): OutgoingRoute {
    let known = routes.get(operation);
    if (known === undefined) {
      known = createOutgoingRoute(operation, base);
      routes.set(operation, known);
    }
    return known;
  }

  class Turn implements Exchange {
    readonly #token: string;
    readonly #caller: Caller;
    readonly #deadlineMs: number;

    constructor(token: string, caller: Caller, deadlineMs: number) {
      this.#token = token;
      this.#caller = caller;
      this.#deadlineMs = deadlineMs;
    }

    ask(call: StaffCall): Promise<UpstreamResponse | 'token_rejected'> {
      return this.#send(call, (response) => response);
    }

    forward(call: StaffCall): Promise<RawReply | 'token_rejected'> {
      return this.#send(call, (response) => this.relay(response, call));
    }

    #send<T>(call: StaffCall, take: (response: UpstreamResponse) => T | Promise<T>): Promise<T | 'token_rejected'> {
      const { requestId, signal, trace, via } = this.#caller;
      const { operation, query, body } = call;
      const { method, pieces, template } = routeOf(operation);
      let path: string;
      try {
        path = fillPath(pieces, call) + (query === '' ? '' : `?${asciiOf(query)}`);
      } catch (error) {
        return Promise.reject(error);
      }
      const traced = trace?.startCall({ method, origin, template });
      const headers = headersFor(call, this.#token, requestId, traced);
      if (via !== undefined) headers.Via = via;
      // PUT and DELETE are idempotent by HTTP, but an upstream may implement them otherwise.
      const isRepeatable = operation.method === 'get';
      const sent: UpstreamRequest = { method, path, headers, signal, deadlineMs: this.#deadlineMs, isRepeatable };
      return request(body === undefined ? sent : { ...sent, body: JSON.stringify(body) }).then(
        (response) => {
          traced?.end({ status: response.status });
          if (response.status !== 401) return take(response);
          discard(response);
          return 'token_rejected';
        },
        (error) => {
          traced?.end({ error });
          throw error;
        },
      );
    }

    relay(response: UpstreamResponse, call: StaffCall): RawReply | Promise<RawReply> {
      const isNotModified = response.status === 304 && call.headers['If-None-Match'] !== undefined;
      return isNotModified
        ? relayNotModified(response)
        : this.inTime(response, () => relayResponse(response, rewriteLocation, this.#token));
    }

    read(response: UpstreamResponse): unknown {
      return this.inTime(response, () => readJsonValue(response, this.#token));
    }

    inTime<T>(response: UpstreamResponse, read: () => T | Promise<T>): T | Promise<T> {
      return readInTime(response, () => this.#deadlineMs - clock(), read);
    }
  }

  return {
    send: (call, token, caller, deadlineMs) => form.send(call, new Turn(token, caller, deadlineMs)),
    async login(account) {
      const deadlineMs = clock() + timeoutMs;
      const response = await request({ ...createLoginRequest(`${base}/login`, account), deadlineMs });
      if (isLoginRejected(response)) return 'refused';
      return readInTime(
        response,
        () => deadlineMs - clock(),
        () => readLogin(response),
      );
    },
    async isReachable() {
      const response = await request({ method: 'GET', path: '/health/live', headers: {} });
      discard(response);
      return response.status < 500;
    },
  };
}

/** Returns a function that maps an address of the upstream to the proxy's; undefined for any other. */
export function createLocationRewriter(baseUrl: URL, ownBase: string): (location: string) => string | undefined {
  const base = baseUrl.pathname.replace(/\/$/, '');
  return (location) => {
    const url = URL.parse(location, baseUrl);
    const isInside = url?.origin === baseUrl.origin && url.pathname.startsWith(`${base}/`);
    return isInside ? ownBase + url.pathname.slice(base.length) + url.search : undefined;
  };
}

type Operation = StaffCall['operation'];

/** The constant part of an operation's requests. */
interface OutgoingRoute {
  readonly method: string;
  /** Path template below the upstream's root. */
  readonly template: string;
  /** The template split into its texts and parameter names, in turn. */
  readonly pieces: readonly string[];
}

function createOutgoingRoute({ method, path }: Operation, base: string): OutgoingRoute {
  const template = base + path;
  return { method: method.toUpperCase(), template, pieces: template.split(/\{([^}]+)\}/) };
}

/** Returns the path with the caller's values; rejects an identifier that would leave its segment when decoded. */
function fillPath(pieces: readonly string[], { path }: StaffCall): string {
  let filled = pieces[0] as string;
  for (let i = 1; i < pieces.length; i += 2) {
    const name = pieces[i] as string;
    const value = path[name] ?? '';
    const isPlain = unreserved.test(value);
    if (isPlain ? /^\.{1,2}$/.test(value) : isUnsafeSegment(value) || isCount.test(value)) {
      throw new Problem('not_found', `Nothing has this ${name}. Use one from a list.`);
    }
    filled += (isPlain ? value : encodeURIComponent(value)) + pieces[i + 1];
  }
  return filled;
}

/** Not a key in OData: the upstream would count people (OData protocol 4.01, section 11.2.10). */
const isCount = /^\$count$/i;

/** Characters that encodeURIComponent leaves as they are. */
const unreserved = /^[\w.~-]+$/;

/**
 * Encodes the bytes of a query that a URI must not contain (RFC 3986 §2.1). A raw `#` would hide the rest of the query,
 * with the company, from an upstream that takes it for a fragment.
 */
function asciiOf(query: string): string {
  if (!/[^\x21-\x7e]|#/.test(query)) return query;
  return query.replaceAll(/[^\x21-\x7e]|#/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/**
 * Returns the JSON forms that a caller accepts, such as OData's envelope, or any JSON. Other types are not forwarded:
 * only JSON is checked, and freed of what a key may not see.
 */
function jsonOf(accept: string | undefined): string {
  if (accept === undefined || accept === 'application/json') return 'application/json';
  const ranges = accept.match(/(?:[^,"]|"[^"]*")+/g) ?? [];
  return ranges.filter((range) => /^\s*application\/json\s*(?:;|$)/i.test(range)).join() || 'application/json';
}

function headersFor(
  call: StaffCall,
  token: string,
  requestId: string,
  traced: CallTrace | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in call.headers) {
    const value = call.headers[name] as string;
    // Compression by this proxy has weakened the tag; the upstream knows the strong one.
    headers[name] = name === 'If-Match' ? strongly(value) : value;
  }
  headers.Authorization = `bearer ${token}`;
  headers.Accept = jsonOf(call.accept);
  headers['X-Request-Id'] = requestId;
  if (traced !== undefined) for (const name in traced.headers) headers[name] = traced.headers[name] as string;
  if (call.body !== undefined) headers['Content-Type'] = 'application/json';
  return headers;
}
