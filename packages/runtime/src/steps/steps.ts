/**
 * Work that can pause between any two of its items: a generator that yields nothing and returns the result. Whoever
 * drives it decides whether it runs in one go, as at start and in tests, or in slices beside the requests being served.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs the work in one go. */
export function runSteps<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

export interface SliceOptions {
  /** How long one slice may take; a single item that takes longer makes it longer. */
  readonly sliceMs?: number | undefined;
  /** Milliseconds that never go back. */
  readonly now?: (() => number) | undefined;
  /** Gives way; resolves when it is our turn again. */
  readonly pause?: (() => Promise<unknown>) | undefined;
}

/** Runs the work in slices and lets the event loop serve whatever waits between two of them. */
export async function runInSlices<T>(steps: Steps<T>, options: SliceOptions = {}): Promise<T> {
  const { sliceMs = 4, now = monotonicNow, pause = nextTurn } = options;
  let endsMs = now() + sliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (now() < endsMs) continue;
    await pause();
    endsMs = now() + sliceMs;
  }
}

const monotonicNow = () => performance.now();
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
