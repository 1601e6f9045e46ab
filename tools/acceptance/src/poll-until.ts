import { setTimeout as wait } from 'node:timers/promises';

export interface PollOptions {
  readonly withinMs: number;
  readonly everyMs?: number;
  /** What to say when the deadline passes. */
  readonly describe: () => string;
}

/** Asks again and again until the answer is yes; an error ends it at once. */
export async function pollUntil(isDone: () => boolean | Promise<boolean>, options: PollOptions): Promise<void> {
  const { withinMs, everyMs = 50, describe } = options;
  const deadlineMs = performance.now() + withinMs;
  while (!(await isDone())) {
    if (performance.now() > deadlineMs) throw new Error(`Not within ${withinMs} ms: ${describe()}`);
    await wait(everyMs);
  }
}
