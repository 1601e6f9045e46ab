import type { Logger } from 'pino';
import type { Context, Principal, Route } from '../contract/index.ts';
import { unmatchedRoute } from '../contract/index.ts';
import type { Problem } from '../problem/index.ts';
import { describeCause } from './describe-cause.ts';

export type WriteAccess = (
  context: Context<Principal>,
  status: number,
  durationMs: number,
  problem: Problem | undefined,
) => void;

/**
 * Writes one line for each finished request: ids, names and figures only. No path as sent, no query, no header and no
 * body, so nothing a caller keeps secret can get into the log. Of answers below 400 one in `sampleEvery` is written.
 */
export function createAccessLog(log: Logger, sampleEvery: () => number = () => 1): WriteAccess {
  // A child logger a route: what never changes is made into text once.
  const routeLogs = new WeakMap<Route, Logger>();
  const logOf = (route: Route, method: string): Logger => {
    const known = routeLogs.get(route);
    if (known !== undefined) {
      // A child keeps the level that its parent had at its birth.
      if (known.levelVal !== log.levelVal) known.level = log.level;
      return known;
    }
    if (route.operationId === unmatchedRoute.operationId) return log.child({ method, route: route.path });
    const child = log.child({ method: route.method.toUpperCase(), route: route.path });
    routeLogs.set(route, child);
    return child;
  };
  let sinceSample = 0;

  return (context, status, durationMs, problem) => {
    if (status < 400) {
      sinceSample++;
      if (sinceSample < sampleEvery()) return;
      sinceSample = 0;
    }
    if (!log.isLevelEnabled(status < 500 ? 'info' : 'error')) return;
    const { req, route, requestId, principal, trace } = context;
    const line: AccessLine = {
      request_id: requestId,
      trace_id: trace.traceId,
      span_id: trace.spanId,
      status,
      duration_ms: Math.round(durationMs * 1000) / 1000,
      principal: principal?.name ?? null,
    };
    if (problem !== undefined) line.code = problem.code;
    if (status < 500) {
      logOf(route, req.method).info(line);
      return;
    }
    // The error itself would get its message into the line by another way, whole.
    if (problem?.cause !== undefined) line.err = describeCause(problem.cause);
    logOf(route, req.method).error(line);
  };
}

interface AccessLine {
  request_id: string;
  trace_id: string;
  span_id: string;
  status: number;
  duration_ms: number;
  principal: string | null;
  code?: string;
  err?: unknown;
}
