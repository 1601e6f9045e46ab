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
  const forget = outer && onAbort(outer, () => controller.abort(outer.reason));
  const cancel = startTimer(timeoutMs, () => controller.abort(new DOMException('No answer in time.', 'TimeoutError')));
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

/** Resolves after a while, or never once the signal is aborted: then nobody waits for it. */
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

/** Runs something after a while and returns what cancels that. One timer takes 31 bits; more would expire at once. */
function startTimer(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = (leftMs: number): void => {
    timer = setTimeout(() => (leftMs > timerMsMax ? wait(leftMs - timerMsMax) : run()), Math.min(leftMs, timerMsMax));
  };
  wait(ms);
  return () => clearTimeout(timer);
}

/** What runs when a signal is aborted. */
class Waiting {
  readonly runs = new Set<() => void>();

  handleEvent(): void {
    for (const run of this.runs) run();
  }
}

/** One listener for each signal, however many calls share it: platforms warn of many. */
const waitings = new WeakMap<AbortSignal, Waiting>();

/** Runs something when a signal is aborted and returns what undoes that. */
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
