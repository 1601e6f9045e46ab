import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Reply } from '../contract/index.ts';
import { Problem } from '../problem/index.ts';
import { partOf } from './byte-range.ts';
import { type CacheDirectives, parseCacheControl } from './cache-control.ts';
import { type CacheKey, createCacheStore, type SentHeader, type StoredResponse, variantKey } from './cache-store.ts';
import { conditionsFor, isSameVersion } from './conditions.ts';
import { fillBuffer } from './fill-buffer.ts';
import { textOf, withoutFields } from './reply-fields.ts';
import { isFreshWanted, mayReplaceFailure, reuseOf } from './reuse.ts';
import { type Lifetime, lifetimeOf } from './storability.ts';
import {
  ageOfStored,
  arrivalAge,
  createStoredResponse,
  discard,
  freshenedHeaders,
  passOn,
  type ReceivedReply,
  type ReplyPolicy,
  receive,
  replyOf,
} from './stored-response.ts';

export interface ResponseCacheOptions {
  /** Milliseconds since the epoch: responses contain dates. */
  readonly clock: () => number;
  /** Resolves after so many milliseconds, or rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** All stored responses together, in bytes. */
  readonly bytesMax?: number;
  /** One response, in bytes; a longer one is passed on as it arrives. */
  readonly answerBytesMax?: number;
  /** How long the rest of a response may take before it is passed on as it arrives. */
  readonly patienceMs?: number;
}

/** A GET or HEAD as the cache sees it. */
export interface CachedRequest extends CacheKey, ReplyPolicy {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** What Vary is matched against: request headers as they are sent upstream. */
  readonly sent: SentHeader;
  /** Whether an error only says that this caller has left. */
  readonly isGone: (error: unknown) => boolean;
  /** Whether the caller has left or the call was aborted: the response may be incomplete then. */
  readonly hasLeft: () => boolean;
  /** The longest that any response is reused. */
  readonly secondsMax: number;
}

/** Fetches the response, with conditions in place of the caller's; undefined leaves the caller's as they are. */
export type FetchReply = (conditions: Readonly<Record<string, string>> | undefined) => Reply | Promise<Reply>;

/** A shared cache (RFC 9111) that coalesces identical concurrent requests into one fetch. */
export interface ResponseCache {
  answer(request: CachedRequest, fetch: FetchReply): Promise<Reply>;
  /** Removes what is stored for a URI, and keeps responses that are on their way from being stored (§4.4). */
  invalidate(uri: string): void;
  /** Removes the responses of every scope but these: configurations of endpoints that are no longer served. */
  retain(scopes: ReadonlySet<string>): void;
  /** Memory in use, in bytes. */
  readonly bytes: number;
}

/** How the request that fetched for others ended. `stored`: a fresh response is there for those it suits. */
type Landing = 'stored' | 'unstored' | 'gone' | { readonly error: unknown };

/** A fetch that identical requests wait for. */
interface Flight {
  readonly landing: Promise<Landing>;
  /** Fetches and requests that want a fresh response are numbered in their order. */
  readonly number: number;
}

/** One fetch for a request, until its response is stored or passed on. */
interface Fill {
  readonly request: CachedRequest;
  readonly key: string;
  readonly flightKey: string;
  readonly wanted: CacheDirectives;
  readonly land: (landing: Landing) => void;
  /** The URI was invalidated meanwhile: the response may be older than the change. */
  isOutdated: boolean;
}

export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const { clock, wait, bytesMax = 32 * 1024 ** 2, answerBytesMax = 1024 ** 2, patienceMs = 2_000 } = options;
  const store = createCacheStore({ bytesMax });
  const flights = new Map<string, Flight>();
  let lastNumber = 0;
  const fills = new Map<string, Set<Fill>>();

  async function answer(request: CachedRequest, fetch: FetchReply): Promise<Reply> {
    const { method, headers, sent } = request;
    const wanted = wantedOf(headers);
    const key = `${request.scope}\n${request.caller}\n${request.uri}`;
    if (isForUpstream(headers, wanted)) return bypass(request, fetch, wanted);
    const arrival = isFreshWanted(wanted) ? ++lastNumber : 0;
    let landed: Landing | undefined;
    for (let waits = 0; ; waits++) {
      const stored = store.get(key, sent);
      const nowMs = clock();
      if (stored !== undefined) {
        const reuse = landed === 'stored' && nowMs < stored.freshUntilMs ? 'fresh' : reuseOf(stored, wanted, nowMs);
        if (reuse !== undefined) {
          if (reuse === 'while-revalidating') revalidate(request, key, fetch, stored);
          return give(request, stored, nowMs) ?? bypass(request, fetch, wanted);
        }
      }
      if (wanted.has('only-if-cached') || (headers.range !== undefined && method === 'GET')) {
        return bypass(request, fetch, wanted);
      }
      if (method === 'HEAD' && !request.isOrigin) return askHead(request, key, fetch, stored);
      const flightKey = flightKeyOf(key, sent);
      const flight = flights.get(flightKey);
      // A response that could not be stored was not for others: to wait again would only make a queue.
      if (landed === 'unstored' || waits > waitsMax) return fill(request, { key, flightKey, wanted }, fetch, stored);
      if (flight === undefined) return lead(request, { key, flightKey, wanted }, fetch, stored);
      const landing = await flight.landing;
      // What was fetched before the request came may be older than what its caller knows of.
      if (flight.number < arrival) continue;
      landed = landing;
      if (typeof landed === 'object') throw landed.error;
    }
  }

  /** Requests that differ in a header by which the responses of their key are selected do not wait for each other. */
  function flightKeyOf(key: string, sent: SentHeader): string {
    const vary = store.varyOf(key);
    return vary.length === 0 ? key : `${key}\n${variantKey(vary, sent)}`;
  }

  function give(request: CachedRequest, stored: StoredResponse, nowMs: number): Reply | undefined {
    const reply = replyOf(request.headers, stored, ageOfStored(stored, nowMs), nowMs);
    if (request.headers.range === undefined || request.method !== 'GET' || reply.status === 304) return reply;
    return partOf(request.headers, { ...reply, raw: stored.bytes });
  }

  async function bypass(request: CachedRequest, fetch: FetchReply, wanted: CacheDirectives): Promise<Reply> {
    if (wanted.has('only-if-cached')) {
      throw new Problem('not_cached', 'Nothing suitable is stored. Leave out only-if-cached to ask the upstream.');
    }
    const requestedMs = clock();
    return pass(request, await fetch(undefined), requestedMs);
  }

  function pass(request: CachedRequest, reply: Reply, requestedMs: number): Reply {
    const isStorable = lifetime(request, receive(reply, clock()), requestedMs) !== undefined;
    return passOn(request, request.headers, reply, isStorable, clock());
  }

  /** Validates beside a stale response; what comes of it is for later requests. */
  function revalidate(request: CachedRequest, key: string, fetch: FetchReply, stored: StoredResponse): void {
    const flightKey = flightKeyOf(key, request.sent);
    if (request.method !== 'GET' || flights.has(flightKey)) return;
    lead(request, { key, flightKey, wanted: new Map() }, fetch, stored).then(discard, () => {});
  }

  /** Fetches while identical requests wait. */
  async function lead(
    request: CachedRequest,
    names: Pick<Fill, 'key' | 'flightKey' | 'wanted'>,
    fetch: FetchReply,
    stored: StoredResponse | undefined,
  ): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Landing>();
    const flight: Flight = { landing: promise, number: ++lastNumber };
    flights.set(names.flightKey, flight);
    const land = (landing: Landing) => {
      if (flights.get(names.flightKey) === flight) flights.delete(names.flightKey);
      resolve(landing);
    };
    try {
      return await fill(request, names, fetch, stored, land);
    } catch (error) {
      land(request.isGone(error) || request.hasLeft() ? 'gone' : { error });
      throw error;
    }
  }

  async function fill(
    request: CachedRequest,
    names: Pick<Fill, 'key' | 'flightKey' | 'wanted'>,
    fetch: FetchReply,
    stored: StoredResponse | undefined,
    land: Fill['land'] = () => {},
  ): Promise<Reply> {
    return tracked({ request, ...names, land, isOutdated: false }, (begun) => fetchAndStore(begun, fetch, stored));
  }

  /** Lets an invalidation find what is on its way. */
  async function tracked(begun: Fill, run: (begun: Fill) => Promise<Reply>): Promise<Reply> {
    const { uri } = begun.request;
    const others = fills.get(uri);
    if (others === undefined) fills.set(uri, new Set([begun]));
    else others.add(begun);
    try {
      return await run(begun);
    } finally {
      const set = fills.get(uri);
      set?.delete(begun);
      if (set?.size === 0) fills.delete(uri);
    }
  }

  async function fetchAndStore(begun: Fill, fetch: FetchReply, stored: StoredResponse | undefined): Promise<Reply> {
    const { request, key, land } = begun;
    // From here on it notices when the caller leaves.
    request.hasLeft();
    const requestedMs = clock();
    let reply: Reply;
    try {
      reply = await fetch(stored === undefined ? {} : conditionsFor(stored.said));
    } catch (error) {
      const status = error instanceof Problem ? error.status : 500;
      const stale = request.isGone(error) ? undefined : replaceFailure(begun, stored, status);
      if (stale === undefined) throw error;
      return stale;
    }
    const stale = replaceFailure(begun, stored, reply.status);
    if (stale !== undefined) {
      discard(reply);
      return stale;
    }
    const received = receive(reply, clock());
    if (stored !== undefined && reply.status === 304) {
      discard(reply);
      // The upstream confirmed another version than ours, or one that it does not name.
      if (!isSameVersion(stored.said, received.headers)) return fetchAndStore(begun, fetch, undefined);
      return freshen(begun, stored, received, requestedMs);
    }
    const life = lifetime(request, received, requestedMs);
    const bytes = life && (await bytesOf(reply));
    if (life !== undefined && bytes !== undefined) return settle(begun, received, bytes, life);
    if (!isFailure(reply.status)) store.delete(key, request.sent);
    land('unstored');
    return passOn(request, request.headers, reply, life !== undefined, clock());
  }

  /** Stores a whole response, unless it may be incomplete or outdated, and returns it for the caller who fetched it. */
  function settle(begun: Fill, received: ReceivedReply, bytes: Buffer, life: Lifetime): Reply {
    const { request, key, land } = begun;
    const nowMs = clock();
    const whole = createStoredResponse(request, received, bytes, life, nowMs);
    const hasLeft = request.hasLeft();
    if (!hasLeft && !begun.isOutdated) {
      const { omitted } = life;
      const headers = withoutFields(received.headers, omitted);
      const stored =
        omitted.length === 0 ? whole : createStoredResponse(request, { ...received, headers }, bytes, life, nowMs);
      store.set(key, request, life.vary, request.sent, stored);
    }
    land(hasLeft ? 'gone' : life.freshMs > 0 && !begun.isOutdated ? 'stored' : 'unstored');
    return replyOf(request.headers, whole, arrivalAge(received.headers, whole, nowMs), nowMs);
  }

  /** Updates a stored response with what a 304 says (§4.3.4), and returns it. */
  function freshen(begun: Fill, stored: StoredResponse, update: ReceivedReply, requestedMs: number): Reply {
    const { request, key, land } = begun;
    const { status, contentType, bytes } = stored;
    const received = { status, contentType, headers: freshenedHeaders(stored, update.headers) };
    const life = lifetime(request, received, requestedMs);
    if (life !== undefined) return settle(begun, received, bytes, life);
    store.delete(key, request.sent);
    land('unstored');
    return passOn(
      request,
      request.headers,
      { status, raw: bytes, contentType, headers: received.headers },
      false,
      clock(),
    );
  }

  function replaceFailure(
    { request, wanted, land }: Fill,
    stored: StoredResponse | undefined,
    status: number,
  ): Reply | undefined {
    if (stored === undefined || !replaceable.has(status) || !mayReplaceFailure(stored, wanted, clock()))
      return undefined;
    land('unstored');
    return replyOf(request.headers, stored, ageOfStored(stored, clock()), clock());
  }

  /** HEAD stores nothing, but its response updates or removes what is stored (§4.3.5). */
  async function askHead(
    request: CachedRequest,
    key: string,
    fetch: FetchReply,
    stored: StoredResponse | undefined,
  ): Promise<Reply> {
    const requestedMs = clock();
    if (stored === undefined) return pass(request, await fetch(undefined), requestedMs);
    const begun: Fill = { request, key, flightKey: '', wanted: new Map(), land: () => {}, isOutdated: false };
    return tracked(begun, async () => {
      const reply = await fetch(conditionsFor(stored.said));
      const update = receive(reply, clock());
      const isNotModified = reply.status === 304 && isSameVersion(stored.said, update.headers);
      if (isNotModified || isSameHead(stored, update)) {
        const fresh = freshen(begun, stored, update, requestedMs);
        if (isNotModified) discard(reply);
        return isNotModified ? fresh : pass(request, reply, requestedMs);
      }
      if (!isFailure(reply.status)) store.delete(key, request.sent);
      return reply.status === 304
        ? pass(request, await fetch(undefined), requestedMs)
        : pass(request, reply, requestedMs);
    });
  }

  function lifetime(request: CachedRequest, received: ReceivedReply, requestedMs: number): Lifetime | undefined {
    const { status, contentType, headers } = received;
    const { secondsMax, secondsDefault, isPrivate: isPerOwner } = request;
    return lifetimeOf({
      ...{ status, secondsMax, secondsDefault, isPerOwner, requestedMs },
      headers: { ...headers, 'Content-Type': contentType },
      request: request.headers,
      nowMs: clock(),
    });
  }

  /** Returns the whole body if it is short and arrives soon. */
  async function bytesOf(reply: Reply): Promise<Buffer | undefined> {
    if (!('raw' in reply)) return reply.body === undefined ? Buffer.alloc(0) : within(JSON.stringify(reply.body));
    if (!(reply.raw instanceof Readable)) return within(reply.raw);
    if (Number(textOf(reply.headers ?? {}, 'Content-Length') ?? 0) > answerBytesMax) return undefined;
    const over = new AbortController();
    try {
      return await fillBuffer(reply.raw, answerBytesMax, wait(patienceMs, over.signal));
    } finally {
      over.abort();
    }
  }

  function within(bytes: string | Uint8Array): Buffer | undefined {
    if (Buffer.byteLength(bytes) > answerBytesMax) return undefined;
    if (typeof bytes === 'string') return Buffer.from(bytes);
    // A slice of what was read from a socket would keep all of that in memory.
    const own = Buffer.allocUnsafeSlow(bytes.length);
    own.set(bytes);
    return own;
  }

  return {
    answer,
    invalidate(uri) {
      store.deleteUri(uri);
      for (const begun of fills.get(uri) ?? []) {
        begun.isOutdated = true;
        flights.delete(begun.flightKey);
      }
    },
    retain: (scopes) => store.retain(scopes),
    get bytes() {
      return store.bytes;
    },
  };
}

/** For one response that Vary selects by, and one that it selects by then. */
const waitsMax = 2;

/** Failures that stale-if-error covers (RFC 5861 §4). */
const replaceable: ReadonlySet<number> = new Set([500, 502, 503, 504]);

const noneWanted: CacheDirectives = new Map();
const freshWanted: CacheDirectives = new Map([['no-cache', true]]);

/** The request's directives; Pragma counts where there is no Cache-Control (RFC 9111 §5.4). */
function wantedOf(headers: IncomingHttpHeaders): CacheDirectives {
  const { pragma, 'cache-control': cacheControl } = headers;
  if (cacheControl !== undefined) return parseCacheControl(cacheControl);
  return pragma !== undefined && parseCacheControl(pragma).has('no-cache') ? freshWanted : noneWanted;
}

/** Conditions that no cache can evaluate (§4.3.2), and requests that forbid storing. */
function isForUpstream(headers: IncomingHttpHeaders, wanted: CacheDirectives): boolean {
  return headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined || wanted.has('no-store');
}

function isFailure(status: number): boolean {
  return status >= 500;
}

/** Whether a response to HEAD describes the stored response. */
function isSameHead({ status, said, bytes }: StoredResponse, update: ReceivedReply): boolean {
  const length = textOf(update.headers, 'Content-Length');
  const isSameLength = length === undefined || Number(length) === bytes.length;
  return update.status === status && isSameLength && isSameVersion(said, update.headers);
}
