import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../contract/index.ts';
import { Problem } from '../problem/index.ts';
import { type CacheDirectives, parseCacheControl } from './cache-control.ts';
import {
  createCacheStore,
  type SelectingHeader,
  type StoredResponse,
  selectingHeaders,
  variantKey,
} from './cache-store.ts';
import type { CachedRequest, FetchReply, Fill, Landing } from './cached-request.ts';
import { partOf } from './conditions.ts';
import { createFiller } from './response-filler.ts';
import { isFreshWanted, reuseOf } from './reuse.ts';
import { ageOfStored, discard, replyOf } from './stored-response.ts';

export interface ResponseCacheOptions {
  /** Milliseconds since the epoch by the machine's clock, which may be set: the dates in responses are read by it alone. */
  readonly clock: () => number;
  /** Milliseconds that never go back: ages and freshness are counted by it. */
  readonly steadyClock: () => number;
  /** Resolves after so many milliseconds, or rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** All stored responses together, in bytes. */
  readonly bytesMax?: number;
  /** One response, in bytes; a longer one is passed on as it arrives. */
  readonly answerBytesMax?: number;
  /** How long the rest of a response may take before it is passed on as it arrives. */
  readonly patienceMs?: number;
}

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

/** A fetch that identical requests wait for. */
interface Flight {
  readonly landing: Promise<Landing>;
  /** Fetches and requests that want a fresh response are numbered in their order. */
  readonly number: number;
}

export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const {
    clock,
    steadyClock,
    wait,
    bytesMax = 32 * 1024 ** 2,
    answerBytesMax = 1024 ** 2,
    patienceMs = 2_000,
  } = options;
  const store = createCacheStore({ bytesMax });
  const flights = new Map<string, Flight>();
  let lastNumber = 0;
  const filler = createFiller({ store, clock, steadyClock, wait, answerBytesMax, patienceMs });

  async function answer(request: CachedRequest, fetch: FetchReply): Promise<Reply> {
    const { method, headers } = request;
    const wanted = wantedOf(headers);
    const key = `${request.scope}\n${request.caller}\n${request.uri}`;
    if (isForUpstream(headers, wanted)) return bypass(request, fetch, wanted);
    const selecting = selectingHeaders(request.sent);
    const arrival = isFreshWanted(wanted) ? ++lastNumber : 0;
    let landed: Landing | undefined;
    for (let waits = 0; ; waits++) {
      const stored = store.get(key, selecting);
      const nowMs = steadyClock();
      if (stored !== undefined) {
        const reuse = landed === 'stored' && nowMs < stored.freshUntilMs ? 'fresh' : reuseOf(stored, wanted, nowMs);
        if (reuse !== undefined) {
          if (reuse === 'while-revalidating') revalidate(request, { key, selecting }, fetch, stored);
          return give(request, stored, nowMs) ?? bypass(request, fetch, wanted);
        }
      }
      if (wanted.has('only-if-cached') || wantsPart(request)) {
        return bypass(request, fetch, wanted);
      }
      if (method === 'HEAD' && !request.isOrigin) {
        return stored === undefined
          ? bypass(request, fetch, wanted)
          : filler.fillHead(createFill(request, { key, selecting, flightKey: '', wanted }), fetch, stored);
      }
      const flightKey = flightKeyOf(key, selecting);
      const flight = flights.get(flightKey);
      // A response that could not be stored was not for others: to wait again would only make a queue.
      if (landed === 'unstored' || waits > waitsMax)
        return filler.fill(createFill(request, { key, selecting, flightKey, wanted }), fetch, stored);
      if (flight === undefined) return lead(request, { key, selecting, flightKey, wanted }, fetch, stored);
      const landing = await flight.landing;
      // What was fetched before the request came may be older than what its caller knows of.
      if (flight.number < arrival) continue;
      landed = landing;
      if (typeof landed === 'object') throw landed.error;
    }
  }

  /** Requests that differ in a header by which the responses of their key are selected do not wait for each other. */
  function flightKeyOf(key: string, selecting: SelectingHeader): string {
    const vary = store.varyOf(key);
    return vary.length === 0 ? key : `${key}\n${variantKey(vary, selecting)}`;
  }

  function give(request: CachedRequest, stored: StoredResponse, nowMs: number): Reply | undefined {
    const reply = replyOf(request.headers, stored, ageOfStored(stored, nowMs), nowMs);
    if (!wantsPart(request) || reply.status === 304) return reply;
    return partOf(request.headers, { ...reply, raw: stored.bytes });
  }

  async function bypass(request: CachedRequest, fetch: FetchReply, wanted: CacheDirectives): Promise<Reply> {
    if (wanted.has('only-if-cached')) {
      throw new Problem('not_cached', 'Nothing suitable is stored. Leave out only-if-cached to ask the upstream.');
    }
    const requestedMs = steadyClock();
    return filler.pass(request, await fetch(undefined), requestedMs);
  }

  /** Validates beside a stale response; what comes of it is for later requests. */
  function revalidate(
    request: CachedRequest,
    { key, selecting }: Pick<Fill, 'key' | 'selecting'>,
    fetch: FetchReply,
    stored: StoredResponse,
  ): void {
    const flightKey = flightKeyOf(key, selecting);
    if (request.method !== 'GET' || flights.has(flightKey)) return;
    lead(request, { key, selecting, flightKey, wanted: new Map() }, fetch, stored)
      .then(discard, () => {})
      .finally(request.hold());
  }

  /** Fetches while identical requests wait. */
  async function lead(
    request: CachedRequest,
    names: FillNames,
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
      return await filler.fill(createFill(request, names, land), fetch, stored);
    } catch (error) {
      land(request.isGone(error) || request.hasLeft() ? 'gone' : { error });
      throw error;
    }
  }

  return {
    answer,
    invalidate(uri) {
      store.deleteUri(uri);
      for (const { flightKey } of filler.outdate(uri)) flights.delete(flightKey);
    },
    retain: (scopes) => store.retain(scopes),
    get bytes() {
      return store.bytes;
    },
  };
}

/** Replies that are made here have no parts: their contract declares none. */
function wantsPart({ headers, method, isOrigin }: CachedRequest): boolean {
  return headers.range !== undefined && method === 'GET' && !isOrigin;
}

type FillNames = Pick<Fill, 'key' | 'selecting' | 'flightKey' | 'wanted'>;

function createFill(request: CachedRequest, names: FillNames, land: Fill['land'] = () => {}): Fill {
  return { request, ...names, land, isOutdated: false };
}

/** For one response that Vary selects by, and one that it selects by then. */
const waitsMax = 2;

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
