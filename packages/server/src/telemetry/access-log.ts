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
 * Returns a function that logs a finished request in one line of ids, names and figures: no raw path, query, header or
 * body, so no secret of a client gets into the log. Of responses below 400, one in `sampleEvery` is logged.
 */
export function createAccessLog(log: Logger, sampleEvery: () => number = () => 1): WriteAccess {
  // One child logger for each route, so that constant fields are serialized once.
  const routeLogs = new WeakMap<Route, Logger>();
  const logOf = (route: Route, method: string): Logger => {
    const known = routeLogs.get(route);
    if (known !== undefined) {
      // A child keeps the level that its parent had when it was created.
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
    // pino would log the error itself with its whole message.
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
