import { join } from 'node:path';
import { type Guarantee, loadGuarantees } from '../guarantees/collect-guarantees.ts';
import { emitLinks, escapeCell } from '../guarantees/emit-guarantees.ts';
import { rootFolder } from '../workspace.ts';

/** A response of the proxy that differs from that of the scheduling API. */
export interface ListedDifference {
  readonly name: string;
  readonly request: string;
  readonly scheduling: string;
  readonly 'staff-proxy': string;
  readonly reason: string;
}

const folder = 'tools/acceptance/src/staff';

/** Loads the list of differences that the tests of both servers use. */
export async function loadDifferences(): Promise<readonly ListedDifference[]> {
  const { proxyDifferences }: { proxyDifferences: Readonly<Record<string, Omit<ListedDifference, 'name'>>> } =
    await import(join(rootFolder, folder, 'proxy-differences.ts'));
  return Object.entries(proxyDifferences).map(([name, difference]) => ({ name, ...difference }));
}

/** Returns a guarantee of each difference from the tests that cover all of them. */
export function loadDifferenceGuarantees(differences: readonly ListedDifference[]): Guarantee[] {
  return loadGuarantees([`${folder}/proxy-differences.test.ts`], ['difference']).flatMap(({ subject, text, file }) =>
    differences.map(({ name }) => ({ subject, name, text, file })),
  );
}

export function emitDifferences(differences: readonly ListedDifference[], guarantees: readonly Guarantee[]): string {
  const rows = differences.map(({ name, request, scheduling, 'staff-proxy': proxy, reason }) => {
    const tests = guarantees.filter((guarantee) => guarantee.subject === 'difference' && guarantee.name === name);
    return `| ${name} | ${escapeCell(request)} | ${scheduling} | ${proxy} | ${escapeCell(reason)} | ${emitLinks(tests)} |`;
  });
  const head = ['| difference | request | scheduling API | staff proxy | why | tests |', '|---|---|---|---|---|---|'];
  return [...head, ...rows].join('\n');
}
