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

export interface ProgressBarOptions {
  /** Where it is shown: stderr, so that what a program reads stays clean. */
  readonly output: Pick<Output, 'write' | 'isTerminal' | 'columns' | 'style'>;
  /** What is being done, such as `Reading roster.csv`. */
  readonly text: string;
  /** What is counted, such as `people`. */
  readonly unit: string;
  /** Milliseconds; only differences matter. */
  readonly clock: () => number;
}

export interface ProgressBar {
  /** Draws anew, but not more often than eyes can follow. */
  show(done: number, all: number): void;
  /** Takes the line back. */
  clear(): void;
}

const everyMs = 100;
/** A time that is left is worth telling once it is more than a guess. */
const estimateAfterMs = 1_000;

/** How far a long piece of work is, for somebody at a terminal; nothing anywhere else. */
export function createProgressBar({ output, text, unit, clock }: ProgressBarOptions): ProgressBar {
  const startedMs = clock();
  let drawnMs = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    show(done, all) {
      const nowMs = clock();
      if (!output.isTerminal || nowMs - drawnMs < everyMs) return;
      drawnMs = nowMs;
      isShown = true;
      const share = all === 0 ? 1 : Math.min(1, done / all);
      const percent = `${Math.floor(share * 100)} %`.padStart(5);
      const left = describeLeft(nowMs - startedMs, share);
      const told = `${percent}  ${count(done)} of ${count(all)} ${unit}${left}`;
      const width = Math.min(30, output.columns - text.length - told.length - 4);
      output.write(`\r\x1b[K${text} ${width < 5 ? '' : `${drawBar(share, width, output)} `}${told}`);
    },
    clear() {
      if (isShown) output.write('\r\x1b[K');
      isShown = false;
    },
  };
}

function drawBar(share: number, width: number, output: ProgressBarOptions['output']): string {
  const full = Math.round(share * width);
  return output.style('green', '━'.repeat(full)) + output.style('dim', '─'.repeat(width - full));
}

function describeLeft(passedMs: number, share: number): string {
  if (passedMs < estimateAfterMs || share === 0 || share === 1) return '';
  const seconds = Math.ceil((passedMs * (1 - share)) / share / 1_000);
  return seconds < 90 ? `, ${seconds} s left` : `, ${Math.ceil(seconds / 60)} min left`;
}

/** `100,000`, the same on every machine. */
function count(n: number): string {
  return n.toLocaleString('en-US');
}
