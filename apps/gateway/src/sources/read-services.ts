import { join, parse, resolve } from 'node:path';
import { type ConfigFault, faultAt } from '@rostergate/config';
import type { SourceFiles } from '@rostergate/config/reload';
import { isService, type Service, type Settings } from '@rostergate/endpoints';
import { describeImportError, type ModuleFault } from './import-error.ts';
import { importModule, type ModuleGraph, readModuleGraph } from './service-modules.ts';
import { recordOrigin } from './service-origin.ts';

export interface ReadServices {
  readonly services: readonly Service[];
  /** Returns whether a fault of endpoints.json is a consequence of a service that did not load. */
  readonly isExpected: (pointer: string, endpointsFile: unknown) => boolean;
}

/** How long a module may take to load: one that never finishes must not block later reloads. */
const loadMs = 10_000;

/** The modules in the folder of custom services. */
export interface ServiceModules {
  readonly folder: string;
  /** Each `.ts`, `.mts`, `.js` and `.mjs` file, except declarations, tests and names that begin with `_` or a dot. */
  readonly entries: readonly string[];
  /** Includes the modules that they import from subfolders. */
  readonly graph: ModuleGraph;
}

/** Reads the modules without running them; undefined if there is no folder of services. */
export async function readServiceModules(
  settings: Readonly<Settings>,
  files: SourceFiles,
): Promise<ServiceModules | undefined> {
  const folder = resolve(files.folder, settings.services_dir);
  const names = await files.names(folder, isServiceFile);
  if (names === undefined) {
    if (settings.services_dir !== defaultFolder && files.faults.length === 0) {
      files.report({
        where: files.show(folder),
        field: '',
        detail: 'There is no such folder. Create it, or correct services_dir.',
      });
    }
    return undefined;
  }
  const entries = names.map((name) => join(folder, name));
  const graph = await readModuleGraph(entries, folder, (path) => files.text(path));
  return { folder, entries: entries.filter((path) => graph.has(path)), graph };
}

/** Loads the custom services from the texts of `files`, except modules that were rejected. */
export async function readServices(
  settings: Readonly<Settings>,
  builtIn: readonly Service[],
  files: SourceFiles,
  rejected?: ReadonlyMap<string, readonly ModuleFault[]>,
): Promise<ReadServices> {
  const modules = await readServiceModules(settings, files);
  if (modules === undefined) return { services: [], isExpected: () => false };
  const { folder, entries, graph } = modules;
  const known = new Map(builtIn.map((service) => [service.name.toLowerCase(), 'is built in']));
  const services: Service[] = [];
  const missing = new Set<string>();
  for (const path of entries) {
    const text = graph.get(path)?.text ?? '';
    const faults = rejected?.get(path);
    const loaded =
      faults === undefined ? await loadServices(path, graph, folder, files) : { faults: toFaults(faults, files) };
    if ('faults' in loaded) {
      for (const fault of loaded.faults) files.report(fault);
      missing.add(parse(path).name.toLowerCase());
      for (const [, name] of text.matchAll(namePattern)) missing.add((name as string).toLowerCase());
      continue;
    }
    for (const service of loaded.services) {
      const name = service.name.toLowerCase();
      const other = known.get(name);
      known.set(name, other ?? `is in ${files.show(path)}`);
      if (other === undefined) services.push(service);
      else
        files.report(
          faultAtName(path, text, service, `Another service with this name ${other}. Rename one of them.`, files),
        );
    }
  }
  return { services, isExpected: (pointer, value) => missing.has(serviceAt(pointer, value)) };
}

const defaultFolder = 'services';
const namePattern = /\bname:\s*["'`]([\w-]+)["'`]/g;

function isServiceFile(name: string): boolean {
  return /^[^._].*\.m?[jt]s$/.test(name) && !/\.(d|test|spec)\.m?[jt]s$/.test(name);
}

type LoadedServices = { readonly services: readonly Service[] } | { readonly faults: readonly ConfigFault[] };

async function loadServices(
  path: string,
  graph: ModuleGraph,
  folder: string,
  files: SourceFiles,
): Promise<LoadedServices> {
  let hasDefinition: boolean;
  try {
    const exported = Object.values(await withDeadline(importModule(path, graph, folder)));
    const services = [...new Set(exported)].filter(isService);
    for (const service of services) recordOrigin(service, path);
    if (services.length > 0) return { services };
    hasDefinition = exported.some((value) => typeof value === 'object' && value !== null && 'handle' in value);
  } catch (error) {
    return { faults: toFaults(describeImportError(error, path, graph), files) };
  }
  const detail = hasDefinition
    ? "It exports a definition without defineService. Import defineService from 'rostergate' and pass the definition to it."
    : 'It exports no service. Write export default defineService({ … }), or move a shared module to a subfolder or prefix its name with _.';
  return { faults: [faultAt({ file: files.show(path), line: 1, column: 1 }, '', detail)] };
}

/** Returns faults of modules as faults of the configuration. */
export function toFaults(faults: readonly ModuleFault[], files: Pick<SourceFiles, 'show'>): ConfigFault[] {
  return faults.map(({ path, line, column, field, detail }) =>
    faultAt({ file: files.show(path), line, column }, field, detail),
  );
}

function faultAtName(path: string, text: string, { name }: Service, detail: string, files: SourceFiles): ConfigFault {
  const offset = Math.max(0, [...text.matchAll(namePattern)].find(([, found]) => found === name)?.index ?? 0);
  const before = text.slice(0, offset).split('\n');
  const place = { file: files.show(path), line: before.length, column: (before.at(-1) ?? '').length + 1 };
  return faultAt(place, name, detail);
}

function serviceAt(pointer: string, value: unknown): string {
  const index = /^\/endpoints\/(\d+)\/service$/.exec(pointer)?.[1];
  const list = (value as { endpoints?: { service?: unknown }[] } | undefined)?.endpoints;
  return index === undefined ? '' : String(list?.[Number(index)]?.service ?? '').toLowerCase();
}

async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not finish loading within ${loadMs / 1000} s.`)), loadMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
