import type { Readable } from 'node:stream';

/**
 * A body that is read where it is needed: `open` gives it as a stream, again and again as long as nobody has read from
 * one of them.
 */
export interface OpenableBody {
  open(): Readable;
  /** Nothing has been taken out yet: it can still be sent from its beginning. */
  readonly isUntouched: boolean;
}

export type RequestBody = string | Uint8Array | Readable | OpenableBody;

export function isOpenable(body: RequestBody): body is OpenableBody {
  return typeof body === 'object' && 'open' in body;
}

/** Whether a request with this body could be sent once more, from its first byte. */
export function canSendAgain(body: RequestBody | undefined): boolean {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return true;
  return isOpenable(body) && body.isUntouched;
}
