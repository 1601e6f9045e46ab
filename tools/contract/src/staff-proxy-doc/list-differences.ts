import { join } from 'node:path';
import type { Guarantee } from '../guarantees/collect-guarantees.ts';
import { emitLinks, escapeCell } from '../guarantees/emit-guarantees.ts';
import { loadGuarantees } from '../guarantees/load-guarantees.ts';
import { rootFolder } from '../workspace.ts';

/** In what the proxy answers otherwise than the API behind it. */
export interface ListedDifference {
  readonly name: string;
  readonly request: string;
  readonly scheduling: string;
  readonly 'staff-proxy': string;
  readonly reason: string;
}

const folder = 'tools/acceptance/src/staff';

/** The list that the tests of both servers go by. */
export async function loadDifferences(): Promise<readonly ListedDifference[]> {
  const { proxyDifferences }: { proxyDifferences: Readonly<Record<string, Omit<ListedDifference, 'name'>>> } =
    await import(join(rootFolder, folder, 'proxy-differences.ts'));
  return Object.entries(proxyDifferences).map(([name, difference]) => ({ name, ...difference }));
}

/** What tests promise of every difference, as a guarantee of each. */
export function loadDifferenceGuarantees(differences: readonly ListedDifference[]): Guarantee[] {
  return loadGuarantees([`${folder}/proxy-differences.test.ts`], ['difference']).flatMap(({ subject, text, file }) =>
    differences.map(({ name }) => ({ subject, name, text, file })),
  );
}

export function emitDifferences(differences: readonly ListedDifference[], guarantees: readonly Guarantee[]): string {
  const rows = differences.map(({ name, request, scheduling, 'staff-proxy': proxy, reason }) => {
    const held = guarantees.filter((guarantee) => guarantee.subject === 'difference' && guarantee.name === name);
    return `| ${name} | ${escapeCell(request)} | ${scheduling} | ${proxy} | ${escapeCell(reason)} | ${emitLinks(held)} |`;
  });
  const head = [
    '| difference | request | scheduling API | staff proxy | why | held to it by the test |',
    '|---|---|---|---|---|---|',
  ];
  return [...head, ...rows].join('\n');
}
