/**
 * Pausable work: a generator that yields between its items and returns the result. It runs at once, as at start and in
 * tests, or in slices between the requests being served.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs the work without pauses. */
export function runSteps<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

export interface SliceOptions {
  /** The duration of one slice, unless a single item takes longer. */
  readonly sliceMs?: number | undefined;
  /** A monotonic clock in milliseconds. */
  readonly now?: (() => number) | undefined;
  /** Resolves when the next slice may run. */
  readonly pause?: (() => Promise<unknown>) | undefined;
}

/** Runs the work in slices, with a turn of the event loop after each. */
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
