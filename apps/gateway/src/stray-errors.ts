import type { EventEmitter } from 'node:events';

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
