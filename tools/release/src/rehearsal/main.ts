import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createReport, createSizeTable, rehearse } from './rehearse.ts';

const usage = 'Usage: pnpm rehearse [--json FILE] [--keep]';

const { values } = parseArgs({
  options: { json: { type: 'string' }, keep: { type: 'boolean', default: false }, help: { type: 'boolean' } },
});
if (values.help) console.log(usage);
else process.exitCode = await main();

async function main(): Promise<number> {
  const root = resolve(import.meta.dirname, '../../../..');
  const scratch = await mkdtemp(join(tmpdir(), 'rostergate-rehearsal-'));
  const clear = () => rmSync(scratch, { recursive: true, force: true });
  // An interrupted rehearsal leaves no files and servers behind.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
  if (!values.keep) process.once('exit', clear);
  const write = (text: string) => void process.stdout.write(text);
  const rehearsal = await rehearse({ root, scratch, write, clock: Date.now });
  const report = createReport(rehearsal);
  write(`\n${createSizeTable(rehearsal.packages)}\n${report.passed} passed, ${report.failed} failed\n`);
  if (values.json !== undefined) {
    await writeFile(resolve(process.env.INIT_CWD ?? '.', values.json), `${JSON.stringify(report, null, 2)}\n`);
  }
  if (values.keep) write(`The files are in ${scratch}.\n`);
  return report.failed === 0 ? 0 : 1;
}
