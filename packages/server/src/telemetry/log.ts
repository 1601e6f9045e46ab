import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { Context, Principal, Route } from '../contract/index.ts';
import { credentialsOf, unmatchedRoute, withoutCredentials } from '../contract/index.ts';
import type { Problem } from '../problem/index.ts';

export interface LogOptions {
  readonly service: string;
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
}

/** Returns a logger that names the service in every line. Errors are logged without values that may be secret. */
export function createLog({ service, level }: LogOptions, destination: DestinationStream): Logger {
  return pino({ ...format, level, base: { service } }, destination);
}

/** Levels as words, and times as ISO 8601, which people can read and programs can sort. */
const format: LoggerOptions = {
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (level) => ({ level }) },
  serializers: { err: (error: unknown) => (error instanceof Error ? describeCause(error) : error) },
};

/**
 * Returns standard output, buffered and written every 50 ms: a write for each line costs several times what the line
 * does. The rest is written when the process ends.
 */
export function createOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: flushMs });
}

/** Returns standard output for processes that share it, in writes small enough for the system to keep lines whole. */
export function createSharedOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, maxWrite: 4_096, minLength: 2_048, periodicFlush: flushMs });
}

const flushMs = 50;

/** Resolves when the destination has written every line. */
export function flush(
  destination: DestinationStream & { flush?: (done: (error?: Error) => void) => void },
): Promise<void> {
  return new Promise((resolve) => {
    if (destination.flush === undefined) resolve();
    else destination.flush(() => resolve());
  });
}

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
    const { req, route, requestId, principal, trace, upstream } = context;
    const line: AccessLine = {
      request_id: requestId,
      trace_id: trace.traceId,
      span_id: trace.spanId,
      status,
      duration_ms: Math.round(durationMs * 1000) / 1000,
      principal: principal?.name ?? null,
    };
    if (upstream !== undefined) line.upstream = upstream;
    if (problem !== undefined) line.code = problem.code;
    if (status < 500) {
      logOf(route, req.method).info(line);
      return;
    }
    // pino would log the error itself with its whole message.
    if (problem?.cause !== undefined) line.err = describeCause(problem.cause, credentialsOf(req));
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
  upstream?: string;
  code?: string;
  err?: unknown;
}

/** An error as it is logged, without other members, which may hold rows, queries, addresses or bodies. */
export interface DescribedCause {
  readonly type: string;
  readonly code?: string | number;
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: DescribedCause;
  readonly errors?: readonly DescribedCause[];
}

const depthMax = 4;
const messageLengthMax = 500;

/**
 * Describes an error for the log by its class, code, message and stack. Omits the messages of errors known to repeat
 * their input; their code says what is wrong.
 * @param credentials are masked in every text
 */
export function describeCause(error: unknown, credentials: readonly string[] = [], depth = 0): DescribedCause {
  if (!(error instanceof Error)) return { type: error === null ? 'null' : typeof error };
  const { code, cause, errors } = error as Error & { code?: unknown; errors?: unknown };
  const mask = (text: string) => withoutCredentials(text, credentials);
  return {
    type: error.constructor?.name || error.name,
    ...(typeof code === 'string' ? { code: mask(code) } : typeof code === 'number' ? { code } : {}),
    ...(repeatsValues(error) ? {} : { message: withoutValues(mask(error.message), code) }),
    ...(error.stack === undefined ? {} : { stack: mask(framesOf(error.stack)) }),
    ...(cause === undefined || depth >= depthMax ? {} : { cause: describeCause(cause, credentials, depth + 1) }),
    ...(Array.isArray(errors) && depth < depthMax
      ? { errors: errors.slice(0, 10).map((each) => describeCause(each, credentials, depth + 1)) }
      : {}),
  };
}

/** PostgreSQL and parsers quote their input, and validators list it. */
function repeatsValues(error: Error): boolean {
  const { severity, code, issues } = error as Error & { severity?: unknown; code?: unknown; issues?: unknown };
  const isSqlState = severity !== undefined || (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code));
  return isSqlState || error instanceof SyntaxError || error instanceof URIError || Array.isArray(issues);
}

/** Removes users and queries of URLs, the values that Node received, and the text that SQLite quotes. */
function withoutValues(message: string, code: unknown): string {
  const text = message
    .slice(0, messageLengthMax)
    .replace(/(\b[a-z][\w+.-]*:\/\/)[^\s/?#]*@/gi, '$1')
    .replace(/(\b[a-z][\w+.-]*:\/\/[^\s?#]*)[?#]\S*/gi, '$1');
  if (code === 'ERR_SQLITE_ERROR') return text.replace(/"[^"]*"|'[^']*'/g, '[…]');
  return typeof code === 'string' && code.startsWith('ERR_INVALID_') ? text.replace(/\.? Received [\s\S]*$/, '') : text;
}

/** Returns the stack without its first lines, which repeat the message. */
function framesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
