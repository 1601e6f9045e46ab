import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { CallSignal, RawReply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { requestCancelled } from '@rostergate/upstream';
import { fillBuffer } from '@rostergate/upstream/cache';
import { type ReadSoFar, SharedStream } from './shared-stream.ts';
import type { StoredReplies } from './stored-replies.ts';

/** Returns one caller's reply of a shared read; undefined when its first bytes are no longer held. */
export type TakeReply = () => RawReply | undefined;

export interface StreamSharing {
  /** The response, which is still arriving. */
  readonly reply: RawReply & { readonly raw: Readable };
  /** Aborts when no caller waits any more. */
  readonly signal: CallSignal;
  /** Undefined when nothing is stored. */
  readonly stored: Pick<StoredReplies, 'collect'> | undefined;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Called once, when no caller may join any more. */
  readonly onClosed: () => void;
  /** Returns the reply of the whole response for callers, and stores it. */
  readonly store: (bytes: Uint8Array) => RawReply;
  /** Sends the read again, for a reader that fell too far behind. */
  readonly sendAgain: (signal: CallSignal) => Promise<RawReply>;
}

/** Gives one response to all callers of a coalesced read: whole if it arrives soon, and as a stream otherwise. */
export async function shareStream(sharing: StreamSharing): Promise<TakeReply> {
  const { reply, signal, stored, onClosed, store } = sharing;
  if (signal.aborted) {
    reply.raw.destroy();
    throw requestCancelled(true);
  }
  const arrived = stored && (await fillSoon(reply.raw));
  if (arrived === undefined) return openStream(sharing);
  onClosed();
  const whole = store(arrived);
  return () => whole;
}

function openStream({ reply, stored, clock, onClosed, store, sendAgain }: StreamSharing): TakeReply {
  const collection = reply.status === 200 ? stored?.collect() : undefined;
  const shared = new SharedStream({
    source: reply.raw,
    joinBytesMax,
    lagBytesMax,
    patienceMs,
    clock,
    onSealed: onClosed,
    onChunk: collection?.add,
    onOver(isWhole) {
      const bytes = isWhole ? collection?.finish() : undefined;
      collection?.drop();
      if (bytes !== undefined) store(bytes);
    },
    resume: async (soFar, signal) => restOfReply(reply, await sendAgain(signal), soFar),
  });
  return () => {
    const raw = shared.open();
    return raw && { ...reply, raw };
  };
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
