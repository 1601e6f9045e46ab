import type { Output, Style } from '@rostergate/config/command';
import type { State } from '../../../benchmark/src/figure.ts';
import { byNumber, describeTrial, type PromiseTrial } from './define-promise.ts';
import type { Outcome } from './run-promise.ts';

const widths = [4, 37, 36, 7, 6] as const;
const gap = '  ';

/** The colour of each state on a terminal. */
export const stateStyles: Readonly<Record<State, Style>> = { pass: 'green', fail: 'red', 'not-run': 'yellow' };

interface Line {
  readonly text: string;
  readonly how?: Style;
}

/** Returns the outcomes by number as a text table, 98 columns wide, followed by the notes. */
export function createPromiseTable(
  outcomes: readonly Outcome[],
  promises: readonly PromiseTrial[],
  { style }: Pick<Output, 'style'>,
): string {
  const sorted = [...outcomes].sort(byNumber);
  const heads = ['', 'promise, and what is tried', 'figure', 'state', 'took'];
  const rows = sorted.map(({ number, name, figure, state, tookSeconds }): Line[][] => {
    const promise = promises.find((one) => one.number === number);
    const done = promise === undefined ? '' : describeTrial(promise);
    const [, promiseWidth, figureWidth, , tookWidth] = widths;
    return [
      [{ text: String(number).padStart(2) }],
      [...wrap(name, promiseWidth, 'bold'), ...wrap(done, promiseWidth, 'dim')],
      wrap(figure, figureWidth),
      [{ text: state, how: stateStyles[state] }],
      [{ text: formatSeconds(tookSeconds).padStart(tookWidth) }],
    ];
  });
  const draw = ({ text, how }: Line, width: number) => {
    const padded = text.padEnd(width);
    return how === undefined || text === '' ? padded : style(how, padded);
  };
  const lines = [heads.map((text): Line[] => [{ text, how: 'bold' }]), ...rows].flatMap((cells) =>
    Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, n) =>
      cells
        .map((cell, i) => draw(cell[n] ?? { text: '' }, widths[i] as number))
        .join(gap)
        .trimEnd(),
    ),
  );
  const notes = sorted
    .filter(({ note }) => note !== '')
    .map(({ number, state, note }) => `${style(stateStyles[state], `${number} ${state}`)}: ${note}`);
  return [...lines, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

/** Returns `30 passed, 1 failed, 0 not run`. */
export function countStates(outcomes: readonly Outcome[]): string {
  const count = (wanted: State) => outcomes.filter(({ state }) => state === wanted).length;
  return `${count('pass')} passed, ${count('fail')} failed, ${count('not-run')} not run`;
}

/** Returns `9 s` or `1:09`. */
export function formatSeconds(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Breaks between words; a word longer than the width stays whole. */
function wrap(text: string, width: number, how?: Style): Line[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => (how === undefined ? { text: line } : { text: line, how }));
}
