import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { type CacheDirectives, parseCacheControl } from './cache-control.ts';
import { createCacheStore, type StoredResponse } from './cache-store.ts';
import { partOf } from './conditions.ts';
import { type SelectingHeader, selectingHeaders, variantKey } from './fields.ts';
import { type CachedRequest, createFiller, type FetchOutcome, type FetchReply, type Fill } from './response-filler.ts';
import { isFreshWanted, reuseOf, ttlOf } from './reuse.ts';
import { ageOfStored, discard, replyOf } from './stored-response.ts';

export interface ResponseCacheOptions {
  /** Milliseconds since the epoch, for dates in responses. This clock may be set. */
  readonly clock: () => number;
  /** Monotonic milliseconds, for ages and freshness. */
  readonly steadyClock: () => number;
  /** Resolves after so many milliseconds, or rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Limit of all stored responses, in bytes. */
  readonly bytesMax?: number;
  /** Limit of one response, in bytes; a longer one is streamed to the caller. */
  readonly responseBytesMax?: number;
  /** How long to wait for the rest of a response before it is streamed to the caller. */
  readonly patienceMs?: number;
}

/** A shared cache (RFC 9111) that coalesces identical concurrent requests into one fetch. */
export interface ResponseCache {
  answer(request: CachedRequest, fetch: FetchReply): Promise<Reply>;
  /** Removes the responses for a URI, and prevents those in flight from being stored (§4.4). */
  invalidate(uri: string): void;
  /** Removes the responses of every scope but these: configurations of endpoints that are no longer served. */
  retain(scopes: ReadonlySet<string>): void;
  /** Memory in use, in bytes. */
  readonly bytes: number;
}

/** A fetch that identical requests wait for. */
interface SharedFetch {
  readonly outcome: Promise<FetchOutcome>;
  /** The order among fetches and requests for a fresh response. */
  readonly number: number;
}

export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const {
    clock,
    steadyClock,
    wait,
    bytesMax = 32 * 1024 ** 2,
    responseBytesMax = 1024 ** 2,
    patienceMs = 2_000,
  } = options;
  const store = createCacheStore({ bytesMax });
  const sharedFetches = new Map<string, SharedFetch>();
  let lastNumber = 0;
  const filler = createFiller({ store, clock, steadyClock, wait, responseBytesMax, patienceMs });

  async function answer(request: CachedRequest, fetch: FetchReply): Promise<Reply> {
    const { method, headers } = request;
    const wanted = wantedOf(headers);
    const key = `${request.scope}\n${request.caller}\n${request.uri}`;
    if (isForUpstream(headers, wanted)) return bypass(request, fetch, wanted);
    const selecting = selectingHeaders(request.sent);
    const arrival = isFreshWanted(wanted) ? ++lastNumber : 0;
    let lastOutcome: FetchOutcome | undefined;
    for (let waits = 0; ; waits++) {
      const stored = store.get(key, selecting);
      const nowMs = steadyClock();
      if (stored !== undefined) {
        const reuse =
          lastOutcome === 'stored' && nowMs < stored.freshUntilMs ? 'fresh' : reuseOf(stored, wanted, nowMs);
        if (reuse !== undefined) {
          if (reuse === 'while-revalidating') revalidate(request, { key, selecting }, fetch, stored);
          return serve(request, stored, nowMs, waits > 0) ?? bypass(request, fetch, wanted);
        }
      }
      if (wanted.has('only-if-cached') || wantsPart(request)) {
        return bypass(request, fetch, wanted);
      }
      if (method === 'HEAD' && !request.isOrigin) {
        return stored === undefined
          ? bypass(request, fetch, wanted)
          : filler.fillHead(createFill(request, { key, selecting, fetchKey: '', wanted }, stored), fetch, stored);
      }
      const fetchKey = fetchKeyOf(key, selecting);
      const sharedFetch = sharedFetches.get(fetchKey);
      // An unstorable response cannot be shared: waiting again would only queue requests.
      if (lastOutcome === 'unstored' || waits > waitsMax)
        return filler.fill(createFill(request, { key, selecting, fetchKey, wanted }, stored), fetch, stored);
      if (sharedFetch === undefined) return fetchForAll(request, { key, selecting, fetchKey, wanted }, fetch, stored);
      const outcome = await sharedFetch.outcome;
      // A fetch that began before this request may return an older state than its caller knows.
      if (sharedFetch.number < arrival) continue;
      lastOutcome = outcome;
      if (typeof lastOutcome === 'object') throw lastOutcome.error;
    }
  }

  /** Requests that differ in a Vary header do not wait for each other. */
  function fetchKeyOf(key: string, selecting: SelectingHeader): string {
    const vary = store.varyOf(key);
    return vary.length === 0 ? key : `${key}\n${variantKey(vary, selecting)}`;
  }

  function serve(
    request: CachedRequest,
    stored: StoredResponse,
    nowMs: number,
    isCollapsed: boolean,
  ): Reply | undefined {
    const whole = replyOf(request.headers, stored, ageOfStored(stored, nowMs), nowMs);
    const isWhole = !wantsPart(request) || whole.status === 304;
    const reply = isWhole ? whole : partOf(request.headers, { ...whole, raw: stored.bytes });
    if (reply !== undefined && request.onOutcome !== undefined) {
      const ttlSeconds = ttlOf(stored, nowMs);
      const result = nowMs < stored.freshUntilMs ? 'hit' : 'stale';
      request.onOutcome(isCollapsed ? { result, fwd: 'uri-miss', isCollapsed, ttlSeconds } : { result, ttlSeconds });
    }
    return reply;
  }

  async function bypass(request: CachedRequest, fetch: FetchReply, wanted: CacheDirectives): Promise<Reply> {
    if (wanted.has('only-if-cached')) {
      throw new Problem(
        'not_cached',
        'No suitable response is stored. Remove only-if-cached to request it from the upstream.',
      );
    }
    const requestedMs = steadyClock();
    const reply = await fetch(undefined);
    const fwd = wanted.has('no-store') ? 'request' : 'bypass';
    request.onOutcome?.({ result: 'bypass', fwd, fwdStatus: reply.status });
    return filler.pass(request, reply, requestedMs);
  }

  /** Validates a stale response in the background, for later requests. */
  function revalidate(
    request: CachedRequest,
    { key, selecting }: Pick<Fill, 'key' | 'selecting'>,
    fetch: FetchReply,
    stored: StoredResponse,
  ): void {
    const fetchKey = fetchKeyOf(key, selecting);
    if (request.method !== 'GET' || sharedFetches.has(fetchKey)) return;
    // The request that started it is answered already, and its call may be aborted for another reason than this fetch.
    const isGone = (error: unknown) => request.isGone(error) || request.hasLeft();
    const later = { ...request, isGone, onOutcome: () => {} };
    fetchForAll(later, { key, selecting, fetchKey, wanted: new Map() }, fetch, stored)
      .then(discard, () => {})
      .finally(request.hold());
  }

  /** Fetches once for all identical requests that arrive meanwhile. */
  async function fetchForAll(
    request: CachedRequest,
    names: FillNames,
    fetch: FetchReply,
    stored: StoredResponse | undefined,
  ): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<FetchOutcome>();
    const sharedFetch: SharedFetch = { outcome: promise, number: ++lastNumber };
    sharedFetches.set(names.fetchKey, sharedFetch);
    const report = (outcome: FetchOutcome) => {
      if (sharedFetches.get(names.fetchKey) === sharedFetch) sharedFetches.delete(names.fetchKey);
      resolve(outcome);
    };
    try {
      return await filler.fill(createFill(request, names, stored, report), fetch, stored);
    } catch (error) {
      report(request.isGone(error) ? 'gone' : { error });
      throw error;
    }
  }

  return {
    answer,
    invalidate(uri) {
      store.deleteUri(uri);
      for (const { fetchKey } of filler.outdate(uri)) sharedFetches.delete(fetchKey);
    },
    retain: (scopes) => store.retain(scopes),
    get bytes() {
      return store.bytes;
    },
  };
}

/** Replies of local services have no ranges: their contract declares none. */
function wantsPart({ headers, method, isOrigin }: CachedRequest): boolean {
  return headers.range !== undefined && method === 'GET' && !isOrigin;
}

type FillNames = Pick<Fill, 'key' | 'selecting' | 'fetchKey' | 'wanted'>;

function createFill(
  request: CachedRequest,
  names: FillNames,
  stored: StoredResponse | undefined,
  report: Fill['report'] = () => {},
): Fill {
  const fwd = isFreshWanted(names.wanted) ? 'request' : stored === undefined ? missOf(names) : 'stale';
  return { request, ...names, report, fwd, isOutdated: false };
}

/** A name of a variant follows the key of a URI that has variants. */
function missOf({ key, fetchKey }: FillNames): 'uri-miss' | 'vary-miss' {
  return fetchKey.length > key.length ? 'vary-miss' : 'uri-miss';
}

/** Once before Vary is known, and once after. */
const waitsMax = 2;

const noDirectives: CacheDirectives = new Map();
const noCache: CacheDirectives = new Map([['no-cache', true]]);

/** The request's directives; Pragma counts where there is no Cache-Control (RFC 9111 §5.4). */
function wantedOf(headers: IncomingHttpHeaders): CacheDirectives {
  const { pragma, 'cache-control': cacheControl } = headers;
  if (cacheControl !== undefined) return parseCacheControl(cacheControl);
  return pragma !== undefined && parseCacheControl(pragma).has('no-cache') ? noCache : noDirectives;
}

/** Conditions that no cache can evaluate (§4.3.2), and requests that forbid storing. */
function isForUpstream(headers: IncomingHttpHeaders, wanted: CacheDirectives): boolean {
  return headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined || wanted.has('no-store');
}
