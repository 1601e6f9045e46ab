import { describeTrial, type KeptPromise } from '../../../acceptance/src/promises/define-promise.ts';
import type { RecordedFigure } from '../../../acceptance/src/promises/recorded-figures.ts';
import { escapeCell } from '../guarantees/emit-guarantees.ts';

/** The page on what the servers are trusted to keep, with what the last full trial of each promise has shown. */
export function emitPromisesDoc(promises: readonly KeptPromise[], recorded: readonly RecordedFigure[]): string {
  const rows = promises.map((promise) => {
    const { number, title, target } = promise;
    const last = recorded.find((one) => one.number === number);
    const seen =
      last === undefined ? 'not yet recorded' : `${last.state}: ${[last.figure, last.note].filter(Boolean).join('. ')}`;
    const when = last === undefined ? '' : `${last.date}, ${last.seconds} s`;
    return `| ${[String(number), title, describeTrial(promise), target, seen, when].map(escapeCell).join(' | ')} |`;
  });
  const machines = [...new Set(recorded.map(({ machine }) => machine))];
  return `# Promises

What the servers are trusted to keep. Each promise is a trial in \`tools/acceptance/promises/\`, against real processes where
it does not say otherwise, with the figure that it must reach; the soak, last, is about all of them together, over time.

- \`pnpm promises\` makes all of them within 50 minutes and ends with 1 when one is short; \`pnpm promises --only 1,soak\` makes
  some. A few trials go on at a time, but for those that measure time or work the disk, which come last and alone.
- \`pnpm promises --ci\` makes less of each within 10 minutes, and allows figures in milliseconds up to four times the limit: CI
  runs that before each merge, on a machine that does other things. With \`--again\`, a trial in which only milliseconds are
  above their limit is made once more, with the same random input, and both outcomes are listed. Counts, ratios and errors are
  final.
- Each run reports the seed of its random input. \`pnpm promises --seed N\` draws the same input again.
- A trial that needs a program which is not there, such as \`redis-server\`, is told as \`not-run\`; with \`--all\` that ends with
  1 too.
- \`pnpm promises --json FILE\` writes \`[{name, target, figure, state}]\`, the state being \`held\`, \`short\` or \`not-run\`.

Figure and time of each promise are of its last full trial${machines.length === 0 ? '' : `, on ${machines.join('; ')}`}.
\`pnpm promises --record\` keeps them, and \`pnpm generate\` writes this page.

| | promise | what is done | to reach | last figure | when |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}
