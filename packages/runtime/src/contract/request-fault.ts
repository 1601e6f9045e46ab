import type { IncomingMessage } from 'node:http';
import type { Problem } from '../problem/index.ts';

/** Emitted on a request, with the `Problem`, when the rest of it will not come as it should: too late, or broken. */
const requestFault = Symbol('request fault');

/** Whoever reads a body hears here what becomes of it before its end. */
export function onRequestFault(req: IncomingMessage, listener: (problem: Problem) => void): void {
  req.once(requestFault, listener);
}

/** Tells who reads the body; false when nobody does. */
export function reportRequestFault(req: IncomingMessage, problem: Problem): boolean {
  return req.emit(requestFault, problem);
}
