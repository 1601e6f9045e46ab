import { describeTrial, type KeptPromise } from '../../../acceptance/src/promises/define-promise.ts';
import type { RecordedFigure } from '../../../acceptance/src/promises/recorded-figures.ts';
import { escapeCell } from '../guarantees/emit-guarantees.ts';

/** Returns the page of the promises with the result of the last full trial of each. */
export function emitPromisesDoc(promises: readonly KeptPromise[], recorded: readonly RecordedFigure[]): string {
  const rows = promises.map((promise) => {
    const { number, title, target } = promise;
    const last = recorded.find((one) => one.number === number);
    const result =
      last === undefined ? 'not yet recorded' : `${last.state}: ${[last.figure, last.note].filter(Boolean).join('. ')}`;
    const when = last === undefined ? '' : `${last.date}, ${last.seconds} s`;
    return `| ${[String(number), title, describeTrial(promise), target, result, when].map(escapeCell).join(' | ')} |`;
  });
  const machines = [...new Set(recorded.map(({ machine }) => machine))];
  return `# Promises

Each promise is a guarantee of the servers with a trial in \`tools/acceptance/promises/\` and a target. A trial runs against real
processes unless it says otherwise. The soak tests all servers together over time.

- \`pnpm promises\` runs all trials within 50 minutes and exits with 1 when one fails; \`pnpm promises --only 1,soak\` runs some.
  Several trials run at a time. Trials that measure time or load the disk run last, one at a time.
- \`pnpm promises --ci\` runs smaller trials within 10 minutes and allows timings up to 4× the limit. CI runs it before each
  merge, on a shared machine. With \`--again\`, a trial in which only timings are above their limit runs once more with the same
  random input, and both outcomes are listed. Counts, ratios and errors are final.
- Each run prints the seed of its random input. \`pnpm promises --seed N\` repeats that input.
- A trial that needs a missing program, such as \`redis-server\`, is \`not-run\`; with \`--all\` the exit code is then 1 too.
- \`pnpm promises --json FILE\` writes \`[{name, target, figure, state}]\`. The state is \`pass\`, \`fail\` or \`not-run\`.

Figures and times are of the last full trial${machines.length === 0 ? '' : `, on ${machines.join('; ')}`}.
\`pnpm promises --record\` records them, and \`pnpm generate\` writes this page.

| | promise | what is tried | target | last result | when |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}
