import type { CallSignal } from '@rostergate/server';
import { requestCancelled, responseTooLate } from './upstream-fault.ts';

export interface Patience {
  /** By the given clock. */
  readonly deadlineMs: number;
  readonly signal: CallSignal | undefined;
}

/**
 * Returns the result of shared work, or rejects at this caller's deadline; the work goes on for its other callers.
 * @throws Problem 504 `upstream_timeout` at the deadline.
 */
export function waitUntil<T>(pending: Promise<T>, patience: Patience, clock: () => number): Promise<T> {
  const { deadlineMs, signal } = patience;
  return new Promise((resolve, reject) => {
    const onAbort = () => end(() => reject(requestCancelled(false)));
    const timer = setTimeout(
      () => end(() => reject(responseTooLate(false))),
      Math.max(0, Math.ceil(deadlineMs - clock())),
    );
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    pending.then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    );
  });
}
