import type { LoggedTest } from '../../../workspace/log-tests.ts';
import { type Guarantee, titleOf } from '../guarantees/collect-guarantees.ts';

/** A generated page, with the tests that it names. */
export interface NamedTests {
  /** In docs/. */
  readonly page: string;
  /** The server that the page is about; undefined where it is about all of them. */
  readonly server?: string;
  readonly guarantees: readonly Guarantee[];
}

/** Tests that a page names and that did not pass in the runs: they did not run, failed, or tried another server alone. */
export function findUnheld({ page, server, guarantees }: NamedTests, tests: readonly LoggedTest[]): string[] {
  const byFile = Map.groupBy(tests, ({ file }) => file);
  const unheld = guarantees.flatMap((guarantee) => {
    const title = titleOf(guarantee);
    const pattern = toPattern(title);
    const found = (byFile.get(guarantee.file) ?? []).filter(
      (test) => isAbout(test, server) && test.state !== 'skipped' && pattern.test(test.title),
    );
    if (found.length > 0 && found.every(({ state }) => state === 'passed')) return [];
    const why = found.length === 0 ? 'did not run' : 'did not pass';
    return [`docs/${page}: "${title}" of ${guarantee.file} ${why}${server === undefined ? '' : ` with ${server}`}.`];
  });
  return [...new Set(unheld)];
}

const servers = ['gateway', 'staff-proxy', 'scheduling'];

/** A block that is called by a server is about that one. */
function isAbout({ blocks }: LoggedTest, server: string | undefined): boolean {
  return server === undefined || blocks.every((block) => block === server || !servers.includes(block));
}

/** A title as its file has it matches each name that vitest makes of it: `%s` and `$name` stand for any text. */
function toPattern(title: string): RegExp {
  const parts = title.split(/%[sdifjoOc#$]|\$[A-Za-z_][\w.]*/).map((part) => {
    return part.replaceAll('%%', '%').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('[^]*')}$`);
}
