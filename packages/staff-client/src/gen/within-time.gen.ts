// Written by tools/contract from tools/contract/templates/client/within-time.ts. Do not edit: run `pnpm generate`.
/**
 * Runs something that ends with `signal` at the latest, which is aborted when the caller's is, or after `timeoutMs` with
 * a `TimeoutError`. Rejects with the signal's reason then, whatever the run still waits for.
 */
export async function withinTime<Result>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', abort);
  const expire = () => controller.abort(new DOMException('No answer in time.', 'TimeoutError'));
  // Timers take no more than 31 bits, and would expire at once.
  const timer = timeoutMs < 2 ** 31 ? setTimeout(expire, timeoutMs) : undefined;
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      run(signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}

/** Resolves after a while, or never once the signal is aborted: then nobody waits for it. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
