import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoggedTest } from '../../../workspace/log-tests.ts';
import { readGatewaySources } from '../gateway-doc/generate-gateway-doc.ts';
import { readPairs } from '../pairs-doc/generate-pairs-doc.ts';
import { readSchedulingDoc } from '../scheduling-doc/generate-scheduling-doc.ts';
import { readStaffProxyDoc } from '../staff-proxy-doc/generate-staff-proxy-doc.ts';
import { ToolFailure } from '../tool-failure.ts';
import { findUnheld, type NamedTests } from './find-unheld.ts';

/**
 * Checks that every test which a generated page names has run and passed, by the logs of runs in some folders.
 * @throws ToolFailure naming each that has not
 */
export async function checkHeld(folders: readonly string[]): Promise<void> {
  const tests = folders.flatMap(loadTests);
  if (tests.length === 0) throw new ToolFailure('Name folders with logs of runs, such as tools/acceptance/.run.');
  const pages: NamedTests[] = [
    { page: 'reports/gateway.md', server: 'gateway', guarantees: (await readGatewaySources()).guarantees },
    { page: 'reports/scheduling.md', server: 'scheduling', guarantees: (await readSchedulingDoc()).guarantees },
    { page: 'reports/staff-proxy.md', server: 'staff-proxy', guarantees: (await readStaffProxyDoc()).guarantees },
    { page: 'contract.md', guarantees: readPairs().guarantees },
  ];
  const unheld = pages.flatMap((page) => findUnheld(page, tests));
  const named = pages.reduce((sum, { guarantees }) => sum + guarantees.length, 0);
  console.log(`${named - unheld.length} of ${named} tests that the pages name ran and passed`);
  if (unheld.length > 0) throw new ToolFailure(`Tests that pages name:\n  ${unheld.join('\n  ')}`);
}

function loadTests(folder: string): LoggedTest[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.tests.jsonl'));
  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LoggedTest);
}
