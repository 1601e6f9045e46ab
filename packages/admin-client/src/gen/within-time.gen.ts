// Written by tools/contract from tools/contract/templates/client/within-time.ts. Do not edit: run `pnpm generate`.
/**
 * Runs a function with a timeout. Its signal is aborted with the caller's signal, or after `timeoutMs` with a
 * `TimeoutError`. The promise then rejects immediately with the reason of the signal.
 */
export async function withinTime<Result>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const forget = outer && onAbort(outer, () => controller.abort(outer.reason));
  const cancel = startTimer(timeoutMs, () => controller.abort(new DOMException('The call timed out.', 'TimeoutError')));
  try {
    return await new Promise((resolve, reject) => {
      onAbort(signal, () => reject(signal.reason));
      run(signal).then(resolve, reject);
    });
  } finally {
    cancel();
    forget?.();
  }
}

/** Resolves after `ms`. Never resolves once the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = startTimer(ms, () => {
      forget();
      resolve();
    });
    const forget = onAbort(signal, cancel);
  });
}

const timerMsMax = 2 ** 31 - 1;

/** Runs a function after `ms` and returns a function that cancels it. A single timer is limited to 31 bits. */
function startTimer(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = (leftMs: number): void => {
    timer = setTimeout(() => (leftMs > timerMsMax ? wait(leftMs - timerMsMax) : run()), Math.min(leftMs, timerMsMax));
  };
  wait(ms);
  return () => clearTimeout(timer);
}

/** The functions to run when a signal is aborted. */
class Waiting {
  readonly runs = new Set<() => void>();

  handleEvent(): void {
    for (const run of this.runs) run();
  }
}

/** One listener per signal, because platforms warn about many listeners. */
const waitings = new WeakMap<AbortSignal, Waiting>();

/** Runs a function when a signal is aborted and returns a function that unregisters it. */
function onAbort(signal: AbortSignal, run: () => void): () => void {
  const waiting = waitings.get(signal) ?? new Waiting();
  waitings.set(signal, waiting);
  waiting.runs.add(run);
  signal.addEventListener('abort', waiting);
  return () => {
    waiting.runs.delete(run);
    if (waiting.runs.size === 0) signal.removeEventListener('abort', waiting);
  };
}
