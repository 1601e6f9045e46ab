import type { Server } from 'node:http';

/** How long a server waits for its clients, in milliseconds. */
export interface Timeouts {
  /** For the whole head of a request. */
  readonly headersMs: number;
  /** For a whole request, its body included; 0 disables the timeout. */
  readonly requestMs: number;
  /** For the next request on an idle connection; 0 closes it after each response. */
  readonly keepAliveMs: number;
}

export const defaultTimeouts: Timeouts = Object.freeze({
  headersMs: 10_000,
  requestMs: 60_000,
  // Longer than client pools keep idle connections: otherwise the server closes one that a request is arriving on.
  keepAliveMs: 65_000,
});

/** How often Node looks for late requests, which bounds the error of the timeouts. */
export const lateCheckMs = 250;

/** Sets the timeouts of a server; a running server uses them from the next check on. */
export function applyTimeouts(server: Server, timeouts: Partial<Timeouts>): void {
  const { headersMs, requestMs, keepAliveMs } = { ...defaultTimeouts, ...timeouts };
  server.requestTimeout = requestMs;
  server.headersTimeout = requestMs === 0 ? headersMs : Math.min(headersMs, requestMs);
  // For Node, 0 means no timeout.
  server.keepAliveTimeout = Math.max(1, keepAliveMs);
  server.maxRequestsPerSocket = keepAliveMs === 0 ? 1 : 0;
}

export interface TimeoutSettings {
  readonly headers_timeout_ms: number;
  readonly request_timeout_ms: number;
  readonly keep_alive_timeout_ms: number;
}

/** Returns the timeouts of the settings. */
export function timeoutsOf(settings: TimeoutSettings): Partial<Timeouts> {
  return {
    headersMs: settings.headers_timeout_ms,
    requestMs: settings.request_timeout_ms,
    keepAliveMs: settings.keep_alive_timeout_ms,
  };
}
