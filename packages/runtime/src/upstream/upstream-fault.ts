import { Problem, type ProblemCode } from '../problem/index.ts';

/** What kind of fault it was, for metrics and for deciding what may be done about it. */
export type FaultReason = 'unreachable' | 'timeout' | 'broken' | 'abandoned';

/** A fault on the way to an upstream. The caller is told its detail; what happened inside is the cause, for the log. */
export class UpstreamFault extends Problem {
  readonly reason: FaultReason;
  /** False only when it is certain that no byte of the request has left. */
  readonly wasSent: boolean;
  readonly #headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, reason: FaultReason, wasSent: boolean, cause?: unknown) {
    const headers: Record<string, string> = {};
    super(code, detail, { cause, headers });
    this.reason = reason;
    this.wasSent = wasSent;
    this.#headers = headers;
  }

  /** What the response says in `Proxy-Status`. */
  set proxyStatus(value: string) {
    this.#headers['Proxy-Status'] = value;
  }
}

/**
 * Turns what the client library throws into what the caller is told. A request that could not be made at all is no
 * fault of the upstream and is returned as it is.
 */
export function toUpstreamFault(error: Error, wasSent = true): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error instanceof Problem || code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return error;
  const failed = (detail: string, reason: FaultReason) =>
    new UpstreamFault('upstream_failed', detail, reason, wasSent, error);
  if (timeouts.has(code)) return answerTooLate(wasSent, error);
  if (!wasSent || unreachable.has(code))
    return failed('The upstream cannot be reached. Try again later.', 'unreachable');
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_RES') || code.startsWith('UND_ERR_HEADERS')) {
    return notHttp(error);
  }
  return failed('The upstream broke off. Try again later.', 'broken');
}

/** It speaks something else, or has a status that HTTP does not know (RFC 9110 §15). */
export function notHttp(cause?: Error): UpstreamFault {
  return new UpstreamFault(
    'upstream_failed',
    'The upstream answered with something that is not HTTP.',
    'broken',
    true,
    cause,
  );
}

export function answerTooLate(wasSent: boolean, cause?: Error): UpstreamFault {
  const detail = 'The upstream did not answer in time. Try again later.';
  return new UpstreamFault('upstream_timeout', detail, 'timeout', wasSent, cause);
}

/** Nobody is left to read this; it ends the exchange and explains the log line. */
export function callerGone(wasSent: boolean): UpstreamFault {
  const detail = 'The request was given up before the upstream had answered it.';
  return new UpstreamFault('upstream_failed', detail, 'abandoned', wasSent);
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
