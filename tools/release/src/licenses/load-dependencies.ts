import { execFileSync } from 'node:child_process';

/** A third-party package that is installed with ours. */
export interface Dependency {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression of its manifest. */
  readonly license: string;
}

/** Packages whose files are shipped inside @rostergate/pages, with their licenses. */
export const bundledPackages: readonly string[] = ['redoc', 'swagger-ui-dist'];

/** The packages that are installed with the public packages or shipped inside them, sorted by name. */
export function loadDependencies(root: string, publicNames: readonly string[]): readonly Dependency[] {
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
