import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ModuleGraph } from './module-graph.ts';

/** Part of the URL under which a module of the services' folder is loaded: one that changed has another. */
const versionParameter = 'rostergate-version';

let graph: ModuleGraph = new Map();
let areHooksInstalled = false;

/**
 * Imports a module of the graph as it was read, whatever the disk holds by now. One that is unchanged, and imports
 * nothing that changed, is the one that was loaded before. Node keeps every version for the life of the process.
 */
export async function importModule(path: string, from: ModuleGraph): Promise<Record<string, unknown>> {
  graph = from;
  installHooks();
  return (await import(/* @vite-ignore */ urlOf(path, from.get(path)?.version ?? 'absent'))) as Record<string, unknown>;
}

/** A text in which versioned URLs stand, such as a stack, with plain ones instead. */
export function withoutVersions(text: string): string {
  return text.replaceAll(new RegExp(`\\?${versionParameter}=\\w+`, 'g'), '');
}

function urlOf(path: string, version: string): string {
  return `${pathToFileURL(path).href}?${versionParameter}=${version}`;
}

function pathOf(url: string | undefined): string | undefined {
  return url?.includes(`?${versionParameter}=`) ? fileURLToPath(url.slice(0, url.indexOf('?'))) : undefined;
}

/** What services may import although it is installed nowhere near them: the gateway that runs them, and its zod. */
const own = import.meta.url;
const ownEntry = new URL(own.endsWith('.ts') ? '../index.ts' : '../index.js', own).href;
const lent = /^(zod|@rostergate\/[a-z-]+)(\/|$)/;

function installHooks(): void {
  if (areHooksInstalled) return;
  areHooksInstalled = true;
  registerHooks({
    resolve(specifier, context, next) {
      // A second copy of the gateway would not know the services that this one defines.
      if (specifier === 'rostergate') return { url: ownEntry, shortCircuit: true };
      if (pathOf(specifier) !== undefined) return { url: specifier, shortCircuit: true };
      const parent = pathOf(context.parentURL);
      if (parent === undefined) return next(specifier, context);
      if (/^\.{1,2}\//.test(specifier)) {
        const path = fileURLToPath(new URL(specifier, pathToFileURL(parent)));
        const found = graph.get(path);
        if (found !== undefined) return { url: urlOf(path, found.version), shortCircuit: true };
      }
      try {
        return next(specifier, { ...context, parentURL: pathToFileURL(parent).href });
      } catch (error) {
        if (!lent.test(specifier) || (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
        return next(specifier, { ...context, parentURL: own });
      }
    },
    load(url, context, next) {
      const path = pathOf(url);
      const format = path === undefined ? undefined : formats[extname(path)];
      if (path === undefined || format === undefined) return next(url, context);
      return { format, source: graph.get(path)?.text ?? readFileSync(path, 'utf8'), shortCircuit: true };
    },
  });
}

const formats: Readonly<Record<string, string>> = {
  '.ts': 'module-typescript',
  '.mts': 'module-typescript',
  '.js': 'module',
  '.mjs': 'module',
  '.json': 'json',
};
