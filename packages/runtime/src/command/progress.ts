import type { Output } from './terminal.ts';

export interface ProgressOptions {
  /** Where it is told: stderr, so that what a program reads stays clean. */
  readonly output: Pick<Output, 'write' | 'isTerminal'>;
  /** What is being done, such as `Reading the configuration`. */
  readonly text: string;
  /** Work that is done sooner is not worth a word. */
  readonly afterMs?: number;
}

/** Tells somebody at a terminal what takes so long, and takes the line back when it is done. */
export async function withProgress<T>(
  { output, text, afterMs = 1_000 }: ProgressOptions,
  work: Promise<T>,
): Promise<T> {
  if (!output.isTerminal) return work;
  let isTold = false;
  const timer = setTimeout(() => {
    isTold = true;
    output.write(`${text}…`);
  }, afterMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (isTold) output.write('\r\x1b[K');
  }
}
