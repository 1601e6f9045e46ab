import { Problem } from '../problem/index.ts';

/**
 * What the caller is told of a fault on the way to an upstream; what happened inside is the cause, for the log.
 * A request that could not be made at all is no fault of the upstream and is returned as it is.
 */
export function toUpstreamFault(error: Error): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error instanceof Problem || code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return error;
  if (timeouts.has(code)) return answerTooLate(error);
  if (unreachable.has(code))
    return new Problem('upstream_failed', 'The upstream cannot be reached. Try again later.', { cause: error });
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_RES') || code.startsWith('UND_ERR_HEADERS')) {
    return new Problem('upstream_failed', 'The upstream answered with something that is not HTTP.', { cause: error });
  }
  return new Problem('upstream_failed', 'The upstream broke off. Try again later.', { cause: error });
}

export function answerTooLate(cause?: Error): Problem {
  return new Problem('upstream_timeout', 'The upstream did not answer in time. Try again later.', { cause });
}

/** Nobody is left to read this; it ends the exchange and explains the log line. */
export function callerGone(): Problem {
  return new Problem('upstream_failed', 'The request was given up before the upstream had answered it.');
}

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

const unreachable = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
]);
