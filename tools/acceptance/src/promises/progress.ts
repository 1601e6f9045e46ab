import type { Output } from '@rostergate/config/command';
import type { KeptPromise, PromiseNumber } from './define-promise.ts';
import { formatSeconds } from './promise-table.ts';
import type { Outcome } from './run-promise.ts';

export interface ProgressOptions {
  readonly output: Output;
  /** How many promises are tried. */
  readonly count: number;
  /** Milliseconds; only differences matter. */
  readonly clock: () => number;
}

/** How the trials go: a line for each that is done, and at a terminal one more of what is being done. */
export interface Progress {
  begin(promise: Pick<KeptPromise, 'number' | 'title'>): void;
  say(number: PromiseNumber, text: string): void;
  end(outcome: Outcome): void;
  /** Draws the last line anew, for the time that has passed. */
  draw(): void;
}

const colours = { held: 'green', short: 'red', 'not-run': 'yellow' } as const;

export function createProgress({ output, count, clock }: ProgressOptions): Progress {
  const startedMs = clock();
  const running = new Map<PromiseNumber, string>();
  let done = 0;
  const passed = () => formatSeconds(Math.round((clock() - startedMs) / 1_000));
  const write = (line: string) => {
    output.write(`${output.isTerminal ? '\r\x1b[K' : ''}${line}\n`);
    draw();
  };
  const draw = () => {
    if (!output.isTerminal) return;
    const now = [...running].map(([number, text]) => `${number} ${text}`).join(' · ');
    const line = `${done} of ${count} done, ${passed()}${now === '' ? '' : `  ${now}`}`;
    output.write(`\r\x1b[K${output.style('dim', line.slice(0, output.columns - 1))}`);
  };
  return {
    begin({ number, title }) {
      running.set(number, title);
      if (output.isTerminal) draw();
      else write(`${passed()}  ${number} ${title}`);
    },
    say(number, text) {
      // At a terminal the newest word of each is enough.
      if (!output.isTerminal) return write(`${passed()}  ${number} ${text}`);
      running.set(number, text);
      draw();
    },
    end({ number, name, state, tookSeconds, note }) {
      running.delete(number);
      done++;
      const told = `${String(number).padStart(4)}  ${name}, ${formatSeconds(tookSeconds)}${note === '' ? '' : `: ${note.split('\n', 1)[0]}`}`;
      write(`${output.isTerminal ? '' : `${passed()}  `}${output.style(colours[state], state.padEnd(7))} ${told}`);
    },
    draw,
  };
}
