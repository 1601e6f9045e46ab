import type { Readable } from 'node:stream';
import { parseHttpDate } from '../cache/http-date.ts';

export interface UpstreamResponse {
  readonly status: number;
  /** By lower-case name; a repeated header is an array. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Fails with a `Problem` when the upstream closes early or sends no data for too long. */
  readonly body: Readable;
}

/** The status and headers of a response. */
export type ResponseHead = Pick<UpstreamResponse, 'status' | 'headers'>;

export type OnInterim = (status: number, headers: UpstreamResponse['headers']) => void;

/** The outcome of one attempt. */
export type Outcome = { readonly response: UpstreamResponse } | { readonly error: unknown };

/** Discards a response: reads a short one to its end, so that its connection can be reused. */
export function discard({ headers, body }: UpstreamResponse): void {
  const length = headers['content-length'];
  if (length !== undefined && !(Number(length) <= discardedBytesMax)) {
    body.destroy();
    return;
  }
  let leftBytes = discardedBytesMax;
  // A new connection takes less time than this.
  const timer = setTimeout(() => body.destroy(), discardMsMax).unref();
  body.once('close', () => clearTimeout(timer));
  body.on('data', (chunk: Buffer) => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) body.destroy();
  });
}

const discardedBytesMax = 64 * 1024;
const discardMsMax = 1_000;

/**
 * Returns the Retry-After of a response in milliseconds: delay-seconds or an HTTP date (RFC 9110 §10.2.3); undefined
 * when it is absent or invalid.
 */
export function readRetryAfter(headers: UpstreamResponse['headers'], wallClock: () => number): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const nowMs = wallClock();
  const atMs = parseHttpDate(value, nowMs);
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs);
}
