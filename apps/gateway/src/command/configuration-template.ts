import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { NewFile } from './write-all-files.ts';

const packageFolder = new URL('../../', import.meta.url);

/** The package's template files of a new configuration. */
const templates = ['settings.json', 'endpoints.json', 'services/hello.ts'] as const;
const schemas = ['settings', 'endpoints', 'keys'] as const;

export interface ConfigurationTemplate {
  readonly files: readonly NewFile[];
  /** The `$schema` of keys.json. */
  readonly keysSchema: string;
  /** Whether this package is installed in the folder or above. */
  readonly isInstalled: boolean;
}

/**
 * Returns the files of a new configuration except keys.json. Their `$schema` points into the installed package, so that
 * it matches the version in use; without one, as with a global installation, to copies beside the files. Neither needs a
 * network.
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

/** Returns the relative path of the package's schemas if the package is installed in the folder or above. */
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

interface ProjectOptions {
  /** The version of this package: the new project depends on it and later compatible ones. */
  readonly version: string;
  /** Whether the package is installed in the folder or above: then no package.json is needed. */
  readonly isInstalled: boolean;
}

/**
 * Returns package.json and tsconfig.json of a new configuration: after `npm install`, editors and `npx tsc` know the types
 * of services. Existing files are not replaced.
 */
export function createProjectFiles(folder: string, { version, isInstalled }: ProjectOptions): readonly NewFile[] {
  const isFree = (path: string) => lstatSync(join(folder, path), { throwIfNoEntry: false }) === undefined;
  const isOwnProject = !isInstalled && isFree('package.json');
  return [
    ...(isOwnProject ? [{ path: 'package.json', text: toText(packageOf(folder, version)) }] : []),
    ...(isFree('tsconfig.json') ? [{ path: 'tsconfig.json', text: toText(compilerOf(isOwnProject)) }] : []),
  ];
}

function packageOf(folder: string, version: string): object {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return {
    // npm rejects a project with the name of one of its dependencies.
    name: name === '' || name === 'rostergate' ? 'gateway' : name,
    private: true,
    type: 'module',
    scripts: { start: 'rostergate serve', check: 'tsc && rostergate validate' },
    dependencies: { rostergate: `^${version}` },
    devDependencies: { '@types/node': '^22.19.0', typescript: '^7.0.0' },
  };
}

/** Returns tsconfig.json for Node's type stripping: erasable syntax only, and imports with `.ts`. */
function compilerOf(hasNodeTypes: boolean): object {
  return {
    compilerOptions: {
      target: 'es2024',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      ...(hasNodeTypes ? { types: ['node'] } : {}),
    },
    include: ['services'],
  };
}

const toText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
