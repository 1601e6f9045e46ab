import type { Server } from 'node:http';

/** How long a server waits for its callers, in milliseconds. */
export interface Timeouts {
  /** For the whole head of a request. */
  readonly headersMs: number;
  /** For a whole request, its body included; 0 waits for ever. */
  readonly requestMs: number;
  /** For the next request on an idle connection; 0 closes it after each answer. */
  readonly keepAliveMs: number;
}

export const defaultTimeouts: Timeouts = Object.freeze({
  headersMs: 10_000,
  requestMs: 60_000,
  // Longer than the pools of callers keep a connection: else one is closed while a request is on its way.
  keepAliveMs: 65_000,
});

/** How often Node looks for requests that are late: no timeout is off by more. */
export const lateCheckMs = 250;

/** Sets the timeouts of a server; those of a running one hold from the next check on. */
export function applyTimeouts(server: Server, timeouts: Partial<Timeouts>): void {
  const { headersMs, requestMs, keepAliveMs } = { ...defaultTimeouts, ...timeouts };
  server.requestTimeout = requestMs;
  server.headersTimeout = requestMs === 0 ? headersMs : Math.min(headersMs, requestMs);
  // Node takes 0 for no bound.
  server.keepAliveTimeout = Math.max(1, keepAliveMs);
  server.maxRequestsPerSocket = keepAliveMs === 0 ? 1 : 0;
}
