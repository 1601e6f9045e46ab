import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { createProcessTerminal } from '@rostergate/config/command';
import { promises } from '../../promises/index.ts';
import type { PromiseTrial } from './define-promise.ts';
import { inLanes } from './in-lanes.ts';
import { createProgress } from './progress.ts';
import { countStates, createPromiseTable, formatSeconds } from './promise-table.ts';
import { readRecordedFigures, recordFigures } from './recorded-figures.ts';
import type { Outcome } from './run-promise.ts';
import { listTries, type TriedOutcome, tryAgainIfLate } from './try-again.ts';
import { tryPromise } from './try-promise.ts';

const usage = `Usage: pnpm promises [--ci] [--all] [--again] [--only 1,9,soak] [--seed N] [--json FILE] [--record]
  --ci      runs smaller trials: within 10 minutes instead of 50
  --all     fails also when a trial cannot run on this machine
  --again   repeats a trial once when only times are above their limits, for busy machines, and lists both outcomes
  --only    runs these promises, of ${promises.map(({ number }) => number).join(', ')}
  --seed    repeats the random input of an earlier run, which printed its seed
  --json    writes [{name, target, figure, state}] to the file
  --record  records the figures for docs/promises.md, which \`pnpm generate\` writes
`;

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    ci: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const wanted = values.only?.split(',');
const seed = values.seed === undefined ? Date.now() & 0x3fffffff : Number(values.seed);
const isSeed = Number.isSafeInteger(seed) && seed >= 0 && seed < 2 ** 31;
const unknown = (wanted ?? []).filter((number) => !promises.some((promise) => String(promise.number) === number));

if (values.help || unknown.length > 0 || !isSeed || (values.record && values.ci)) {
  const fault =
    (unknown.length > 0 ? `There is no promise ${unknown.join(', no ')}.\n` : '') +
    (isSeed ? '' : `--seed ${values.seed} is not a whole number below 2147483648.\n`);
  process.stderr.write(`${fault}${usage}`);
  process.exitCode = values.help ? 0 : 2;
} else {
  const { out, err } = createProcessTerminal(process);
  const scale = values.ci ? 'ci' : 'full';
  const secondsOf = new Map(readRecordedFigures().map(({ number, seconds }) => [number, seconds]));
  // The longest begin first, so that no lane waits long for another at the end.
  const chosen = promises
    .filter(({ number }) => wanted?.includes(String(number)) !== false)
    .sort((a, b) => (secondsOf.get(b.number) ?? 0) - (secondsOf.get(a.number) ?? 0));
  const outcomes: TriedOutcome[] = [];
  const clock = () => performance.now();
  const progress = createProgress({ output: err, count: chosen.length, clock });
  const ticking = setInterval(progress.draw, 1_000);
  const startedMs = clock();
  const tryAll = (abreast: number, some: readonly PromiseTrial[]) =>
    inLanes(abreast, some, async (promise) => {
      progress.begin(promise);
      const say = (text: string) => progress.say(promise.number, text);
      const tryOnce = () => tryPromise(promise, { scale, seed, say });
      const outcome = values.again ? await tryAgainIfLate(tryOnce) : await tryOnce();
      outcomes.push(outcome);
      progress.end(outcome);
    });
  const isCi = scale === 'ci';
  // Trials wait half of the time. In CI one lane more is for those that mostly wait.
  const lanes = { whenever: availableParallelism() + (isCi ? 2 : 1), paired: 2, alone: 1 };
  const laneOf = ({ runsAlone, mostlyWaits = false }: PromiseTrial): keyof typeof lanes => {
    if (runsAlone === undefined || (isCi && mostlyWaits)) return 'whenever';
    return runsAlone === 'always' || !isCi ? 'alone' : 'paired';
  };
  for (const lane of ['whenever', 'paired', 'alone'] as const) {
    await tryAll(
      lanes[lane],
      chosen.filter((promise) => laneOf(promise) === lane),
    );
  }
  clearInterval(ticking);
  if (err.isTerminal) err.write('\r\x1b[K');
  const took = formatSeconds(Math.round((clock() - startedMs) / 1_000));
  out.write(`${createPromiseTable(outcomes, promises, out)}\n\n`);
  if (values.json !== undefined) {
    const ordered = promises.flatMap((promise) => outcomes.find(({ number }) => number === promise.number) ?? []);
    const rows = ordered.map(({ name, target, figure, state }) => ({ name, target, figure, state }));
    await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`);
  }
  if (values.record) recordFigures(outcomes, new Date());
  const isFailure = ({ state }: Outcome) => state === 'fail' || (values.all && state === 'not-run');
  const tries = listTries(outcomes, isFailure);
  out.write(`${tries === '' ? '' : `${tries}\n\n`}Seed ${seed}: --seed ${seed} repeats the random input.\n`);
  out.write(`${countStates(outcomes)}, in ${took}\n`);
  process.exitCode = outcomes.some(isFailure) ? 1 : 0;
}
