import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createChart } from './chart.ts';
import { leaveServerCore, pinning } from './cores.ts';
import { brokenOff, type Figure } from './figure.ts';
import { gatewayBenchmarks } from './gateway/index.ts';
import { guardBenchmarks } from './guard/index.ts';
import { describeMachine } from './machine.ts';
import { odataBenchmarks } from './odata/index.ts';
import { proxyBenchmarks } from './proxy/index.ts';
import { schedulingBenchmarks } from './scheduling/index.ts';
import type { Comparison } from './side-by-side.ts';
import { createServerTable, createTable } from './table.ts';
import { loadGenerator } from './timed-load.ts';

/** What a benchmark is given besides a way to tell how it goes. */
export interface Run {
  /** Keeps what servers took side by side, for the table of servers and the chart. */
  record(comparison: Comparison): void;
  /** With how many endpoints, where somebody asked for a number. */
  readonly endpoints: number | undefined;
}

/** What is measured: by the name of what is measured, each in a few runs of servers of its own. */
export type Benchmarks = Readonly<
  Record<string, (say: (text: string) => void, run: Run) => Promise<readonly Figure[]>>
>;

const groups: Readonly<Record<string, Benchmarks>> = {
  gateway: gatewayBenchmarks,
  odata: odataBenchmarks,
  proxy: proxyBenchmarks,
  scheduling: schedulingBenchmarks,
};
/** What depends on --endpoints. */
const byEndpoints = 'gateway/local';

const usage = `Usage: pnpm bench [-- [GROUP | GROUP/NAME]… [--endpoints NUMBER] [--json FILE] [--chart FILE]]
       pnpm bench --guard [--json FILE]
Groups: ${Object.entries(groups)
  .map(([group, benchmarks]) => `${group} (${Object.keys(benchmarks).join(', ')})`)
  .join('; ')}
--endpoints compares the local service of the gateway with its peers at so many endpoints, and measures nothing else.
--guard looks within a minute, on a machine however busy, whether a figure is worse by half than it should be.
`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    chart: { type: 'string' },
    endpoints: { type: 'string' },
    guard: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const all = Object.entries(values.guard ? { guard: guardBenchmarks } : groups).flatMap(([group, benchmarks]) =>
  Object.entries(benchmarks).map(([name, measure]) => ({ group, name: `${group}/${name}`, measure })),
);
const endpoints = values.endpoints === undefined ? undefined : Number(values.endpoints);
const faults = positionals
  .filter((given) => !all.some(({ group, name }) => given === group || given === name))
  .map((given) => `There is no ${given}.`);
if (endpoints !== undefined && !(Number.isInteger(endpoints) && endpoints >= 1 && endpoints <= 10_000)) {
  faults.push('--endpoints takes a number from 1 to 10,000.');
}

if (values.help || faults.length > 0) {
  process.stderr.write([...faults, usage].join('\n'));
  process.exitCode = faults.length > 0 ? 2 : 0;
} else {
  const chosen = all
    .filter(
      ({ group, name }) => positionals.length === 0 || positionals.some((given) => given === group || given === name),
    )
    .filter(({ name }) => endpoints === undefined || name === byEndpoints);
  // Before this process leaves one of them.
  const setting = `${new Date().toISOString().slice(0, 10)}, ${describeMachine()}, ${pinning}, load from ${loadGenerator}`;
  leaveServerCore();
  const figures: Figure[] = [];
  const comparisons: Comparison[] = [];
  const run: Run = { record: (comparison) => comparisons.push(comparison), endpoints };
  for (const { name, measure } of chosen) {
    const say = (text: string) => void process.stderr.write(`${name}: ${text}\n`);
    // The others are worth knowing all the same.
    const measured = await measure(say, run).catch((error: unknown) => [brokenOff(name, (error as Error).message)]);
    figures.push(...measured);
  }
  if (comparisons.length > 0) process.stdout.write(`${setting}\n\n${createServerTable(comparisons)}\n\n`);
  process.stdout.write(`${createTable(figures)}\n`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
  if (values.chart !== undefined) await writeFile(values.chart, createChart(comparisons, setting));
  process.exitCode = figures.some(({ state }) => state === 'short') ? 1 : 0;
}
