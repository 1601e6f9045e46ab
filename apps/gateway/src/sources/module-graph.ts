import { sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { digestOf } from '@rostergate/runtime/reload';

/** A module of the services' folder: what it is made of, and a version that changes with it and all that it imports. */
export interface ModuleFile {
  readonly path: string;
  readonly text: string;
  readonly version: string;
}

export type ModuleGraph = ReadonlyMap<string, ModuleFile>;

/**
 * Reads modules and whatever they import from within the folder. Imports are taken from the text, so that nothing has
 * to run for it; what only looks like one does no harm. Files that are not there are left to the import to miss.
 */
export async function readModuleGraph(
  entries: readonly string[],
  folder: string,
  readText: (path: string) => Promise<string | undefined>,
): Promise<ModuleGraph> {
  const texts = new Map<string, string>();
  const imports = new Map<string, readonly string[]>();
  const pending = [...entries];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (imports.has(path)) continue;
    imports.set(path, []);
    const text = await readText(path);
    if (text === undefined) continue;
    const found = importsOf(text, path).filter((imported) => imported.startsWith(folder + sep));
    texts.set(path, text);
    imports.set(path, found);
    pending.push(...found);
  }
  const digests = new Map([...texts].map(([path, text]) => [path, digestOf(text)]));
  return new Map([...texts].map(([path, text]) => [path, { path, text, version: versionOf(path, imports, digests) }]));
}

const importPattern = /\b(?:from|import)\s*\(?\s*(["'])(\.{1,2}\/[^"'\n]+)\1/g;

function importsOf(text: string, path: string): string[] {
  const base = pathToFileURL(path);
  return [...text.matchAll(importPattern)].flatMap(([, , specifier]) => {
    try {
      return [fileURLToPath(new URL(specifier as string, base))];
    } catch {
      return [];
    }
  });
}

/** Of everything that can be reached from a module, itself included: two that import each other change together. */
function versionOf(
  path: string,
  imports: ReadonlyMap<string, readonly string[]>,
  digests: ReadonlyMap<string, string>,
): string {
  const reached = new Set([path]);
  for (const each of reached) for (const next of imports.get(each) ?? []) reached.add(next);
  const parts = [...reached].sort().map((each) => `${each}\0${digests.get(each) ?? 'absent'}`);
  return digestOf(parts.join('\0\0')).slice(0, 16);
}
