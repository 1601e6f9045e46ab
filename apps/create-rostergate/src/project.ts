import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ProjectFiles } from './template.ts';

/** Returns the files of a project in a folder: its package has the name of the folder. */
export function createProject(template: ProjectFiles, folder: string): ProjectFiles {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const manifest = template['package.json'] ?? '';
  const taken = new Set(Object.keys(JSON.parse(manifest).dependencies));
  // npm rejects a project with the name of one of its dependencies.
  const own = name === '' || taken.has(name) ? 'my-project' : name;
  return { ...template, 'package.json': manifest.replace(/"name": "[^"]+"/, `"name": "${own}"`) };
}

/** Returns the files of a project that exist in the folder already. */
export function findExisting(folder: string, files: ProjectFiles): string[] {
  return Object.keys(files).filter((path) => existsSync(join(folder, path)));
}

/** Writes a project into a folder, which is created if it is missing. Throws if a file exists. */
export function writeProject(folder: string, files: ProjectFiles): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: 'wx' });
  }
}
