import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Reply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import type { CacheDirectives } from './cache-control.ts';
import type { CacheOutcome } from './cache-status.ts';
import type { CacheKey, CacheStore, StoredResponse } from './cache-store.ts';
import { conditionsFor, isSameVersion } from './conditions.ts';
import { type SelectingHeader, type SentHeader, textOf, withoutFields } from './fields.ts';
import { fillBuffer } from './fill-buffer.ts';
import { mayReplaceFailure, ttlOf } from './reuse.ts';
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

/** A GET or HEAD as the cache sees it. */
export interface CachedRequest extends CacheKey, ReplyPolicy {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The request headers that are sent upstream, which Vary refers to. */
  readonly sent: SentHeader;
  /** Whether an error means that this caller has left; a fetch that is aborted because it is late has failed instead. */
  readonly isGone: (error: unknown) => boolean;
  /** Whether the caller has left or the call was aborted: the response may then be incomplete. */
  readonly hasLeft: () => boolean;
  /** Prevents dependencies of the fetch from closing after the response; returns the function that releases them. */
  readonly hold: () => () => void;
  /** The maximum time of reuse. */
  readonly secondsMax: number;
  /** Called before the response is returned, unless the request bypasses the cache. */
  readonly onOutcome?: (outcome: CacheOutcome) => void;
}

/** Fetches the response, with conditions in place of the caller's; undefined forwards those of the caller. */
export type FetchReply = (conditions: Readonly<Record<string, string>> | undefined) => Reply | Promise<Reply>;

/** The outcome of a shared fetch. `stored`: a fresh response is stored for requests that match it. */
export type FetchOutcome = 'stored' | 'unstored' | 'gone' | { readonly error: unknown };

/** One fetch for a request, until its response is stored or returned. */
export interface Fill {
  readonly request: CachedRequest;
  readonly key: string;
  readonly selecting: SelectingHeader;
  readonly fetchKey: string;
  readonly wanted: CacheDirectives;
  readonly report: (outcome: FetchOutcome) => void;
  /** Why the request is forwarded. */
  readonly fwd: CacheOutcome['fwd'];
  /** The URI was invalidated during the fetch: the response may be older than the change. */
  isOutdated: boolean;
}

export interface FillerOptions {
  readonly store: CacheStore;
  readonly clock: () => number;
  readonly steadyClock: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly responseBytesMax: number;
  readonly patienceMs: number;
}

/** Fetches responses and stores those that may be stored. */
export interface Filler {
  /** Fetches for a GET, with the validators of the stored response. */
  fill(fill: Fill, fetch: FetchReply, stored: StoredResponse | undefined): Promise<Reply>;
  /** Fetches for a HEAD: it stores nothing, but updates or removes the stored response (RFC 9111 §4.3.5). */
  fillHead(fill: Fill, fetch: FetchReply, stored: StoredResponse): Promise<Reply>;
  /** Returns the reply for a response that bypasses the cache. */
  pass(request: CachedRequest, reply: Reply, requestedMs: number): Reply;
  /** Prevents responses in flight for a URI from being stored, and returns their fetches. */
  outdate(uri: string): Iterable<Fill>;
}

export function createFiller(options: FillerOptions): Filler {
  const { store, clock, steadyClock, wait, responseBytesMax, patienceMs } = options;
  const fills = new Map<string, Set<Fill>>();

  /** Records a fetch in flight, for invalidation. */
  async function tracked(fill: Fill, run: () => Promise<Reply>): Promise<Reply> {
    const { uri } = fill.request;
    const others = fills.get(uri);
    if (others === undefined) fills.set(uri, new Set([fill]));
    else others.add(fill);
    try {
      return await run();
    } finally {
      const set = fills.get(uri);
      set?.delete(fill);
      if (set?.size === 0) fills.delete(uri);
    }
  }

  async function fetchAndStore(fill: Fill, fetch: FetchReply, stored: StoredResponse | undefined): Promise<Reply> {
    const { request, key, report } = fill;
    // The first call starts to observe whether the caller leaves.
    request.hasLeft();
    const requestedMs = steadyClock();
    let reply: Reply;
    try {
      reply = await fetch(stored === undefined ? {} : conditionsFor(stored.upstreamHeaders));
    } catch (error) {
      const status = error instanceof Problem ? error.status : 500;
      const stale = request.isGone(error) ? undefined : replaceFailure(fill, stored, status);
      if (stale === undefined) throw error;
      return stale;
    }
    const stale = replaceFailure(fill, stored, reply.status);
    if (stale !== undefined) {
      discard(reply);
      return stale;
    }
    const received = receive(reply, clock());
    if (stored !== undefined && reply.status === 304) {
      discard(reply);
      // The upstream confirmed another version, or did not name it.
      if (!isSameVersion(stored.upstreamHeaders, received.headers)) return fetchAndStore(fill, fetch, undefined);
      return freshen(fill, stored, received, requestedMs);
    }
    const fwdStatus = reply.status;
    const life = lifetime(request, received, requestedMs);
    const bytes = life && (await bytesOf(reply));
    if (life !== undefined && bytes !== undefined) return settle(fill, received, bytes, life, fwdStatus);
    if (!isFailure(reply.status)) store.delete(key, fill.selecting);
    report('unstored');
    request.onOutcome?.({ result: 'miss', fwd: fill.fwd, fwdStatus });
    return passOn(request, request.headers, reply, life !== undefined, clock());
  }

  /** Stores a whole response unless it may be incomplete or outdated, and returns the reply to its caller. */
  function settle(fill: Fill, received: ReceivedReply, bytes: Buffer, life: Lifetime, fwdStatus: number): Reply {
    const { request, key, report } = fill;
    const nowMs = steadyClock();
    const whole = createStoredResponse(request, received, bytes, life, nowMs);
    const hasLeft = request.hasLeft();
    const isStored = !hasLeft && !fill.isOutdated;
    const result = fwdStatus === 304 ? 'revalidated' : 'miss';
    request.onOutcome?.({ result, fwd: fill.fwd, fwdStatus, isStored });
    if (isStored) {
      const { omitted } = life;
      const headers = withoutFields(received.headers, omitted);
      const stored =
        omitted.length === 0 ? whole : createStoredResponse(request, { ...received, headers }, bytes, life, nowMs);
      store.set(key, request, life.vary, fill.selecting, stored);
    }
    report(hasLeft ? 'gone' : life.freshMs > 0 && !fill.isOutdated ? 'stored' : 'unstored');
    return replyOf(request.headers, whole, arrivalAge(received.headers, whole, nowMs), nowMs);
  }

  /** Updates a stored response with the headers of a 304 (§4.3.4), and returns the reply. */
  function freshen(fill: Fill, stored: StoredResponse, update: ReceivedReply, requestedMs: number): Reply {
    const { request, key, report } = fill;
    const { status, contentType, bytes } = stored;
    const received = { status, contentType, headers: freshenedHeaders(stored, update.headers) };
    const life = lifetime(request, received, requestedMs);
    if (life !== undefined) return settle(fill, received, bytes, life, 304);
    store.delete(key, fill.selecting);
    report('unstored');
    request.onOutcome?.({ result: 'revalidated', fwd: fill.fwd, fwdStatus: 304 });
    return passOn(
      request,
      request.headers,
      { status, raw: bytes, contentType, headers: received.headers },
      false,
      clock(),
    );
  }

  function replaceFailure(
    { request, wanted, report, fwd }: Fill,
    stored: StoredResponse | undefined,
    status: number,
  ): Reply | undefined {
    if (stored === undefined || !replaceable.has(status) || !mayReplaceFailure(stored, wanted, steadyClock()))
      return undefined;
    report('unstored');
    const nowMs = steadyClock();
    request.onOutcome?.({ result: 'stale', fwd, fwdStatus: status, ttlSeconds: ttlOf(stored, nowMs) });
    return replyOf(request.headers, stored, ageOfStored(stored, nowMs), nowMs);
  }

  async function fetchHead(fill: Fill, fetch: FetchReply, stored: StoredResponse): Promise<Reply> {
    const { request, key } = fill;
    const requestedMs = steadyClock();
    const reply = await fetch(conditionsFor(stored.upstreamHeaders));
    const update = receive(reply, clock());
    const isNotModified = reply.status === 304 && isSameVersion(stored.upstreamHeaders, update.headers);
    if (isNotModified) discard(reply);
    if (isNotModified || isSameHead(stored, update)) {
      const fresh = freshen(fill, stored, update, requestedMs);
      return isNotModified ? fresh : pass(request, reply, requestedMs);
    }
    if (!isFailure(reply.status)) store.delete(key, fill.selecting);
    return pass(request, reply.status === 304 ? await fetch(undefined) : reply, requestedMs);
  }

  function lifetime(request: CachedRequest, received: ReceivedReply, requestedMs: number): Lifetime | undefined {
    const { status, contentType, headers } = received;
    const { secondsMax, secondsDefault, isPrivate: isPerOwner } = request;
    const nowMs = clock();
    return lifetimeOf({
      ...{ status, secondsMax, secondsDefault, isPerOwner, nowMs },
      requestedMs: nowMs - (steadyClock() - requestedMs),
      headers: contentType === undefined ? headers : { ...headers, 'Content-Type': contentType },
      request: request.headers,
    });
  }

  /** Returns the whole body if it is short and arrives soon. */
  async function bytesOf(reply: Reply): Promise<Buffer | undefined> {
    if (!('raw' in reply)) return reply.body === undefined ? Buffer.alloc(0) : within(JSON.stringify(reply.body));
    if (!(reply.raw instanceof Readable)) return within(reply.raw);
    if (Number(textOf(reply.headers ?? {}, 'Content-Length') ?? 0) > responseBytesMax) return undefined;
    const over = new AbortController();
    try {
      return await fillBuffer(reply.raw, responseBytesMax, wait(patienceMs, over.signal));
    } finally {
      over.abort();
    }
  }

  function within(bytes: string | Uint8Array): Buffer | undefined {
    if (Buffer.byteLength(bytes) > responseBytesMax) return undefined;
    if (typeof bytes === 'string') return Buffer.from(bytes);
    // A slice of a socket's buffer would keep the whole buffer in memory.
    const own = Buffer.allocUnsafeSlow(bytes.length);
    own.set(bytes);
    return own;
  }

  function pass(request: CachedRequest, reply: Reply, requestedMs: number): Reply {
    const isStorable = lifetime(request, receive(reply, clock()), requestedMs) !== undefined;
    return passOn(request, request.headers, reply, isStorable, clock());
  }

  return {
    fill: (fill, fetch, stored) => tracked(fill, () => fetchAndStore(fill, fetch, stored)),
    fillHead: (fill, fetch, stored) => tracked(fill, () => fetchHead(fill, fetch, stored)),
    pass,
    outdate(uri) {
      const pending = fills.get(uri) ?? [];
      for (const fill of pending) fill.isOutdated = true;
      return pending;
    },
  };
}

/** Failures that stale-if-error covers (RFC 5861 §4). */
const replaceable: ReadonlySet<number> = new Set([500, 502, 503, 504]);

function isFailure(status: number): boolean {
  return status >= 500;
}

/** Whether a response to HEAD describes the stored response. */
function isSameHead({ status, upstreamHeaders, bytes }: StoredResponse, update: ReceivedReply): boolean {
  const length = textOf(update.headers, 'Content-Length');
  const isSameLength = length === undefined || Number(length) === bytes.length;
  return update.status === status && isSameLength && isSameVersion(upstreamHeaders, update.headers);
}
