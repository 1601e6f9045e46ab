import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/** Where everything is, from this file: every command works from any folder. */
export const toolFolder = resolve(import.meta.dirname, '..');
export const rootFolder = resolve(toolFolder, '../..');

export const specFolder = (name: string): string => join(rootFolder, 'specs', name);
export const bundlePath = (name: string): string => join(specFolder(name), 'gen/openapi.json');
export const generatedFolder = (packageName: string): string => join(rootFolder, 'packages', packageName, 'src/gen');

/** The contracts of the workspace: each folder of `specs/` that holds an openapi.yaml. */
export function loadContractNames(): string[] {
  return readdirSync(join(rootFolder, 'specs'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(specFolder(entry.name)).includes('openapi.yaml'))
    .map((entry) => entry.name)
    .sort();
}

/** Path of an installed package's file, whatever its `exports` say. */
export function installedFile(packageName: string, file: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`)), file);
}
