import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { NewFile } from './write-all-files.ts';

const packageFolder = new URL('../../', import.meta.url);

/** Files of the package that a new configuration begins with. */
const templates = ['settings.json', 'endpoints.json', 'services/hello.ts'] as const;
const schemas = ['settings', 'endpoints', 'keys'] as const;

export interface ConfigurationTemplate {
  readonly files: readonly NewFile[];
  /** What `$schema` of keys.json is to be. */
  readonly keysSchema: string;
  /** Whether this package is installed in the folder or above it. */
  readonly isInstalled: boolean;
}

/**
 * The files of a new configuration but for its keys. Their `$schema` points into the package where it is installed, so
 * that it is always that of the version in use; elsewhere, as with a global installation, at copies beside the files.
 * Neither needs a network.
 */
export function readConfigurationTemplate(folder: string): ConfigurationTemplate {
  const installed = findInstalledSchemas(resolve(folder));
  const schemaFolder = installed ?? './.rostergate';
  const schemaOf = (name: string) => `${schemaFolder}/${name}.schema.json`;
  const files: NewFile[] = templates.map((path) => {
    const text = readPackageFile(`templates/${path}`);
    return { path, text: text.replace(/"\.\.\/schemas\/(\w+)\.schema\.json"/, (_, name) => `"${schemaOf(name)}"`) };
  });
  if (installed === undefined) {
    files.push(
      ...schemas.map((name) => ({
        path: `.rostergate/${name}.schema.json`,
        text: readPackageFile(`schemas/${name}.schema.json`),
      })),
    );
  }
  return { files, keysSchema: schemaOf('keys'), isInstalled: installed !== undefined };
}

/** The package's schemas as the folder sees them, when it is installed there or above. */
function findInstalledSchemas(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const schemasFolder = join(at, 'node_modules/rostergate/schemas');
    if (existsSync(join(schemasFolder, 'settings.schema.json'))) {
      const path = relative(folder, schemasFolder).split(sep).join('/');
      return path.startsWith('.') ? path : `./${path}`;
    }
    if (dirname(at) === at) return undefined;
  }
}

function readPackageFile(path: string): string {
  return readFileSync(new URL(path, packageFolder), 'utf8');
}
