import { execFileSync } from 'node:child_process';

/** A package of others that reaches whoever installs ours. */
export interface Dependency {
  readonly name: string;
  readonly version: string;
  /** As its manifest says, an SPDX expression. */
  readonly license: string;
}

/** Whose files the runtime's pages are made of: they ship within it, with their licenses, and are installed by nobody. */
export const bundledPackages: readonly string[] = ['redoc', 'swagger-ui-dist'];

/** Everything that is installed with the public packages, or stands in them, by name. */
export function loadDependencies(root: string, publicNames: readonly string[]): readonly Dependency[] {
  const installed = listLicenses(root, ['--prod', ...publicNames.map((name) => `--filter=${name}`)]);
  const bundled = listLicenses(root, ['--dev', '--filter=@rostergate/runtime']).filter(({ name }) =>
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
