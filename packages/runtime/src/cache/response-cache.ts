import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { RawReply, Reply, ReplyHeaders } from '../contract/index.ts';
import { parseCacheControl, secondsOf, toPrivateCacheControl } from './cache-control.ts';
import { createCacheStore, type KeptAnswer } from './cache-store.ts';
import { conditionsFor, isNotModified } from './conditions.ts';
import { fillBuffer } from './fill-buffer.ts';
import { bringsCredentials, judgeStorability, type Lifetime, textOf } from './storability.ts';

export interface ResponseCacheOptions {
  /** Milliseconds since the epoch: answers speak of dates. */
  readonly clock: () => number;
  /** Resolves after so many milliseconds, or rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** All that is kept, in bytes. */
  readonly bytesMax?: number;
  /** One answer, in bytes; what is longer is passed on as it comes. */
  readonly answerBytesMax?: number;
  /** How long the rest of an answer may take before it is passed on as it comes. */
  readonly patienceMs?: number;
}

/** A GET or HEAD as the cache sees it. */
export interface CachedRequest {
  /** Route, address, and whoever the answer is for: nothing is given to requests of another key. */
  readonly key: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Whether an error only says that this caller has gone away. */
  readonly isGone: (error: unknown) => boolean;
  /** How long an answer may be given again when it does not say, and at most. */
  readonly secondsMax: number;
  /** The key holds the owner of the request's key: nobody in between may give the answer to others. */
  readonly isPrivate: boolean;
}

/** Asks for the answer itself, with conditions in place of the caller's; undefined leaves the caller's as they are. */
export type FetchReply = (conditions: Readonly<Record<string, string>> | undefined) => Reply | Promise<Reply>;

/** Gives answers again as far as they allow it (RFC 9111, as a shared cache), and asks once for all who ask alike. */
export interface ResponseCache {
  answer(request: CachedRequest, fetch: FetchReply): Promise<Reply>;
  /** Bytes that it holds. */
  readonly bytes: number;
}

/** How the one who asked for all came back. */
type Landing = 'landed' | 'gone' | { readonly error: unknown };

export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const { clock, wait, bytesMax = 32 * 1024 ** 2, answerBytesMax = 1024 ** 2, patienceMs = 2_000 } = options;
  const store = createCacheStore({ bytesMax });
  const flights = new Map<string, Promise<Landing>>();

  async function answer(request: CachedRequest, fetch: FetchReply): Promise<Reply> {
    const { key, method, headers } = request;
    const wishes = parseCacheControl(headers['cache-control']);
    if (headers.range !== undefined || wishes.has('no-store')) return finish(request, await fetch(undefined));
    let hasWaited = false;
    for (;;) {
      const kept = store.get(key, headers);
      const nowMs = clock();
      if (kept !== undefined && nowMs < kept.freshUntilMs && (hasWaited || suits(kept, wishes, headers, nowMs))) {
        return give(request, kept, nowMs);
      }
      if (method === 'HEAD') return finish(request, await fetch(undefined));
      // What came was not for others: to wait for each other again would only make a queue of them.
      if (hasWaited) return ask(request, fetch, kept);
      const flight = flights.get(key);
      if (flight === undefined) return lead(request, fetch, kept);
      const landing = await flight;
      if (typeof landing === 'object') throw landing.error;
      hasWaited = landing !== 'gone';
    }
  }

  /** Asks while the others wait. */
  async function lead(request: CachedRequest, fetch: FetchReply, kept: KeptAnswer | undefined): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Landing>();
    flights.set(request.key, promise);
    try {
      return await ask(request, fetch, kept, resolve);
    } catch (error) {
      resolve(request.isGone(error) ? 'gone' : { error });
      throw error;
    } finally {
      flights.delete(request.key);
    }
  }

  async function ask(
    request: CachedRequest,
    fetch: FetchReply,
    kept: KeptAnswer | undefined,
    land: (landing: Landing) => void = () => {},
  ): Promise<Reply> {
    const { key, headers } = request;
    const reply = await fetch(kept === undefined ? {} : conditionsFor(kept));
    if (kept !== undefined && reply.status === 304) {
      const renewed = renew(request, kept, reply);
      land('landed');
      return give(request, renewed ?? kept);
    }
    const lifetime = lifetimeOf(request, reply);
    const bytes = lifetime && (await bytesOf(reply));
    if (lifetime === undefined || bytes === undefined) {
      store.delete(key);
      land('landed');
      return finish(request, reply);
    }
    const fresh = toKept(request, reply, bytes, lifetime);
    store.set(key, lifetime.vary, headers, fresh);
    land('landed');
    return give(request, fresh);
  }

  function lifetimeOf(request: CachedRequest, reply: Reply): Lifetime | undefined {
    const headers = 'raw' in reply ? { 'Content-Type': reply.contentType, ...reply.headers } : (reply.headers ?? {});
    return judgeStorability({
      status: reply.status,
      headers,
      secondsMax: request.secondsMax,
      hasCredentials: bringsCredentials(request.headers, request.isPrivate),
      nowMs: clock(),
    });
  }

  /** What the upstream says anew of an answer that still stands (RFC 9111 §4.3.4). */
  function renew(request: CachedRequest, kept: KeptAnswer, reply: Reply): KeptAnswer | undefined {
    if ('raw' in reply && reply.raw instanceof Readable) reply.raw.destroy();
    const { 'Content-Length': _, 'Content-Encoding': __, ...said } = reply.headers ?? {};
    const headers = { ...kept.headers, Age: '0', ...said };
    const lifetime = lifetimeOf(request, { status: kept.status, raw: '', contentType: kept.contentType, headers });
    if (lifetime === undefined) {
      store.delete(request.key);
      return undefined;
    }
    const renewed = toKept(
      request,
      { status: kept.status, contentType: kept.contentType, headers },
      kept.bytes,
      lifetime,
    );
    store.set(request.key, lifetime.vary, request.headers, renewed);
    return renewed;
  }

  /** The whole body, if it is short and comes soon. */
  async function bytesOf(reply: Reply): Promise<Buffer | undefined> {
    if (!('raw' in reply)) return reply.body === undefined ? Buffer.alloc(0) : within(JSON.stringify(reply.body));
    if (!(reply.raw instanceof Readable)) return within(reply.raw);
    if (Number(reply.headers?.['Content-Length'] ?? 0) > answerBytesMax) return undefined;
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
    // A piece of what was read from a socket would keep all of that.
    const own = Buffer.allocUnsafeSlow(bytes.length);
    own.set(bytes);
    return own;
  }

  function toKept(
    request: CachedRequest,
    reply: Pick<RawReply, 'status' | 'headers'> & { readonly contentType?: string },
    bytes: Buffer,
    { ageMs, freshMs, isExplicit }: Lifetime,
  ): KeptAnswer {
    const nowMs = clock();
    const { Age: _, 'Content-Length': __, ...said } = reply.headers ?? {};
    const etag = textOf(said, 'ETag') ?? (reply.status === 200 ? weakTagOf(bytes) : undefined);
    return {
      status: reply.status,
      contentType: reply.contentType ?? 'application/json',
      headers: {
        ...said,
        ...(etag === undefined ? {} : { ETag: etag }),
        ...(isExplicit ? {} : { 'Cache-Control': withMaxAge(textOf(said, 'Cache-Control'), request.secondsMax) }),
      },
      bytes,
      etag,
      lastModified: textOf(said, 'Last-Modified'),
      bornMs: nowMs - ageMs,
      freshUntilMs: nowMs + freshMs,
    };
  }

  return {
    answer,
    get bytes() {
      return store.bytes;
    },
  };
}

/** Whether a kept answer is what this request wants (RFC 9111 §5.2.1). */
function suits(
  kept: KeptAnswer,
  wishes: ReturnType<typeof parseCacheControl>,
  headers: IncomingHttpHeaders,
  nowMs: number,
): boolean {
  if (wishes.has('no-cache') || (wishes.size === 0 && headers.pragma === 'no-cache')) return false;
  const maxAge = secondsOf(wishes, 'max-age');
  return maxAge === undefined || nowMs - kept.bornMs <= maxAge * 1_000;
}

/** A kept answer for one request, with its age if it was not just asked for; or that the request has it already. */
function give(request: CachedRequest, kept: KeptAnswer, nowMs?: number): Reply {
  const age = nowMs === undefined ? {} : { Age: String(Math.max(0, Math.floor((nowMs - kept.bornMs) / 1_000))) };
  const headers = privately(request, { ...kept.headers, ...age });
  if (isNotModified(request.headers, kept)) return notModified(headers);
  return { status: kept.status, raw: kept.bytes, contentType: kept.contentType, headers, isKept: true };
}

/** An answer that is not kept, for the one who asked for it. */
function finish(request: CachedRequest, reply: Reply): Reply {
  const headers = privately(request, reply.headers ?? {});
  const validators = { etag: textOf(headers, 'ETag'), lastModified: textOf(headers, 'Last-Modified') };
  if (reply.status === 200 && request.headers.range === undefined && isNotModified(request.headers, validators)) {
    if ('raw' in reply && reply.raw instanceof Readable) reply.raw.destroy();
    return notModified(headers);
  }
  return { ...reply, headers };
}

/** RFC 9110 §15.4.5: what the answer would have said that a cache goes by. */
function notModified(headers: ReplyHeaders): Reply {
  const kept = ['Age', 'Cache-Control', 'Content-Location', 'Date', 'ETag', 'Expires', 'Last-Modified', 'Vary'];
  return {
    status: 304,
    headers: Object.fromEntries(kept.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))),
  };
}

function privately({ isPrivate }: CachedRequest, headers: ReplyHeaders): ReplyHeaders {
  const said = textOf(headers, 'Cache-Control') ?? (headers.Expires === undefined ? undefined : '');
  return !isPrivate || said === undefined ? headers : { ...headers, 'Cache-Control': toPrivateCacheControl(said) };
}

function withMaxAge(said: string | undefined, seconds: number): string {
  return said === undefined ? `max-age=${seconds}` : `${said}, max-age=${seconds}`;
}

/** Weak: the same answer may go out in another encoding. */
function weakTagOf(bytes: Buffer): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}
