import type { KeptPromise } from '../../../acceptance/src/promises/define-promise.ts';
import type { RecordedFigure } from '../../../acceptance/src/promises/recorded-figures.ts';
import { escapeCell } from '../guarantees/emit-guarantees.ts';

/** The page on what the servers are trusted to keep, with what the last full run has shown of each promise. */
export function emitPromisesDoc(promises: readonly KeptPromise[], recorded: readonly RecordedFigure[]): string {
  const rows = promises.map(({ number, title, done, target }) => {
    const last = recorded.find((one) => one.number === number);
    const seen =
      last === undefined ? 'not yet recorded' : `${last.state}: ${[last.figure, last.note].filter(Boolean).join('. ')}`;
    const when = last === undefined ? '' : `${last.date}, ${last.seconds} s`;
    return `| ${[String(number), title, done, target, seen, when].map(escapeCell).join(' | ')} |`;
  });
  const machines = [...new Set(recorded.map(({ machine }) => machine))];
  return `# Promises

What the servers are trusted to keep. Each promise is a trial against real processes in \`tools/acceptance/promises/\`, with
the figure that it must reach. \`pnpm promises\` makes all of them and ends with 1 when one is short, \`pnpm promises --ci\`
less of each within 10 minutes, \`pnpm promises --only 1,4\` some. A trial that needs a program which is not there, such as
\`redis-server\`, is told as \`not-run\`.

Figures and times are of the last full run${machines.length === 0 ? '' : `, on ${machines.join('; ')}`}. \`pnpm promises --record\` keeps
them, and \`pnpm generate\` writes this page.

| | promise | what is done | to reach | last figure | when |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}
