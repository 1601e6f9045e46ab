import { lstatSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { NewFile } from './write-all-files.ts';

export interface ProjectOptions {
  /** Of this package: the new project takes it and later compatible ones. */
  readonly version: string;
  /** Whether the package is installed in the folder or above it: then a project of its own is not needed. */
  readonly isInstalled: boolean;
}

/**
 * package.json and tsconfig.json of a new configuration: after `npm install`, editors and `npx tsc` know the types of
 * services. Files that are there already belong to somebody else and are left as they are.
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
    // npm takes no project with the name of a package that it depends on.
    name: name === '' || name === 'rostergate' ? 'gateway' : name,
    private: true,
    type: 'module',
    scripts: { start: 'rostergate serve', check: 'tsc && rostergate validate' },
    dependencies: { rostergate: `^${version}` },
    devDependencies: { '@types/node': '^22.19.0', typescript: '^7.0.0' },
  };
}

/** Node runs services as they are: types are taken off, and imports keep the `.ts` of their file. */
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
