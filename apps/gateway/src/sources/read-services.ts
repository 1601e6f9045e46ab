import { basename, join, parse, resolve } from 'node:path';
import { type ConfigFault, faultAt } from '@rostergate/config';
import type { SourceFiles } from '@rostergate/config/reload';
import { isPolicy, isService, type PolicyModules, type Service, type Settings } from '@rostergate/endpoints';
import { describeImportError, type ModuleFault } from './import-error.ts';
import { importModule, type ModuleGraph, readModuleGraph } from './service-modules.ts';
import { recordOrigin } from './service-origin.ts';

export interface ReadServices {
  readonly services: readonly Service[];
  /** The modules that policies may name. */
  readonly modules: PolicyModules;
  /** Returns whether a fault of endpoints.json is a consequence of a module that did not load. */
  readonly isExpected: (pointer: string, endpointsFile: unknown) => boolean;
  /** Returns the faults of modules that export neither service nor policy, and that no policy names. */
  readonly findUnused: (endpointsFile: unknown) => readonly ConfigFault[];
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
  if (modules === undefined) {
    return { services: [], modules: new Map(), isExpected: () => false, findUnused: () => [] };
  }
  const { folder, entries, graph } = modules;
  const known = new Map(builtIn.map((service) => [service.name.toLowerCase(), 'is built in']));
  const problems = new Map<string, { readonly status: number; readonly title: string; readonly place: string }>();
  const services: Service[] = [];
  const missing = new Set<string>();
  const exportsOf = new Map<string, Readonly<Record<string, unknown>> | undefined>();
  const unused = new Map<string, ConfigFault>();
  for (const path of entries) {
    const file = basename(path);
    const text = graph.get(path)?.text ?? '';
    const faults = rejected?.get(path);
    const loaded =
      faults === undefined ? await loadModule(path, graph, folder, files) : { faults: toFaults(faults, files) };
    if ('faults' in loaded) {
      for (const fault of loaded.faults) files.report(fault);
      exportsOf.set(file, undefined);
      missing.add(parse(path).name.toLowerCase());
      for (const [, name] of text.matchAll(namePattern)) missing.add((name as string).toLowerCase());
      continue;
    }
    exportsOf.set(file, loaded.exported);
    if (loaded.unused !== undefined) unused.set(file, loaded.unused);
    for (const service of loaded.services) {
      const name = service.name.toLowerCase();
      const other = known.get(name);
      known.set(name, other ?? `is in ${files.show(path)}`);
      const report = (detail: string) => files.report(faultAtName(path, text, service, detail, files));
      if (other === undefined) services.push(service);
      else report(`Another service with this name ${other}. Rename one of them.`);
      // A client that knows a code knows its status and title.
      for (const [code, { status, title }] of Object.entries(service.problems ?? {})) {
        const first = problems.get(code) ?? { status, title, place: files.show(path) };
        problems.set(code, first);
        if (first.status === status && first.title === title) continue;
        report(
          `Its problem "${code}" is ${first.status} "${first.title}" in ${first.place}. Write the same, or rename one.`,
        );
      }
    }
  }
  return {
    services,
    modules: exportsOf,
    isExpected(pointer, value) {
      const module = policyModuleAt(pointer, value);
      return (exportsOf.has(module) && exportsOf.get(module) === undefined) || missing.has(serviceAt(pointer, value));
    },
    findUnused(value) {
      const named = new Set(policiesIn(value).map(([, { module }]) => moduleFileOf(module)));
      return [...unused].flatMap(([file, fault]) => (named.has(file) ? [] : [fault]));
    },
  };
}

const defaultFolder = 'services';
const namePattern = /\bname:\s*["'`]([\w-]+)["'`]/g;

function isServiceFile(name: string): boolean {
  return /^[^._].*\.m?[jt]s$/.test(name) && !/\.(d|test|spec)\.m?[jt]s$/.test(name);
}

interface LoadedModule {
  readonly services: readonly Service[];
  readonly exported: Readonly<Record<string, unknown>>;
  /** The fault of a module that nothing uses, unless a policy names it. */
  readonly unused: ConfigFault | undefined;
}

async function loadModule(
  path: string,
  graph: ModuleGraph,
  folder: string,
  files: SourceFiles,
): Promise<LoadedModule | { readonly faults: readonly ConfigFault[] }> {
  let exported: Readonly<Record<string, unknown>>;
  try {
    // A getter may throw on first access.
    exported = { ...(await withDeadline(importModule(path, graph, folder))) };
  } catch (error) {
    return { faults: toFaults(describeImportError(error, path, graph), files) };
  }
  const values = [...new Set(Object.values(exported))];
  for (const value of values) {
    if (typeof value === 'function' || (typeof value === 'object' && value !== null)) recordOrigin(value, path);
  }
  const services = values.filter(isService);
  if (services.length > 0 || values.some(isPolicy)) return { services, exported, unused: undefined };
  const hasDefinition = values.some((value) => typeof value === 'object' && value !== null && 'handle' in value);
  const detail = hasDefinition
    ? "It exports a definition without defineService. Import defineService from 'rostergate' and pass the definition to it."
    : 'It exports no service. Write export default defineService({ … }), name it in a policy, or move a shared module to a subfolder or prefix its name with _.';
  return { services, exported, unused: faultAt({ file: files.show(path), line: 1, column: 1 }, '', detail) };
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
  const service = index === undefined ? undefined : list?.[Number(index)]?.service;
  return typeof service === 'string' ? service.toLowerCase() : '';
}

function policiesIn(value: unknown): [name: string, entry: { readonly module?: unknown }][] {
  const { policies } = (value ?? {}) as { policies?: unknown };
  if (typeof policies !== 'object' || policies === null) return [];
  return Object.entries(policies).filter(([, entry]) => typeof entry === 'object' && entry !== null);
}

/** Returns the file that a policy names at this pointer; empty for any other pointer. */
function policyModuleAt(pointer: string, value: unknown): string {
  const name = /^\/policies\/([^/]+)\/module$/.exec(pointer)?.[1];
  return moduleFileOf(policiesIn(value).find(([known]) => known === name)?.[1].module);
}

function moduleFileOf(module: unknown): string {
  return typeof module === 'string' ? module.replace(/^\.\//, '') : '';
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
