import { bundledPackages, type Dependency } from './load-dependencies.ts';

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
