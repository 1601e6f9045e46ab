import { isOverloadedOrDown } from './upstream.ts';
import { type FaultReason, UpstreamFault } from './upstream-fault.ts';
import type { Outcome, ResponseHead } from './upstream-response.ts';

/** This server's name in `Via` and `Proxy-Status`, in place of a host name. */
export const pseudonym = 'rostergate';

/**
 * Marks a final outcome by `Proxy-Status` (RFC 9209), so that servers of this kind in front do not retry it again: the
 * retries of a chain then add up instead of multiplying.
 */
export function markRetried(outcome: Outcome): void {
  if ('response' in outcome) {
    const { response } = outcome;
    if (isOverloadedOrDown(response.status)) {
      const inner = response.headers[name];
      const own = `${pseudonym}; received-status=${response.status}`;
      (response.headers as Record<string, unknown>)[name] = inner === undefined ? own : `${String(inner)}, ${own}`;
    }
  } else if (outcome.error instanceof UpstreamFault && outcome.error.reason !== 'abandoned') {
    const { reason } = outcome.error;
    outcome.error.proxyStatus = reason === 'unreachable' ? unavailable : `${pseudonym}; error=${errorTypes[reason]}`;
  }
}

/** Whether a server of this kind nearer to the origin has already retried the request. */
export function wasRetried({ headers }: ResponseHead): boolean {
  const value = headers[name];
  return value !== undefined && marked.test(String(value));
}

/** Whether such a server reports that the request reached no upstream. */
export function neverArrived({ headers }: ResponseHead): boolean {
  return String(headers[name] ?? '').includes(unavailable);
}

const name = 'proxy-status';
/** `Proxy-Status` of a request that could not be forwarded. */
export const unavailable = `${pseudonym}; error=destination_unavailable`;
const marked = new RegExp(`(?:^|,)\\s*${pseudonym}\\s*;`);

/** The error types of RFC 9209 §2.3. */
const errorTypes: Readonly<Record<Exclude<FaultReason, 'abandoned' | 'unreachable'>, string>> = {
  timeout: 'http_response_timeout',
  broken: 'http_response_incomplete',
};
