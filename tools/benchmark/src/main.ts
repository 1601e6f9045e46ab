import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Figure } from './figure.ts';
import { gatewayBenchmarks } from './gateway/index.ts';
import { odataBenchmarks } from './odata/index.ts';
import { proxyBenchmarks } from './proxy/index.ts';
import { schedulingBenchmarks } from './scheduling/index.ts';
import { createTable } from './table.ts';

/** What is measured: by the name of what is measured, each in a few runs of servers of its own. */
export type Benchmarks = Readonly<Record<string, (say: (text: string) => void) => Promise<readonly Figure[]>>>;

const groups: Readonly<Record<string, Benchmarks>> = {
  gateway: gatewayBenchmarks,
  odata: odataBenchmarks,
  proxy: proxyBenchmarks,
  scheduling: schedulingBenchmarks,
};

const usage = `Usage: pnpm bench [-- [GROUP | GROUP/NAME]… [--json FILE]]
Groups: ${Object.entries(groups)
  .map(([group, benchmarks]) => `${group} (${Object.keys(benchmarks).join(', ')})`)
  .join('; ')}
`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  allowPositionals: true,
  options: { json: { type: 'string' }, help: { type: 'boolean' } },
});
const all = Object.entries(groups).flatMap(([group, benchmarks]) =>
  Object.entries(benchmarks).map(([name, measure]) => ({ group, name: `${group}/${name}`, measure })),
);
const unknown = positionals.filter((given) => !all.some(({ group, name }) => given === group || given === name));

if (values.help || unknown.length > 0) {
  process.stderr.write(unknown.length > 0 ? `There is no ${unknown.join(', no ')}.\n${usage}` : usage);
  process.exitCode = unknown.length > 0 ? 2 : 0;
} else {
  const chosen = all.filter(({ group, name }) =>
    positionals.length === 0 ? true : positionals.some((given) => given === group || given === name),
  );
  const figures: Figure[] = [];
  for (const { name, measure } of chosen) {
    figures.push(...(await measure((text) => process.stderr.write(`${name}: ${text}\n`))));
  }
  process.stdout.write(`${createTable(figures)}\n`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
  process.exitCode = figures.some(({ state }) => state === 'short') ? 1 : 0;
}
