import type { UpstreamResponse } from './exchange.ts';

/** Lets go of an answer that nobody will read: a short one to its end, so that its connection can be used again. */
export function discard({ headers, body }: UpstreamResponse): void {
  const length = headers['content-length'];
  if (length !== undefined && !(Number(length) <= discardedBytesMax)) {
    body.destroy();
    return;
  }
  let leftBytes = discardedBytesMax;
  // Not worth waiting for: another connection is made sooner.
  const timer = setTimeout(() => body.destroy(), discardMsMax).unref();
  body.once('close', () => clearTimeout(timer));
  body.on('data', (chunk: Buffer) => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) body.destroy();
  });
}

const discardedBytesMax = 64 * 1024;
const discardMsMax = 1_000;
