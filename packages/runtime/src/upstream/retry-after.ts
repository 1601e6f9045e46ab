import { parseHttpDate } from '../cache/http-date.ts';
import type { UpstreamResponse } from './exchange.ts';

/**
 * How long an answer asks to wait, in milliseconds: delay-seconds or an HTTP date (RFC 9110 §10.2.3); undefined when it
 * does not say, or not so that it can be read.
 */
export function readRetryAfter(headers: UpstreamResponse['headers'], wallClock: () => number): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const nowMs = wallClock();
  const atMs = parseHttpDate(value, nowMs);
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs);
}
