import { registerHooks } from 'node:module';
import { extname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type ModuleGraph, urlOfVersion, versionedPath } from './module-graph.ts';
import { runAsService } from './service-origin.ts';

/** A version of a module that has entered this process. It determines the text of everything it can reach. */
interface EnteredModule {
  readonly text: string;
  readonly folder: string;
  /** Versioned URLs of the modules it imports. */
  readonly imports: readonly string[];
}

/** By versioned URL. Kept for the life of the process, as Node keeps the modules themselves. */
const entered = new Map<string, EnteredModule>();

/**
 * Imports a module of the graph from the text that was read, now and in every later lazy import, whatever the disk
 * holds by then. A module that is unchanged, and imports nothing that changed, is the one that was loaded before.
 */
export async function importModule(
  path: string,
  graph: ModuleGraph,
  folder: string,
): Promise<Readonly<Record<string, unknown>>> {
  installHooks();
  const url = enter(path, graph, folder);
  return runAsService(path, () => import(/* @vite-ignore */ url) as Promise<Record<string, unknown>>);
}

/** Whether this process has loaded these versions of the modules, or has tried to. */
export function haveEntered(paths: readonly string[], graph: ModuleGraph): boolean {
  return paths.every((path) => entered.has(urlIn(graph, path) ?? ''));
}

/** Registers a module and everything it can reach; returns its versioned URL. */
function enter(path: string, graph: ModuleGraph, folder: string): string {
  const reached = new Set([path]);
  for (const each of reached) {
    const file = graph.get(each);
    if (file === undefined) continue;
    for (const next of file.imports) reached.add(next);
    const url = urlOfVersion(each, file.version);
    if (entered.has(url)) continue;
    const imports = file.imports.flatMap((next) => urlIn(graph, next) ?? []);
    entered.set(url, { text: file.text, folder, imports });
  }
  return urlIn(graph, path) ?? pathToFileURL(path).href;
}

function urlIn(graph: ModuleGraph, path: string): string | undefined {
  const file = graph.get(path);
  return file && urlOfVersion(path, file.version);
}

/** The version of a file that was accepted together with a module; undefined when the module does not reach it. */
function findReached(from: string, path: string): string | undefined {
  const reached = new Set([from]);
  for (const url of reached) {
    if (versionedPath(url) === path) return url;
    for (const next of entered.get(url)?.imports ?? []) reached.add(next);
  }
  return undefined;
}

/** What services may import although it is not installed near them: this gateway, its packages and its zod. */
const own = import.meta.url;
const ownEntry = new URL(own.endsWith('.ts') ? '../index.ts' : '../index.js', own).href;
const ownPackages = /^(zod|@rostergate\/[a-z-]+)(\/|$)/;

/** The program that tries modules in a process of their own. */
export const trialProgram = new URL(own.endsWith('.ts') ? './trial-process.ts' : '../sources/trial-process.js', own);

let areHooksInstalled = false;

function installHooks(): void {
  if (areHooksInstalled) return;
  areHooksInstalled = true;
  registerHooks({
    resolve(specifier, context, next) {
      // A second copy of the gateway would not recognize the services that this one defines.
      if (specifier === 'rostergate') return { url: ownEntry, shortCircuit: true };
      if (versionedPath(specifier) !== undefined) return { url: specifier, shortCircuit: true };
      const { parentURL } = context;
      const parent = versionedPath(parentURL);
      if (parentURL === undefined || parent === undefined) return next(specifier, context);
      const path = pathOfSpecifier(specifier, parent);
      if (path?.startsWith((entered.get(parentURL)?.folder ?? '') + sep)) {
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
      const source = entered.get(url)?.text;
      if (format === undefined || source === undefined) return next(url, context);
      return { format, source, shortCircuit: true };
    },
  });
}

function pathOfSpecifier(specifier: string, parent: string): string | undefined {
  return /^(\.{0,2}\/|file:)/.test(specifier) ? fileURLToPath(new URL(specifier, pathToFileURL(parent))) : undefined;
}

/** The file may be on disk by now, but nothing has checked it: only files that the text names are accepted with it. */
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
