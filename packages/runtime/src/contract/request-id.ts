import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const accepted = /^[\w.:-]{1,128}$/;

/**
 * Ids for requests: the caller's `X-Request-Id` when it is harmless to log, else one of our own.
 * A random prefix and a counter: unique without a random number for each request.
 */
export function createRequestIds(
  prefix = randomBytes(6).toString('hex'),
): (req: Pick<IncomingMessage, 'headers'>) => string {
  let count = 0;
  return (req) => {
    const given = req.headers['x-request-id'];
    return typeof given === 'string' && accepted.test(given) ? given : `${prefix}-${(++count).toString(36)}`;
  };
}
