import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseFailure } from './run.ts';
import { publicPackages } from './workspace.ts';

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

/** A third-party package that is installed with ours. */
interface Dependency {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression of its manifest. */
  readonly license: string;
}

/** Packages whose files are shipped inside @rostergate/pages, with their licenses. */
export const bundledPackages: readonly string[] = ['redoc', 'swagger-ui-dist'];

/** Returns the packages that are installed with the public packages or shipped inside them, sorted by name. */
function loadDependencies(root: string, publicNames: readonly string[]): readonly Dependency[] {
  const installed = listLicenses(root, ['--prod', ...publicNames.map((name) => `--filter=${name}`)]);
  const bundled = listLicenses(root, ['--dev', '--filter=@rostergate/pages']).filter(({ name }) =>
    bundledPackages.includes(name),
  );
  const unique = new Map([...installed, ...bundled].map((each) => [`${each.name} ${each.version}`, each]));
  return [...unique.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

function listLicenses(root: string, options: readonly string[]): Dependency[] {
  const output = execFileSync('pnpm', ['licenses', 'list', '--recursive', '--json', ...options], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: bytesMax,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const byLicense: Readonly<Record<string, readonly { name: string; versions: string[] }[]>> = JSON.parse(output);
  return Object.entries(byLicense).flatMap(([license, packages]) =>
    packages.flatMap(({ name, versions }) => versions.map((version) => ({ name, version, license }))),
  );
}

const bytesMax = 16 * 1024 * 1024;

/** Returns docs/licenses.md. */
export function emitLicensesDoc(dependencies: readonly Dependency[]): string {
  const byLicense = Map.groupBy(dependencies, ({ license }) => license);
  const counts = [...byLicense].map(([license, { length }]) => ({ license, length }));
  counts.sort((a, b) => b.length - a.length || (a.license < b.license ? -1 : 1));
  return [
    '<!-- Written by tools/release from the lockfile. Do not edit: run `pnpm release:licenses`. -->',
    '# Licenses',
    'Rostergate is under the MIT license. These third-party packages are installed with its packages. ' +
      `@rostergate/pages contains files of ${bundledPackages.join(' and ')}, with their licenses. ` +
      'Only permissive licenses are allowed.',
    table(
      ['license', 'packages'],
      counts.map(({ license, length }) => [license, String(length)]),
    ),
    table(
      ['package', 'version', 'license'],
      dependencies.map(({ name, version, license }) => [name, version, license]),
    ),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
