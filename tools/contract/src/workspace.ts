import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/** Folders of the workspace. Commands work in any folder. */
export const toolFolder = resolve(import.meta.dirname, '..');
export const rootFolder = resolve(toolFolder, '../..');

export const specFolder = (name: string): string => join(rootFolder, 'specs', name);
export const bundlePath = (name: string): string => join(specFolder(name), 'gen/openapi.json');
/** File beside the gateway's bundle. A later task writes it, because it needs the services of the gateway. */
export const fragmentFile = 'endpoints.gen.yaml';
export const generatedFolder = (packageName: string): string => join(rootFolder, 'packages', packageName, 'src/gen');

/** Returns the names of the contracts: the folders of `specs/` with an openapi.yaml. */
export function loadContractNames(): string[] {
  return readdirSync(join(rootFolder, 'specs'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(specFolder(entry.name)).includes('openapi.yaml'))
    .map((entry) => entry.name)
    .sort();
}

/** Returns the path of a file of an installed package, including files that it does not export. */
export function installedFile(packageName: string, file: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`)), file);
}

/** An error that the user can fix. The command prints its message and exits with code 1. */
export class ToolFailure extends Error {}
