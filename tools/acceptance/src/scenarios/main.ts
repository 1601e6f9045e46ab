import { parseArgs } from 'node:util';
import { createRandom } from '../../../../apps/scheduling/src/demo/random.ts';
import { createEndings } from '../at-end.ts';
import { disturbances } from './disturbances.ts';
import { recordScenarios } from './recorded-scenarios.ts';
import { runScenario, type ScenarioOutcome } from './run-scenario.ts';
import { type Subject, startSubject } from './subject.ts';

const names = Object.keys(disturbances);
const usage = `Usage: pnpm scenarios [--minutes 60] [--count N] [--seed N] [--from N] [--pair NAME,NAME] [--record]
  Runs all pairs of disturbances under load, in random order, and checks after each what must always hold.
  --minutes  ends after this time; 60 by default, enough for all on a quiet machine
  --count    ends after this many scenarios
  --seed     repeats the scenarios of an earlier run, which printed its seed
  --from     begins with this scenario of the seed
  --pair     runs only this pair, of ${names.join(', ')}
  --record   records the result for docs/promises.md, which \`pnpm generate\` writes
`;
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    minutes: { type: 'string', default: '60' },
    count: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() & 0x3fffffff) },
    from: { type: 'string', default: '1' },
    pair: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
type Pair = readonly [string, string];
const chosen = values.pair?.split(',') as Pair | undefined;
const [minutes, count, first] = [values.minutes, values.count, values.from].map(Number) as [number, number, number];
const isPair = chosen === undefined || (chosen.length === 2 && chosen.every((name) => names.includes(name)));
if (values.help || !isPair || !(minutes > 0 && count > 0 && first > 0)) {
  process.stderr.write(usage);
  process.exit(values.help ? 0 : 2);
}

const drawn = createRandom(values.seed);
const order = names
  .flatMap((a, i) => names.slice(i).map((b): Pair => [a, b]))
  .map((pair) => ({ pair, place: drawn.next() }))
  .sort((a, b) => a.place - b.place)
  .map(({ pair }) => pair);

async function start() {
  const { atEnd, end } = createEndings();
  try {
    return { subject: await startSubject(atEnd), end };
  } catch (error) {
    await end();
    throw error;
  }
}

let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isInterrupted = true;
  });
}
const say = (text: string) => process.stdout.write(`${text}\n`);
const untilMs = performance.now() + minutes * 60_000;
const total = { scenarios: 0, requests: 0, failed: 0, starved: 0 };
const tried = new Set<string>();
let current: { readonly subject: Subject; readonly end: () => Promise<void> } | undefined;

say(`Seed ${values.seed}: --seed ${values.seed} repeats these scenarios.`);
for (let n = first; n < first + count && performance.now() < untilMs && !isInterrupted; n++) {
  const pair = chosen ?? (order[(n - 1) % order.length] as Pair);
  current ??= await start();
  const outcome = await runScenario(current.subject, { pair, seed: `${values.seed}-${n}` }).catch(
    (error: Error): ScenarioOutcome => ({
      violations: [`the servers become whole again: ${error.message.slice(0, 2_000)}`],
      ...{ exchanges: 0, isStarved: false },
    }),
  );
  if (isInterrupted) break;
  total.scenarios++;
  total.requests += outcome.exchanges;
  tried.add(pair.join());
  if (outcome.isStarved) total.starved++;
  const note = outcome.isStarved ? ', a process lacked the CPU: only contents are checked' : '';
  say(`${n}  ${pair.join(' + ')}  ${outcome.exchanges} requests${note}`);
  for (const line of outcome.violations) say(`    VIOLATED ${line}`);
  if (outcome.violations.length === 0) continue;
  total.failed++;
  // The next scenario begins with servers that no violation has touched.
  await current.end().catch((error: Error) => say(`    ${error.message}`));
  current = undefined;
}
await current?.end();
say(
  `${total.scenarios} scenarios of ${tried.size} pairs, ${total.requests} requests, ${total.failed} with violations, ${total.starved} with contents only`,
);
if (values.record) recordScenarios({ ...total, pairs: tried.size, seed: Number(values.seed) }, new Date());
process.exit(total.failed === 0 && !isInterrupted ? 0 : 1);
