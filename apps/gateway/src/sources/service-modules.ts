import { registerHooks } from 'node:module';
import { extname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { digestOf } from '@rostergate/config/reload';
import { runAsService, urlOfVersion, versionedPath } from './service-origin.ts';

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

/** A version of a module that is registered in this process. It determines the versions of everything it imports. */
interface RegisteredModule {
  readonly text: string;
  readonly folder: string;
  /** Versioned URLs of the modules it imports. */
  readonly imports: readonly string[];
}

/** By versioned URL, for the life of the process, as Node's own module cache. */
const registered = new Map<string, RegisteredModule>();

/**
 * Imports a module of the graph from the text that was read, now and in every later lazy import, even if the file has
 * changed. A module whose version is unchanged is not loaded again.
 */
export async function importModule(
  path: string,
  graph: ModuleGraph,
  folder: string,
): Promise<Readonly<Record<string, unknown>>> {
  installHooks();
  const url = register(path, graph, folder);
  return runAsService(path, () => import(/* @vite-ignore */ url) as Promise<Record<string, unknown>>);
}

/** Returns whether this process has loaded these versions of the modules, or has tried to. */
export function areRegistered(paths: readonly string[], graph: ModuleGraph): boolean {
  return paths.every((path) => registered.has(urlIn(graph, path) ?? ''));
}

/** Registers a module and everything that it imports; returns its versioned URL. */
function register(path: string, graph: ModuleGraph, folder: string): string {
  const reached = new Set([path]);
  for (const each of reached) {
    const file = graph.get(each);
    if (file === undefined) continue;
    for (const next of file.imports) reached.add(next);
    const url = urlOfVersion(each, file.version);
    if (registered.has(url)) continue;
    const imports = file.imports.flatMap((next) => urlIn(graph, next) ?? []);
    registered.set(url, { text: file.text, folder, imports });
  }
  return urlIn(graph, path) ?? pathToFileURL(path).href;
}

function urlIn(graph: ModuleGraph, path: string): string | undefined {
  const file = graph.get(path);
  return file && urlOfVersion(path, file.version);
}

/** Returns the version of a file that was accepted together with a module; undefined if the module does not import it. */
function findReached(from: string, path: string): string | undefined {
  const reached = new Set([from]);
  for (const url of reached) {
    if (versionedPath(url) === path) return url;
    for (const next of registered.get(url)?.imports ?? []) reached.add(next);
  }
  return undefined;
}

/** Packages that services may import without installing them: the gateway, its packages and its zod. */
const own = import.meta.url;
const ownEntry = new URL(own.endsWith('.ts') ? '../index.ts' : '../index.js', own).href;
const ownPackages = /^(zod|@rostergate\/[a-z-]+)(\/|$)/;

/** The program that checks edits in a separate process. */
export const trialProgram = new URL(own.endsWith('.ts') ? './trial-process.ts' : '../sources/trial-process.js', own);

let areHooksInstalled = false;

function installHooks(): void {
  if (areHooksInstalled) return;
  areHooksInstalled = true;
  registerHooks({
    resolve(specifier, context, next) {
      // `isService` of another copy of the gateway would reject this copy's services.
      if (specifier === 'rostergate') return { url: ownEntry, shortCircuit: true };
      if (versionedPath(specifier) !== undefined) return { url: specifier, shortCircuit: true };
      const { parentURL } = context;
      const parent = versionedPath(parentURL);
      if (parentURL === undefined || parent === undefined) return next(specifier, context);
      const path = pathOfSpecifier(specifier, parent);
      if (path?.startsWith((registered.get(parentURL)?.folder ?? '') + sep)) {
        const url = findReached(parentURL, path);
        if (url === undefined) throw notAccepted(path, parent);
        return { url, shortCircuit: true };
      }
      try {
        return next(specifier, { ...context, parentURL: pathToFileURL(parent).href });
      } catch (error) {
        if (!ownPackages.test(specifier) || (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND')
          throw error;
        return next(specifier, { ...context, parentURL: own });
      }
    },
    load(url, context, next) {
      const path = versionedPath(url);
      const format = path === undefined ? undefined : formats[extname(path)];
      const source = registered.get(url)?.text;
      if (format === undefined || source === undefined) return next(url, context);
      return { format, source, shortCircuit: true };
    },
  });
}

function pathOfSpecifier(specifier: string, parent: string): string | undefined {
  return /^(\.{0,2}\/|file:)/.test(specifier) ? fileURLToPath(new URL(specifier, pathToFileURL(parent))) : undefined;
}

/** Returns the error for a file that was not checked with its importer: only literal imports are found and checked. */
function notAccepted(path: string, parent: string): Error {
  return Object.assign(
    new Error(
      `Cannot find module '${path}' imported from ${parent} among the files accepted with it. Name it in a literal import('./…').`,
    ),
    { code: 'ERR_MODULE_NOT_FOUND' },
  );
}

const formats: Readonly<Record<string, string>> = {
  '.ts': 'module-typescript',
  '.mts': 'module-typescript',
  '.js': 'module',
  '.mjs': 'module',
  '.cjs': 'commonjs',
  '.cts': 'commonjs-typescript',
  '.json': 'json',
};
