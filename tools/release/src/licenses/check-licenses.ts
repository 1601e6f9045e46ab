import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicPackages } from '../manifests/public-packages.ts';
import { ReleaseFailure } from '../run.ts';
import { emitLicensesDoc } from './emit-licenses-doc.ts';
import { type Dependency, loadDependencies } from './load-dependencies.ts';

const path = 'docs/licenses.md';

/** `licenses`: writes the list; with `isCheck` fails if it is out of date. Both reject licenses that are not allowed. */
export async function runLicenses(root: string, { isCheck }: { readonly isCheck: boolean }): Promise<void> {
  const dependencies = loadDependencies(root, Object.keys(publicPackages));
  const rejected = describeRejected(dependencies);
  if (rejected !== undefined) throw new ReleaseFailure(rejected);
  const text = emitLicensesDoc(dependencies);
  const file = join(root, path);
  const isRight = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (isCheck && !isRight) throw new ReleaseFailure(`${path} is out of date: run pnpm release:licenses and commit it.`);
  if (!isRight) writeFileSync(file, text);
  console.log(`${dependencies.length} third-party packages, each under an allowed license`);
}

/** Returns the packages under other licenses and what to do about them; undefined if there are none. */
export function describeRejected(dependencies: readonly Dependency[]): string | undefined {
  const rejected = dependencies.filter(({ license }) => !isAllowed(license));
  if (rejected.length === 0) return undefined;
  return [
    'Under licenses that are not allowed:',
    ...rejected.map(({ name, version, license }) => `  ${name} ${version}: ${license}`),
    'Remove them, or state in tools/release/src/licenses/check-licenses.ts why the license is acceptable.',
  ].join('\n');
}

/** SPDX names of licenses that allow everyone to run, change and sell the software. */
const allowedLicenses: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Returns whether an SPDX expression offers an allowed license; false for expressions with nested parentheses. */
export function isAllowed(expression: string): boolean {
  const text = expression.trim().replace(/^\(([^()]*)\)$/, '$1');
  if (text.includes('(')) return false;
  return text.split(/ OR /).some((choice) => choice.split(/ AND /).every((name) => allowedLicenses.has(name.trim())));
}
