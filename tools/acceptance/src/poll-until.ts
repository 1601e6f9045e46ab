import { setTimeout as wait } from 'node:timers/promises';

export interface PollOptions {
  readonly withinMs: number;
  readonly everyMs?: number;
  /** Returns the error text when the deadline passes. */
  readonly describe: () => string;
}

/** Calls `isDone` repeatedly until it returns true; rejects at the deadline, or with its error. */
export async function pollUntil(isDone: () => boolean | Promise<boolean>, options: PollOptions): Promise<void> {
  const { withinMs, everyMs = 50, describe } = options;
  const deadlineMs = performance.now() + withinMs;
  while (!(await isDone())) {
    if (performance.now() > deadlineMs) throw new Error(`Not within ${withinMs} ms: ${describe()}`);
    await wait(everyMs);
  }
}
