import type { Output } from './terminal.ts';

export interface ProgressOptions {
  /** stderr, so that stdout stays parseable. */
  readonly output: Pick<Output, 'write' | 'isTerminal'>;
  /** Names the work, such as `Reading the configuration`. */
  readonly text: string;
  /** Shows nothing for work that takes less. */
  readonly afterMs?: number;
}

/** Shows a line on a terminal while work takes long, and clears it at the end. */
export async function withProgress<T>(
  { output, text, afterMs = 1_000 }: ProgressOptions,
  work: Promise<T>,
): Promise<T> {
  if (!output.isTerminal) return work;
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    output.write(`${text}…`);
  }, afterMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (isShown) output.write('\r\x1b[K');
  }
}

export interface ProgressBarOptions {
  /** stderr, so that stdout stays parseable. */
  readonly output: Pick<Output, 'write' | 'isTerminal' | 'columns' | 'style'>;
  /** Names the work, such as `Reading roster.csv`. */
  readonly text: string;
  /** The unit of the counts, such as `people`. */
  readonly unit: string;
  /** Milliseconds; only differences matter. */
  readonly clock: () => number;
}

export interface ProgressBar {
  /** Redraws, at most every 100 ms. */
  show(done: number, all: number): void;
  /** Clears the line. */
  clear(): void;
}

const everyMs = 100;
/** Earlier than this an estimate is a guess. */
const estimateAfterMs = 1_000;

/** Creates a progress bar for long work; it draws on a terminal only. */
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
      const status = `${percent}  ${count(done)} of ${count(all)} ${unit}${left}`;
      const width = Math.min(30, output.columns - text.length - status.length - 4);
      output.write(`\r\x1b[K${text} ${width < 5 ? '' : `${drawBar(share, width, output)} `}${status}`);
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
