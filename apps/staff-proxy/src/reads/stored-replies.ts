import type { RawReply } from '@rostergate/server';
import { namesTag, notModified } from './entity-tags.ts';

/** A whole response to send again. */
export interface StoredReply {
  readonly reply: RawReply & { readonly raw: Uint8Array };
  readonly etag: string;
  /** Whether the tag identifies these bytes: not every upstream changes the tag with the response. */
  isTagProven: boolean;
  /** The write stamp when the read was sent. */
  readonly stamp: number;
  /** When the read was sent. */
  readonly startedMs: number;
}

/** Responses within a bound of memory and age; the least recently used is evicted first. */
export interface StoredReplies {
  /** Returns undefined also for a response that is too old or was read before a write. */
  get(key: string, stamp: number): StoredReply | undefined;
  set(key: string, entry: StoredReply): void;
  /** Starts to collect the bytes of a streamed response. */
  collect(): Collection;
  /** Deletes everything and stores nothing more. */
  close(): void;
}

export interface Collection {
  add(chunk: Uint8Array): void;
  /** Returns the whole response; undefined when it became too long or the memory is needed. */
  finish(): Buffer | undefined;
  drop(): void;
}

export interface StoredRepliesOptions {
  readonly secondsMax: number;
  /** Size of all responses, including those that are being collected. */
  readonly bytesMax: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** The stored size has grown by `bytes`. */
  readonly onGrown?: (bytes: number) => void;
}

export function createStoredReplies({ secondsMax, bytesMax, clock, onGrown }: StoredRepliesOptions): StoredReplies {
  const ageMsMax = secondsMax * 1_000;
  /** The longest response that is stored. */
  const replyBytesMax = Math.min(16 * 1024 ** 2, Math.floor(bytesMax / 4));
  // In the order of their last use.
  const entries = new Map<string, StoredReply>();
  let storedBytes = 0;
  let collectedBytes = 0;
  let isClosed = false;

  function grow(bytes: number): void {
    storedBytes += bytes;
    onGrown?.(bytes);
  }

  function remove(key: string, entry: StoredReply): void {
    entries.delete(key);
    grow(-sizeOf(key, entry));
  }

  function evict(): void {
    for (const [key, entry] of entries) {
      if (storedBytes + collectedBytes <= bytesMax) break;
      remove(key, entry);
    }
  }

  return {
    get(key, stamp) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.stamp !== stamp || clock() >= entry.startedMs + ageMsMax) {
        remove(key, entry);
        return undefined;
      }
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    set(key, entry) {
      if (isClosed || entry.reply.raw.length > replyBytesMax) return;
      const before = entries.get(key);
      if (before !== undefined) remove(key, before);
      entries.set(key, entry);
      grow(sizeOf(key, entry));
      evict();
    },
    collect() {
      let chunks: Uint8Array[] | undefined = [];
      let length = 0;
      const drop = () => {
        if (chunks === undefined) return;
        chunks = undefined;
        collectedBytes -= length;
      };
      return {
        drop,
        add(chunk) {
          if (chunks === undefined) return;
          chunks.push(chunk);
          length += chunk.length;
          collectedBytes += chunk.length;
          // Unfinished responses displace at most half of the stored ones.
          if (isClosed || length > replyBytesMax || collectedBytes > bytesMax / 2) drop();
          else evict();
        },
        finish() {
          const whole = chunks && Buffer.concat(chunks);
          drop();
          return whole;
        },
      };
    },
    close() {
      isClosed = true;
      for (const [key, entry] of entries) remove(key, entry);
    },
  };
}

/** Returns the reply to a caller; undefined when only the upstream knows whether the caller's copy is current. */
export function replyFromStored(
  { reply, etag, isTagProven, startedMs }: StoredReply,
  condition: string | undefined,
  nowMs: number,
): RawReply | undefined {
  const headers = { ...reply.headers, Age: String(Math.max(0, Math.floor((nowMs - startedMs) / 1_000))) };
  if (condition === undefined || !namesTag(condition, etag)) return { ...reply, headers };
  return isTagProven ? notModified({ ...reply, headers }) : undefined;
}

/** Includes the compressed form, which is stored beside the bytes, and the overhead of JavaScript. */
function sizeOf(key: string, { reply }: StoredReply): number {
  return Math.ceil(reply.raw.length * 1.25) + 2 * key.length + 1_024;
}
