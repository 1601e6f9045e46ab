import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicPackages } from '../manifests/public-packages.ts';
import { ReleaseFailure } from '../release-failure.ts';
import { emitLicensesDoc } from './emit-licenses-doc.ts';
import { isAllowed } from './is-allowed.ts';
import { type Dependency, loadDependencies } from './load-dependencies.ts';

const path = 'docs/licenses.md';

/** `licenses`: writes the list, or with `isCheck` fails where it is not what is installed. Either refuses what is not allowed. */
export async function runLicenses(root: string, { isCheck }: { readonly isCheck: boolean }): Promise<void> {
  const dependencies = loadDependencies(root, Object.keys(publicPackages));
  const refused = describeRefused(dependencies);
  if (refused !== undefined) throw new ReleaseFailure(refused);
  const text = emitLicensesDoc(dependencies);
  const file = join(root, path);
  const isRight = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (isCheck && !isRight)
    throw new ReleaseFailure(`${path} is not what is installed: run pnpm release:licenses and commit it.`);
  if (!isRight) writeFileSync(file, text);
  console.log(`${dependencies.length} packages of others, each under a license that is allowed`);
}

/** What to do about packages whose license is none of those allowed; undefined where there are none. */
export function describeRefused(dependencies: readonly Dependency[]): string | undefined {
  const refused = dependencies.filter(({ license }) => !isAllowed(license));
  if (refused.length === 0) return undefined;
  return [
    'Under licenses that are not allowed:',
    ...refused.map(({ name, version, license }) => `  ${name} ${version}: ${license}`),
    'Do without them, or say in tools/release/src/licenses/is-allowed.ts why such a license will do.',
  ].join('\n');
}
