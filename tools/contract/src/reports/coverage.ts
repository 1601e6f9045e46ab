import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoggedTest } from '../../../workspace/log-tests.ts';
import { readPairs } from '../pages/pairs-page.ts';
import { ToolFailure } from '../workspace.ts';
import { readGatewaySources } from './gateway-report.ts';
import { type Guarantee, titleOf } from './guarantees.ts';
import { readSchedulingDoc } from './scheduling-report.ts';
import { readStaffProxyDoc } from './staff-proxy-report.ts';

/**
 * Checks by the logs of test runs that every test which a generated page names has run and passed.
 * @throws ToolFailure that lists all others
 */
export async function checkCoverage(...folders: readonly string[]): Promise<void> {
  const tests = folders.flatMap(loadTests);
  if (tests.length === 0) throw new ToolFailure('Name folders with logs of runs, such as tools/acceptance/.run.');
  const pages: NamedTests[] = [
    { page: 'reports/gateway.md', server: 'gateway', guarantees: (await readGatewaySources()).guarantees },
    { page: 'reports/scheduling.md', server: 'scheduling', guarantees: (await readSchedulingDoc()).guarantees },
    { page: 'reports/staff-proxy.md', server: 'staff-proxy', guarantees: (await readStaffProxyDoc()).guarantees },
    { page: 'contract.md', guarantees: readPairs().guarantees },
  ];
  const uncovered = pages.flatMap((page) => findUncovered(page, tests));
  const named = pages.reduce((sum, { guarantees }) => sum + guarantees.length, 0);
  console.log(`${named - uncovered.length} of ${named} tests that the pages name ran and passed`);
  if (uncovered.length > 0) throw new ToolFailure(`Tests that pages name:\n  ${uncovered.join('\n  ')}`);
}

function loadTests(folder: string): LoggedTest[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.tests.jsonl'));
  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LoggedTest);
}

/** A generated page, with the tests that it names. */
export interface NamedTests {
  /** In docs/. */
  readonly page: string;
  /** The server that the page is about; undefined where it is about all of them. */
  readonly server?: string;
  readonly guarantees: readonly Guarantee[];
}

/** Returns the tests of a page that did not pass: they did not run, failed, or ran only with another server. */
export function findUncovered({ page, server, guarantees }: NamedTests, tests: readonly LoggedTest[]): string[] {
  const byFile = Map.groupBy(tests, ({ file }) => file);
  const uncovered = guarantees.flatMap((guarantee) => {
    const title = titleOf(guarantee);
    const pattern = toPattern(title);
    const found = (byFile.get(guarantee.file) ?? []).filter(
      (test) => isAbout(test, server) && test.state !== 'skipped' && pattern.test(test.title),
    );
    if (found.length > 0 && found.every(({ state }) => state === 'passed')) return [];
    const why = found.length === 0 ? 'did not run' : 'did not pass';
    return [`docs/${page}: "${title}" of ${guarantee.file} ${why}${server === undefined ? '' : ` with ${server}`}.`];
  });
  return [...new Set(uncovered)];
}

const servers = ['gateway', 'staff-proxy', 'scheduling'];

/** Returns whether a test is about a server: a block with the name of a server is about that server. */
function isAbout({ blocks }: LoggedTest, server: string | undefined): boolean {
  return server === undefined || blocks.every((block) => block === server || !servers.includes(block));
}

/** Returns a pattern of the titles that vitest makes of a template: `%s` and `$name` are any text. */
function toPattern(title: string): RegExp {
  const parts = title.split(/%[sdifjoOc#$]|\$[A-Za-z_][\w.]*/).map((part) => {
    return part.replaceAll('%%', '%').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('[^]*')}$`);
}
