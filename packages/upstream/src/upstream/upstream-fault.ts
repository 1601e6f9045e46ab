import { Problem, type ProblemCode } from '@rostergate/server/problem';

/** The kind of a fault, for metrics and retries. */
export type FaultReason = 'unreachable' | 'timeout' | 'broken' | 'abandoned';

/** A fault in a request to an upstream. The response contains its detail; the log contains its cause. */
export class UpstreamFault extends Problem {
  declare readonly code: ProblemCode;
  readonly reason: FaultReason;
  /** False only when certainly no byte of the request was sent. */
  readonly wasSent: boolean;
  readonly #headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, reason: FaultReason, wasSent: boolean, cause?: unknown) {
    const headers: Record<string, string> = {};
    super(code, detail, { cause, headers });
    this.reason = reason;
    this.wasSent = wasSent;
    this.#headers = headers;
  }

  /** Sets the `Proxy-Status` header of the response. */
  set proxyStatus(value: string) {
    this.#headers['Proxy-Status'] = value;
  }
}

/**
 * Converts an error of the client library to a fault. Returns an error about an invalid request, which is no fault of the
 * upstream, unchanged.
 */
export function toUpstreamFault(error: Error, wasSent = true): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error instanceof Problem || code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return error;
  const failed = (detail: string, reason: FaultReason) =>
    new UpstreamFault('upstream_failed', detail, reason, wasSent, error);
  if (timeouts.has(code)) return responseTooLate(wasSent, error);
  if (isUnverified(code)) {
    const detail = 'The TLS certificate of the upstream failed verification, so nothing was sent. Tell the operator.';
    return failed(detail, 'unreachable');
  }
  if (!wasSent || unreachable.has(code))
    return failed('The upstream cannot be reached. Try again later.', 'unreachable');
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_RES') || code.startsWith('UND_ERR_HEADERS')) {
    return notHttp(error);
  }
  return failed('The upstream closed the connection before the response was complete. Try again later.', 'broken');
}

/** Returns the fault for a response that is not HTTP, or has an undefined status (RFC 9110 §15). */
export function notHttp(cause?: Error): UpstreamFault {
  return new UpstreamFault('upstream_failed', 'The response of the upstream is not valid HTTP.', 'broken', true, cause);
}

/** Returns the fault for a 101 that does not accept the handshake of a WebSocket (RFC 6455 §4.1). */
export function badHandshake(fault: string): UpstreamFault {
  const detail = 'The upstream did not accept the WebSocket handshake correctly.';
  return new UpstreamFault('upstream_failed', detail, 'broken', true, new Error(fault));
}

export function responseTooLate(wasSent: boolean, cause?: Error): UpstreamFault {
  const detail = 'The upstream did not respond in time. Try again later.';
  return new UpstreamFault('upstream_timeout', detail, 'timeout', wasSent, cause);
}

/** Returns the fault for a cancelled request, for the log. */
export function requestCancelled(wasSent: boolean): UpstreamFault {
  const detail = 'The request was cancelled before the upstream responded.';
  return new UpstreamFault('upstream_failed', detail, 'abandoned', wasSent);
}

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

/** Whether Node or OpenSSL rejected the certificate of the server. */
function isUnverified(code: string): boolean {
  if (code.startsWith('ERR_')) return code === 'ERR_TLS_CERT_ALTNAME_INVALID';
  return /CERT|^UNABLE_TO_|^INVALID_(CA|PURPOSE)$|^HOSTNAME_MISMATCH$/.test(code);
}

const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);
