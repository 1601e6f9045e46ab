import type { UpstreamResponse } from './exchange.ts';

/** Lets go of an answer that nobody will read: a short one to its end, so that its connection can be used again. */
export function discard({ headers, body }: UpstreamResponse): void {
  if (Number(headers['content-length'] ?? Number.NaN) <= discardedBytesMax) body.resume();
  else body.destroy();
}

const discardedBytesMax = 64 * 1024;
