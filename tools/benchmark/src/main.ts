import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Benchmark, Comparison, Run } from './compare-servers.ts';
import { leaveServerCore, pinning } from './cores.ts';
import { type Figure, failedRun } from './figure.ts';
import { measureGatewayForward, measurePrefix } from './gateway/forward.ts';
import { measureStreams, measureWebSockets } from './gateway/live.ts';
import { measureLocal, measureLookup, measureWorkers } from './gateway/local-service.ts';
import { measurePlans } from './gateway/plans.ts';
import { measurePolicies } from './gateway/policies.ts';
import { measureRedis } from './gateway/redis.ts';
import { measureReload } from './gateway/reload.ts';
import { measureMemory, measureStart } from './gateway/start-and-memory.ts';
import { measureTokens } from './gateway/tokens.ts';
import { measureTools } from './gateway/tools.ts';
import { measureUsage } from './gateway/usage.ts';
import { guardBenchmarks } from './guard.ts';
import { loadGenerator } from './load-generator.ts';
import { describeMachine } from './machine.ts';
import { measureHostile, measureODataFilter } from './odata.ts';
import { measureAddedTime, measureForward, measurePassThrough } from './proxy/forward.ts';
import { createChart, createServerTable, createTable } from './report.ts';
import { measureList, measureListFromPostgres } from './scheduling/list.ts';
import { measureFilter, measureSingle } from './scheduling/reads.ts';

/** All benchmarks, by group and name. */
const groups: Readonly<Record<string, Readonly<Record<string, Benchmark>>>> = {
  gateway: {
    local: measureLocal,
    lookup: measureLookup,
    forward: measureGatewayForward,
    prefix: measurePrefix,
    workers: measureWorkers,
    redis: measureRedis,
    plans: measurePlans,
    reload: measureReload,
    start: measureStart,
    memory: measureMemory,
    tokens: measureTokens,
    websockets: measureWebSockets,
    streams: measureStreams,
    policies: measurePolicies,
    usage: measureUsage,
    tools: measureTools,
  },
  odata: { filter: measureODataFilter, hostile: measureHostile },
  proxy: { forward: measureForward, 'pass-through': measurePassThrough, 'added-time': measureAddedTime },
  scheduling: {
    list: measureList,
    'list-postgres': measureListFromPostgres,
    single: measureSingle,
    filter: measureFilter,
  },
};

/** The benchmark that --endpoints applies to. */
const byEndpoints = 'gateway/local';

const usage = `Usage: pnpm bench [-- [GROUP | GROUP/NAME]… [--endpoints NUMBER] [--json FILE] [--chart FILE]]
       pnpm bench --guard [--json FILE]
Groups: ${Object.entries(groups)
  .map(([group, benchmarks]) => `${group} (${Object.keys(benchmarks).join(', ')})`)
  .join('; ')}
--endpoints compares only the local service of the gateway with its peers, at this number of endpoints.
--guard checks within a minute, on a busy machine too, whether a figure is 1.5× its recorded value.
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
  .map((given) => `There is no benchmark ${given}.`);
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
  // Describes the machine before this process leaves a core.
  const setting = `${new Date().toISOString().slice(0, 10)}, ${describeMachine()}, ${pinning}, load from ${loadGenerator}`;
  leaveServerCore();
  const figures: Figure[] = [];
  const comparisons: Comparison[] = [];
  const run: Run = { record: (comparison) => comparisons.push(comparison), endpoints };
  for (const { name, measure } of chosen) {
    const say = (text: string) => void process.stderr.write(`${name}: ${text}\n`);
    // An error in one benchmark does not stop the others.
    const measured = await measure(say, run).catch((error: unknown) => [failedRun(name, (error as Error).message)]);
    figures.push(...measured);
  }
  if (comparisons.length > 0) process.stdout.write(`${setting}\n\n${createServerTable(comparisons)}\n\n`);
  process.stdout.write(`${createTable(figures)}\n`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
  if (values.chart !== undefined) await writeFile(values.chart, createChart(comparisons, setting));
  process.exitCode = figures.some(({ state }) => state === 'fail') ? 1 : 0;
}
