import type { Output } from '@rostergate/config/command';
import type { PromiseNumber, PromiseTrial } from './define-promise.ts';
import { formatSeconds, stateStyles } from './promise-table.ts';
import type { Outcome } from './run-promise.ts';

export interface ProgressOptions {
  readonly output: Output;
  /** How many promises are run. */
  readonly count: number;
  /** Milliseconds; only differences matter. */
  readonly clock: () => number;
}

/** Reports a line per finished trial and, on a terminal, a last line with the running trials. */
export interface Progress {
  begin(promise: Pick<PromiseTrial, 'number' | 'title'>): void;
  say(number: PromiseNumber, text: string): void;
  end(outcome: Outcome): void;
  /** Redraws the last line with the current time. */
  draw(): void;
}

export function createProgress({ output, count, clock }: ProgressOptions): Progress {
  const startedMs = clock();
  const running = new Map<PromiseNumber, string>();
  let done = 0;
  const elapsed = () => formatSeconds(Math.round((clock() - startedMs) / 1_000));
  const write = (line: string) => {
    output.write(`${output.isTerminal ? '\r\x1b[K' : ''}${line}\n`);
    draw();
  };
  const draw = () => {
    if (!output.isTerminal) return;
    const now = [...running].map(([number, text]) => `${number} ${text}`).join(' · ');
    const line = `${done} of ${count} done, ${elapsed()}${now === '' ? '' : `  ${now}`}`;
    output.write(`\r\x1b[K${output.style('dim', line.slice(0, output.columns - 1))}`);
  };
  return {
    begin({ number, title }) {
      running.set(number, title);
      if (output.isTerminal) draw();
      else write(`${elapsed()}  ${number} ${title}`);
    },
    say(number, text) {
      // A terminal shows only the newest message of each trial.
      if (!output.isTerminal) return write(`${elapsed()}  ${number} ${text}`);
      running.set(number, text);
      draw();
    },
    end({ number, name, state, tookSeconds, note }) {
      running.delete(number);
      done++;
      const text = `${String(number).padStart(4)}  ${name}, ${formatSeconds(tookSeconds)}${note === '' ? '' : `: ${note.split('\n', 1)[0]}`}`;
      write(`${output.isTerminal ? '' : `${elapsed()}  `}${output.style(stateStyles[state], state.padEnd(7))} ${text}`);
    },
    draw,
  };
}
