import type { EventEmitter } from 'node:events';
import { type HeldSignals, holdSignals } from './hold-signals.ts';

export interface StrayErrorOptions {
  /** The process. */
  readonly from: Pick<EventEmitter, 'on'>;
  readonly tell: (text: string, error: unknown) => void;
  /** Ends what serves, once it has answered what is in flight. */
  readonly stop: () => void;
}

/** What has come by nobody's hands. */
export interface StrayErrors {
  /** The error after which nothing can be relied on; undefined while all is well. */
  readonly deadly: () => Error | undefined;
}

/**
 * Takes the errors that reach nobody, such as those of what a service has begun and does not wait for. A rejected
 * promise is told of and ends nothing; after a thrown error the state of the process is uncertain (Node's
 * documentation of `uncaughtException`), so it answers what it has and makes room for the next.
 */
export function takeStrayErrors({ from, tell, stop }: StrayErrorOptions): StrayErrors {
  let deadly: Error | undefined;
  from.on('unhandledRejection', (reason: unknown) => tell('a promise was rejected, and nobody waited for it', reason));
  from.on('uncaughtException', (error: unknown) => {
    tell('an error was caught by nobody: the server ends with what is in flight', error);
    deadly ??= error instanceof Error ? error : new Error(String(error));
    stop();
  });
  return { deadly: () => deadly };
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
