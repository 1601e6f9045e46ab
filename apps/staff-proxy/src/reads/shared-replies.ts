import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { RawReply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { requestCancelled } from '@rostergate/upstream';
import { fillBuffer } from '@rostergate/upstream/cache';
import type { Caller, SendCall, StaffCall } from '../staff-call.ts';
import type { BegunRead, CompanyChanges } from './company-changes.ts';
import { createOwnTag, isOwnTag } from './entity-tags.ts';
import { SharedCaller, type TakeReply } from './pending-read.ts';
import type { ReadOutcome } from './read-state.ts';
import { type ReadSoFar, SharedStream } from './shared-stream.ts';
import type { StoredReplies } from './stored-replies.ts';

export interface SharedRepliesOptions {
  /** Name of the service account. */
  readonly account: string;
  /** The writes of all accounts. */
  readonly changes: CompanyChanges;
  /** The responses of all accounts; undefined when none are stored. */
  readonly stored: StoredReplies | undefined;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly onRead?: ((outcome: ReadOutcome) => void) | undefined;
}

/** A read to send to the upstream. */
export interface ReadRequest {
  readonly key: string;
  readonly stamp: number;
  readonly call: StaffCall;
}

export type StreamReply = RawReply & { readonly raw: Readable };

/** Gives one response to all callers of a coalesced read, and stores it. */
export interface SharedReplies {
  /** Returns the reply for callers, and stores it where others may use it. */
  store(request: ReadRequest, begun: BegunRead, reply: RawReply, raw: string | Uint8Array): RawReply;
  /** Shares a response that is still arriving. `onClosed`: no caller may join any more. */
  shareStream(
    request: ReadRequest,
    begun: BegunRead,
    reply: StreamReply,
    caller: Caller,
    onClosed: () => void,
  ): Promise<TakeReply>;
}

export function createSharedReplies(send: SendCall, options: SharedRepliesOptions): SharedReplies {
  const { account, changes, stored, clock, onRead } = options;

  async function shareStream(
    request: ReadRequest,
    begun: BegunRead,
    reply: StreamReply,
    caller: Caller,
    onClosed: () => void,
  ): Promise<TakeReply> {
    if (caller.signal.aborted) {
      reply.raw.destroy();
      throw requestCancelled(true);
    }
    const arrived = stored && (await fillSoon(reply.raw));
    if (arrived === undefined) return stream(request, begun, reply, caller, onClosed);
    onClosed();
    const whole = store(request, begun, reply, arrived);
    return () => whole;
  }

  function stream(
    request: ReadRequest,
    begun: BegunRead,
    reply: StreamReply,
    caller: Caller,
    onSealed: () => void,
  ): TakeReply {
    const collection = reply.status === 200 ? stored?.collect() : undefined;
    const shared = new SharedStream({
      source: reply.raw,
      joinBytesMax,
      lagBytesMax,
      patienceMs,
      clock,
      onSealed,
      onChunk: collection?.add,
      onOver(isWhole) {
        const bytes = isWhole ? collection?.finish() : undefined;
        collection?.drop();
        if (bytes !== undefined) store(request, begun, reply, bytes);
      },
      async resume(soFar, signal) {
        onRead?.('resumed');
        const again = await send(request.call, new SharedCaller(caller, signal));
        return restOfReply(reply, again, soFar);
      },
    });
    return () => {
      const raw = shared.open();
      return raw && { ...reply, raw };
    };
  }

  function store(request: ReadRequest, begun: BegunRead, reply: RawReply, raw: string | Uint8Array): RawReply {
    if (stored === undefined || reply.status !== 200) return raw === reply.raw ? reply : { ...reply, raw };
    const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
    const { 'Content-Length': _, ...headers } = reply.headers ?? {};
    const etag = String(headers.ETag ?? createOwnTag(bytes));
    const whole = { ...reply, raw: bytes, headers: { ...headers, ETag: etag }, isRepeated: true };
    if (changes.isSettled(account, request.call.companyKey, begun)) {
      stored.set(request.key, { ...begun, reply: whole, etag, isTagProven: isOwnTag(etag) });
    }
    return whole;
  }

  return { store, shareStream };
}

/** Callers may join until this much of a response has arrived. */
const joinBytesMax = 256 * 1024;
/** How much is held for a slow reader, and how long the others wait for it in all. */
const lagBytesMax = 1024 * 1024;
const patienceMs = 1_000;
/** A stored response up to this size that arrives in this time has its tag at once; another has it the next time. */
const soonBytesMax = 1024 * 1024;
const soonMs = 250;

/** Returns the whole response if it is short and arrives soon; otherwise undefined, with nothing consumed. */
async function fillSoon(raw: Readable): Promise<Buffer | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, soonMs);
  try {
    return await fillBuffer(raw, soonBytesMax, late);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the rest of a repeated response, after the bytes that a reader has received from the first one.
 * @throws Problem, at once or in the stream, when the response has changed.
 */
export function restOfReply(first: RawReply, again: RawReply, soFar: ReadSoFar): Readable {
  const isSame =
    again.status === first.status &&
    again.contentType === first.contentType &&
    comparedHeaders.every((name) => again.headers?.[name] === first.headers?.[name]);
  const raw = again.raw instanceof Readable ? again.raw : Readable.from([Buffer.from(again.raw)]);
  if (!isSame) {
    raw.destroy();
    throw changed();
  }
  return Readable.from(skip(raw, soFar), { objectMode: false });
}

const comparedHeaders = ['ETag', 'Last-Modified', 'Content-Length', 'OData-Version', 'Preference-Applied'] as const;

async function* skip(raw: AsyncIterable<Buffer>, { bytes, digest }: ReadSoFar): AsyncGenerator<Buffer> {
  const received = createHash('sha256');
  let left = bytes;
  for await (const chunk of raw) {
    if (left === 0) {
      yield chunk;
      continue;
    }
    const length = Math.min(left, chunk.length);
    received.update(chunk.subarray(0, length));
    left -= length;
    if (left > 0) continue;
    if (!received.digest().equals(digest)) throw changed();
    if (chunk.length > length) yield chunk.subarray(length);
  }
  if (left > 0) throw changed();
}

function changed(): Problem {
  return new Problem('upstream_failed', 'The response changed while it was read. Read it again.');
}
