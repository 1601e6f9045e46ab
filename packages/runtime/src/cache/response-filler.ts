import { Readable } from 'node:stream';
import type { Reply } from '../contract/index.ts';
import { Problem } from '../problem/index.ts';
import type { CacheStore, StoredResponse } from './cache-store.ts';
import type { CachedRequest, FetchReply, Fill } from './cached-request.ts';
import { conditionsFor, isSameVersion } from './conditions.ts';
import { fillBuffer } from './fill-buffer.ts';
import { textOf, withoutFields } from './reply-fields.ts';
import { mayReplaceFailure } from './reuse.ts';
import { type Lifetime, lifetimeOf } from './storability.ts';
import {
  ageOfStored,
  arrivalAge,
  createStoredResponse,
  discard,
  freshenedHeaders,
  passOn,
  type ReceivedReply,
  receive,
  replyOf,
} from './stored-response.ts';

export interface FillerOptions {
  readonly store: CacheStore;
  readonly clock: () => number;
  readonly steadyClock: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly answerBytesMax: number;
  readonly patienceMs: number;
}

/** Fetches responses and stores those that may be stored. */
export interface Filler {
  /** Fetches for a GET, with the validators of what is stored. */
  fill(begun: Fill, fetch: FetchReply, stored: StoredResponse | undefined): Promise<Reply>;
  /** Fetches for a HEAD: it stores nothing, but its response updates or removes what is stored (RFC 9111 §4.3.5). */
  fillHead(begun: Fill, fetch: FetchReply, stored: StoredResponse): Promise<Reply>;
  /** Returns a response that was fetched past the cache as it leaves. */
  pass(request: CachedRequest, reply: Reply, requestedMs: number): Reply;
  /** Keeps responses to a URI that are on their way from being stored, and returns their fetches. */
  outdate(uri: string): Iterable<Fill>;
}

export function createFiller(options: FillerOptions): Filler {
  const { store, clock, steadyClock, wait, answerBytesMax, patienceMs } = options;
  const fills = new Map<string, Set<Fill>>();

  /** Lets an invalidation find what is on its way. */
  async function tracked(begun: Fill, run: () => Promise<Reply>): Promise<Reply> {
    const { uri } = begun.request;
    const others = fills.get(uri);
    if (others === undefined) fills.set(uri, new Set([begun]));
    else others.add(begun);
    try {
      return await run();
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
    const requestedMs = steadyClock();
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
    if (!isFailure(reply.status)) store.delete(key, begun.selecting);
    land('unstored');
    return passOn(request, request.headers, reply, life !== undefined, clock());
  }

  /** Stores a whole response, unless it may be incomplete or outdated, and returns it for the caller who fetched it. */
  function settle(begun: Fill, received: ReceivedReply, bytes: Buffer, life: Lifetime): Reply {
    const { request, key, land } = begun;
    const nowMs = steadyClock();
    const whole = createStoredResponse(request, received, bytes, life, nowMs);
    const hasLeft = request.hasLeft();
    if (!hasLeft && !begun.isOutdated) {
      const { omitted } = life;
      const headers = withoutFields(received.headers, omitted);
      const stored =
        omitted.length === 0 ? whole : createStoredResponse(request, { ...received, headers }, bytes, life, nowMs);
      store.set(key, request, life.vary, begun.selecting, stored);
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
    store.delete(key, begun.selecting);
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
    if (stored === undefined || !replaceable.has(status) || !mayReplaceFailure(stored, wanted, steadyClock()))
      return undefined;
    land('unstored');
    const nowMs = steadyClock();
    return replyOf(request.headers, stored, ageOfStored(stored, nowMs), nowMs);
  }

  async function fetchHead(begun: Fill, fetch: FetchReply, stored: StoredResponse): Promise<Reply> {
    const { request, key } = begun;
    const requestedMs = steadyClock();
    const reply = await fetch(conditionsFor(stored.said));
    const update = receive(reply, clock());
    const isNotModified = reply.status === 304 && isSameVersion(stored.said, update.headers);
    if (isNotModified) discard(reply);
    if (isNotModified || isSameHead(stored, update)) {
      const fresh = freshen(begun, stored, update, requestedMs);
      return isNotModified ? fresh : pass(request, reply, requestedMs);
    }
    if (!isFailure(reply.status)) store.delete(key, begun.selecting);
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

  function pass(request: CachedRequest, reply: Reply, requestedMs: number): Reply {
    const isStorable = lifetime(request, receive(reply, clock()), requestedMs) !== undefined;
    return passOn(request, request.headers, reply, isStorable, clock());
  }

  return {
    fill: (begun, fetch, stored) => tracked(begun, () => fetchAndStore(begun, fetch, stored)),
    fillHead: (begun, fetch, stored) => tracked(begun, () => fetchHead(begun, fetch, stored)),
    pass,
    outdate(uri) {
      const begun = fills.get(uri) ?? [];
      for (const fill of begun) fill.isOutdated = true;
      return begun;
    },
  };
}

/** Failures that stale-if-error covers (RFC 5861 §4). */
const replaceable: ReadonlySet<number> = new Set([500, 502, 503, 504]);

function isFailure(status: number): boolean {
  return status >= 500;
}

/** Whether a response to HEAD describes the stored response. */
function isSameHead({ status, said, bytes }: StoredResponse, update: ReceivedReply): boolean {
  const length = textOf(update.headers, 'Content-Length');
  const isSameLength = length === undefined || Number(length) === bytes.length;
  return update.status === status && isSameLength && isSameVersion(said, update.headers);
}
