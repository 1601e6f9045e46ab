import { join } from 'node:path';
import { promises } from '../../../acceptance/promises/index.ts';
import { describeTrial, type PromiseTrial } from '../../../acceptance/src/promises/define-promise.ts';
import { type RecordedFigure, readRecordedFigures } from '../../../acceptance/src/promises/recorded-figures.ts';
import { disturbances } from '../../../acceptance/src/scenarios/disturbances.ts';
import { contentRules, timeRules } from '../../../acceptance/src/scenarios/invariants.ts';
import { type RecordedScenarios, readRecordedScenarios } from '../../../acceptance/src/scenarios/recorded-scenarios.ts';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { escapeCell } from '../reports/tables.ts';
import { rootFolder } from '../workspace.ts';

/** Writes docs/promises.md from the definitions of the promises and the results of the last full trial of each. */
export async function generatePromisesDoc(): Promise<void> {
  const header = `<!-- ${generatedBy('tools/acceptance/promises')} -->\n`;
  const page = emitPromisesDoc(promises, readRecordedFigures()) + emitScenarios(readRecordedScenarios());
  writeGenerated(join(rootFolder, 'docs/promises.md'), header + page);
}

const results: Readonly<Record<RecordedFigure['state'], string>> = {
  pass: 'pass',
  fail: '**fail**',
  'not-run': 'not run',
};

/** Returns the page on what the servers guarantee: a line per promise, then the details of its last full trial. */
export function emitPromisesDoc(promises: readonly PromiseTrial[], recorded: readonly RecordedFigure[]): string {
  const entries = promises.map((promise) => ({
    promise,
    last: recorded.find(({ number }) => number === promise.number),
  }));
  const machines = [...new Set(recorded.map(({ machine }) => machine))];
  return `# Promises

What the servers guarantee under failure and attack. Each promise is a trial in \`tools/acceptance/promises/\` with a target;
most trials use real processes. The last one, the soak, runs all servers under load for 20 minutes.

| | promise | target | result |
|---|---|---|---|
${entries.map(emitRow).join('\n')}

## Run the trials

Run the commands in a checkout in which \`npm start\` has run once. Without pnpm, type \`npx pnpm\`.

- \`pnpm promises\` runs all trials within 50 minutes and exits with 1 when one fails; \`pnpm promises --only 1,soak\` runs some.
  Trials run in parallel. Trials that measure time or load the disk run last, one at a time; in CI most of them in pairs.
- \`pnpm promises --ci\` runs smaller trials within 10 minutes and allows timings up to 4× the limit, because CI machines are
  busy. With \`--again\`, a trial that only misses timing limits runs a second time with the same random input, and both
  outcomes are listed. Counts, ratios and errors are final.
- Each run reports the seed of its random input. \`pnpm promises --seed N\` repeats that input.
- A trial that needs a missing program, such as \`redis-server\`, is reported as \`not-run\`; with \`--all\` this also exits with 1.
- \`pnpm promises --json FILE\` writes \`[{name, target, figure, state}]\`. The state is \`pass\`, \`fail\` or \`not-run\`.
- \`pnpm promises --record\` records the results, and \`pnpm generate\` writes them to this page.

## Details

Results of the last full trial${machines.length === 0 ? '' : ` on ${machines.join('; ')}`}.

${entries.map(emitDetails).join('\n\n')}
`;
}

interface Entry {
  readonly promise: PromiseTrial;
  readonly last: RecordedFigure | undefined;
}

function emitRow({ promise: { number, title, target }, last }: Entry): string {
  const result = last === undefined ? 'not yet recorded' : results[last.state];
  return `| ${[String(number), title, target, result].map(escapeCell).join(' | ')} |`;
}

function emitDetails({ promise, last }: Entry): string {
  const measured = last === undefined ? 'not yet recorded' : [last.figure, last.note].filter(Boolean).join('. ');
  return [
    `<details><summary>${promise.number}. ${escapeHtml(promise.title)}</summary>`,
    '',
    `- Trial: ${describeTrial(promise)}.`,
    `- Target: ${promise.target}.`,
    `- Measured: ${measured}${last === undefined ? '' : ` (${last.date}, ${last.seconds} s)`}.`,
    '',
    '</details>',
  ].join('\n');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Returns the section on the trials of two disturbances at once. */
export function emitScenarios(last: RecordedScenarios | undefined): string {
  const names = Object.keys(disturbances);
  const rules = Object.keys({ ...contentRules, ...timeRules });
  const result =
    last === undefined
      ? 'not yet recorded'
      : `${last.scenarios} scenarios of ${last.pairs} pairs, ${last.requests} requests, ${last.failed} with a violation, ${last.starved} in which a process lacked the CPU (${last.date}, seed ${last.seed}, ${last.machine})`;
  return `
## Two disturbances at once

Most faults are where two features meet. \`pnpm scenarios\` starts two gateways of two workers with one Redis, an upstream and an
issuer of tokens. Under load it runs all ${(names.length * (names.length + 1)) / 2} pairs of these disturbances, one scenario each: ${names.join(', ')}.

After each scenario, these must hold:

${rules.map((rule) => `- ${rule}`).join('\n')}

When a process lacks the CPU, deadlines inside the servers pass; then only the contents of responses are checked.

Last result: ${result}.
`;
}
