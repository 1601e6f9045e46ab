import type { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import { type HeldSignals, holdSignals } from './hold-signals.ts';

export interface StrayErrorOptions {
  /** The process. */
  readonly from: Pick<EventEmitter, 'on'>;
  /** Logs an error. */
  readonly report: (text: string, error: unknown) => void;
  /** Stops the server after the requests in flight. */
  readonly stop: () => void;
  /** Returns the place in loaded code that threw the error; undefined for errors of the server itself. */
  readonly findOrigin?: (error: unknown) => string | undefined;
  /** Monotonic, in milliseconds. */
  readonly clock?: () => number;
}

/** Errors that no handler caught. */
export interface StrayErrors {
  /** Returns the first error after which the state of the process is uncertain; undefined without one. */
  readonly deadly: () => Error | undefined;
}

/**
 * Handles errors that no other handler caught. Rejected promises and errors thrown by loaded code are logged. After any
 * other thrown error the state of the process is uncertain (see `uncaughtException` in the documentation of Node), so
 * the server finishes the requests in flight and stops.
 */
export function handleStrayErrors(options: StrayErrorOptions): StrayErrors {
  const { from, report, stop, findOrigin, clock = () => performance.now() } = options;
  const logSome = atMost(linesPerSecondMax, report, clock);
  let deadly: Error | undefined;
  from.on('unhandledRejection', (reason: unknown) => {
    const origin = findOrigin?.(reason);
    logSome(`unhandled promise rejection${origin === undefined ? '' : ` (${origin})`}`, reason);
  });
  from.on('uncaughtException', (error: unknown) => {
    const origin = findOrigin?.(error);
    if (origin !== undefined) {
      logSome(`service code threw an uncaught error (${origin}); the server continues`, error);
      return;
    }
    report('uncaught error: the server stops after the requests in flight', error);
    deadly ??= toError(error);
    stop();
  });
  return { deadly: () => deadly };
}

/** Limits the log, because a timer may throw a thousand times a second. */
const linesPerSecondMax = 10;

/**
 * Returns `report`, limited to `count` calls a second. The first call of a later second reports how many were omitted.
 */
function atMost(count: number, report: StrayErrorOptions['report'], clock: () => number): StrayErrorOptions['report'] {
  let startedMs = Number.NEGATIVE_INFINITY;
  let calls = 0;
  return (text, error) => {
    const nowMs = clock();
    const isNew = nowMs - startedMs >= 1_000;
    const omitted = isNew ? Math.max(0, calls - count) : 0;
    if (isNew) [startedMs, calls] = [nowMs, 0];
    if (++calls <= count) report(omitted === 0 ? text : `${text}; ${omitted} more errors were not logged`, error);
  };
}

/** Returns an error for any thrown value, also one that cannot be converted to a string. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(
    `${inspect(thrown, { depth: 0, maxStringLength: 200, getters: false })} was thrown, which is not an Error.`,
  );
}

/** The uncaught error that stopped a server. */
export class StrayError extends Error {
  constructor(cause: Error) {
    super(`Stopped by an uncaught error: ${cause.stack}`, { cause });
    this.name = 'StrayError';
  }
}

export interface GuardOptions {
  /** The process. */
  readonly from: Pick<EventEmitter, 'on' | 'off'>;
  readonly report: StrayErrorOptions['report'];
  /** Whether SIGHUP reloads; by default it ends the process. */
  readonly isReloading?: boolean;
}

/**
 * Runs a server until it has stopped. Holds signals to stop until `serve` releases them, and handles errors that no
 * other handler caught.
 * @throws StrayError when such an error stopped the server
 */
export async function serveGuarded(
  { from, report, isReloading = false }: GuardOptions,
  serve: (held: Pick<HeldSignals, 'signals' | 'stopped' | 'release'>) => Promise<void>,
): Promise<void> {
  const held = holdSignals(from, { isReloading });
  const strays = handleStrayErrors({ from, report, stop: () => held.stop('uncaughtException') });
  try {
    await serve(held);
  } finally {
    held.end();
  }
  const error = strays.deadly();
  if (error !== undefined) throw new StrayError(error);
}
