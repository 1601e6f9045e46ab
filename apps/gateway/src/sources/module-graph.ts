import { sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { digestOf } from '@rostergate/config/reload';

/** A module of the services' folder. Its version changes with its text and everything that it imports. */
export interface ModuleFile {
  readonly path: string;
  readonly text: string;
  /** Paths of the folder's modules that it imports, at load time or later. */
  readonly imports: readonly string[];
  readonly version: string;
}

export type ModuleGraph = ReadonlyMap<string, ModuleFile>;

/**
 * Reads modules and everything that they import from the folder. Imports are found in the text: no code runs, and a lazy
 * `import('./x.ts')` is included. A missing file is left out: importing it fails later.
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
  return new Map(
    [...texts].map(([path, text]) => [
      path,
      { path, text, imports: imports.get(path) ?? [], version: versionOf(path, imports, digests) },
    ]),
  );
}

/** Returns the entries and every module that they import, directly or not. */
export function reachedBy(entries: readonly string[], graph: ModuleGraph): ModuleFile[] {
  const reached = new Set(entries);
  for (const each of reached) for (const next of graph.get(each)?.imports ?? []) reached.add(next);
  return [...reached].flatMap((path) => graph.get(path) ?? []);
}

/** Matches literal relative specifiers in any quotes, with comments before them. */
const importPattern = /\b(?:from|import|require)\s*\(?(?:\s|\/\*[^*]*\*\/)*(["'`])(\.{1,2}\/[^"'`$\n]+)\1/g;

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

/** Returns a digest of a module and everything that it imports, directly or not. */
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

/** The query parameter of the URL under which a version of a module is loaded. */
const parameter = 'rostergate-version';

export function urlOfVersion(path: string, version: string): string {
  return `${pathToFileURL(path).href}?${parameter}=${version}`;
}

/** Returns the path in a versioned URL; undefined for any other URL. */
export function versionedPath(url: string | undefined): string | undefined {
  return url?.includes(`?${parameter}=`) ? fileURLToPath(url.slice(0, url.indexOf('?'))) : undefined;
}

/** Returns a text, such as a stack, without the versions in URLs. */
export function withoutVersions(text: string): string {
  return text.replaceAll(new RegExp(`\\?${parameter}=\\w+`, 'g'), '');
}

/** A position in a module. */
export interface ModulePlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** Returns the place of the first stack frame in a module of the services' folder. */
export function placeInStack(stack: string): ModulePlace | undefined {
  const frame = new RegExp(`(file://[^\\s()]+?)\\?${parameter}=\\w+:(\\d+):(\\d+)`).exec(stack);
  if (frame === null) return undefined;
  const [, url, line, column] = frame as unknown as [string, string, string, string];
  return { path: fileURLToPath(url), line: Number(line), column: Number(column) };
}
