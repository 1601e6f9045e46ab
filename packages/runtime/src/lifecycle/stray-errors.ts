import type { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import { type HeldSignals, holdSignals } from './hold-signals.ts';

export interface StrayErrorOptions {
  /** The process. */
  readonly from: Pick<EventEmitter, 'on'>;
  readonly tell: (text: string, error: unknown) => void;
  /** Ends what serves, once it has answered what is in flight. */
  readonly stop: () => void;
  /** The place in loaded code that an error comes from; undefined for errors of the server itself. */
  readonly findOrigin?: (error: unknown) => string | undefined;
  /** Monotonic, in milliseconds. */
  readonly clock?: () => number;
}

/** Errors that no handler caught. */
export interface StrayErrors {
  /** The error after which nothing can be relied on; undefined while all is well. */
  readonly deadly: () => Error | undefined;
}

/**
 * Handles the errors that no other handler caught. A rejected promise is logged and ends nothing, and so is an error
 * thrown by code that was loaded into the server. After any other thrown error the state of the process is uncertain
 * (Node's documentation of `uncaughtException`), so it answers what is in flight and ends.
 */
export function takeStrayErrors(options: StrayErrorOptions): StrayErrors {
  const { from, tell, stop, findOrigin, clock = () => performance.now() } = options;
  const tellSome = atMost(linesPerSecondMax, tell, clock);
  let deadly: Error | undefined;
  from.on('unhandledRejection', (reason: unknown) => {
    const origin = findOrigin?.(reason);
    tellSome(`a promise was rejected, and nothing handled it${origin === undefined ? '' : ` (${origin})`}`, reason);
  });
  from.on('uncaughtException', (error: unknown) => {
    const origin = findOrigin?.(error);
    if (origin !== undefined) {
      tellSome(`service code threw an error that it did not catch (${origin}); the server goes on`, error);
      return;
    }
    tell('an error was not caught: the server ends after the requests in flight', error);
    deadly ??= toError(error);
    stop();
  });
  return { deadly: () => deadly };
}

/** A timer may throw a thousand times a second. */
const linesPerSecondMax = 10;

/** Passes on so many calls a second; the first of the next second says how many were left out. */
function atMost(count: number, tell: StrayErrorOptions['tell'], clock: () => number): StrayErrorOptions['tell'] {
  let startedMs = Number.NEGATIVE_INFINITY;
  let calls = 0;
  return (text, error) => {
    const nowMs = clock();
    const isNew = nowMs - startedMs >= 1_000;
    const omitted = isNew ? Math.max(0, calls - count) : 0;
    if (isNew) [startedMs, calls] = [nowMs, 0];
    if (++calls <= count) tell(omitted === 0 ? text : `${text}; ${omitted} more errors were not logged`, error);
  };
}

/** What was thrown as an error. Any value can be thrown, also one that no text can be made of. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(
    `${inspect(thrown, { depth: 0, maxStringLength: 200, getters: false })} was thrown, which is not an Error.`,
  );
}

/** Why a server ended by itself: an error that nobody caught. */
export class StrayError extends Error {
  constructor(cause: Error) {
    super(`Ended by an error that nobody caught: ${cause.stack}`, { cause });
    this.name = 'StrayError';
  }
}

export interface GuardOptions {
  /** The process. */
  readonly from: Pick<EventEmitter, 'on' | 'off'>;
  readonly tell: StrayErrorOptions['tell'];
  /** Whether SIGHUP asks for a reload; it ends the process otherwise. */
  readonly isReloading?: boolean;
}

/**
 * Runs what serves until it has ended: signals to stop are held until it releases them, and errors that reach nobody
 * are told of or end it in order.
 * @throws StrayError when one of them has ended it
 */
export async function serveGuarded(
  { from, tell, isReloading = false }: GuardOptions,
  serve: (held: Pick<HeldSignals, 'signals' | 'stopped' | 'release'>) => Promise<void>,
): Promise<void> {
  const held = holdSignals(from, { isReloading });
  const strays = takeStrayErrors({ from, tell, stop: () => held.stop('uncaughtException') });
  try {
    await serve(held);
  } finally {
    held.end();
  }
  const error = strays.deadly();
  if (error !== undefined) throw new StrayError(error);
}
