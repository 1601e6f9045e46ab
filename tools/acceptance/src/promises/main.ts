import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { promises } from '../../promises/index.ts';
import { createPromiseTable } from './promise-table.ts';
import { recordFigures } from './recorded-figures.ts';
import { type Outcome, runPromise } from './run-promise.ts';

const usage = `Usage: pnpm promises [--ci] [--only 1,9] [--json FILE] [--record]
  --ci      less of everything: within 10 minutes instead of 50
  --only    these promises alone, of ${promises.map(({ number }) => number).join(', ')}
  --json    writes [{name, target, figure, state}] there
  --record  keeps the figures for docs/promises.md, which \`pnpm generate\` writes
`;

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    ci: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const wanted = values.only?.split(',').map(Number);
const unknown = (wanted ?? []).filter((number) => !promises.some((promise) => promise.number === number));

if (values.help || unknown.length > 0 || (values.record && values.ci)) {
  const fault = unknown.length > 0 ? `There is no promise ${unknown.join(', no ')}.\n` : '';
  process.stderr.write(`${fault}${usage}`);
  process.exitCode = values.help ? 0 : 2;
} else {
  const outcomes: Outcome[] = [];
  for (const promise of promises) {
    if (wanted?.includes(promise.number) === false) continue;
    const { number, title } = promise;
    const say = (text: string) => process.stderr.write(`${number} ${text}\n`);
    say(title);
    const outcome = await runPromise(promise, values.ci ? 'ci' : 'full', say);
    outcomes.push(outcome);
    say(`${outcome.state} after ${outcome.tookSeconds} s: ${outcome.figure || outcome.note}`);
  }
  const doneBy = new Map(promises.map(({ number, done }) => [number, done]));
  process.stdout.write(`${createPromiseTable(outcomes, doneBy)}\n`);
  if (values.json !== undefined) {
    const told = outcomes.map(({ name, target, figure, state }) => ({ name, target, figure, state }));
    await writeFile(values.json, `${JSON.stringify(told, null, 2)}\n`);
  }
  if (values.record) recordFigures(outcomes, new Date());
  process.exitCode = outcomes.some(({ state }) => state === 'short') ? 1 : 0;
}
