import type { UpstreamResponse } from './exchange.ts';

/**
 * How long an answer asks to wait, in milliseconds: delay-seconds or an HTTP date (RFC 9110 §10.2.3); undefined when it
 * does not say, or not so that it can be read.
 */
export function readRetryAfter(headers: UpstreamResponse['headers'], wallClock: () => number): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  // Only a date in words: Date.parse makes something of many a number.
  const at = /^[A-Z][a-z]{2,}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - wallClock());
}
