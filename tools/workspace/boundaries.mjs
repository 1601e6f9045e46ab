import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from './workspace.mjs';

/**
 * The folders that a folder may import from. Imports point one way, specs ← packages ← apps; apps do not import apps,
 * and nothing published imports tools.
 */
const mayUse = /** @type {const} */ ({
  specs: [],
  packages: ['specs', 'packages'],
  apps: ['specs', 'packages'],
  tools: ['specs', 'packages', 'apps', 'tools'],
});

/** Packages that may import only one entry point of another package, so that a server of a user loads no more than it needs. */
const onlyEntryPoint = /** @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */ ({
  '@rostergate/gateway-server': { '@rostergate/runtime': '@rostergate/runtime/contract' },
  '@rostergate/staff-server': { '@rostergate/runtime': '@rostergate/runtime/contract' },
});

/**
 * @typedef {keyof typeof mayUse} Layer
 * @typedef {{ name: string, dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} Manifest
 * @typedef {{ directory: string, layer: Layer, manifest: Manifest, files: { path: string, text: string }[] }} Package
 *   `directory` is relative to the root of the workspace, `path` to the directory
 */

/** Returns every dependency and import that crosses a boundary, as `file: fault`. @param {readonly Package[]} packages */
export function findBoundaryFaults(packages) {
  const byName = new Map(packages.map((each) => [each.manifest.name, each]));
  return packages.flatMap((from) => [...dependencyFaults(from, byName), ...importFaults(from, byName)]);
}

/** @param {Package} from @param {ReadonlyMap<string, Package>} byName */
function dependencyFaults({ directory, layer, manifest }, byName) {
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  return names.flatMap((name) => {
    const target = byName.get(name);
    if (!target || isAllowed(layer, target.layer)) return [];
    return [`${directory}/package.json: ${layer} must not depend on ${target.layer} (${name}).`];
  });
}

/** @param {Package} from @param {ReadonlyMap<string, Package>} byName */
function importFaults(from, byName) {
  return from.files.flatMap(({ path, text }) => {
    // The tests of tools contain code as text.
    if (from.layer === 'tools' && isOfTests(path)) return [];
    return importsOf(text).flatMap((specifier) => {
      const fault = specifier.startsWith('.')
        ? describeRelative(from, path, specifier)
        : describeByName(from, path, specifier, byName);
      return fault ? [`${from.directory}/${path}: ${fault}`] : [];
    });
  });
}

/** @param {Package} from @param {string} path @param {string} specifier */
function describeRelative({ layer }, path, specifier) {
  // Tools check files that packages do not export.
  if (layer === 'tools') return undefined;
  const leaves = posix.join(posix.dirname(path), specifier).startsWith('..');
  if (!leaves || path === 'vitest.config.ts') return undefined;
  return `imports ${specifier}, which is outside its package; import the package by its name.`;
}

/** @param {Package} from @param {string} path @param {string} specifier @param {ReadonlyMap<string, Package>} byName */
function describeByName({ layer, manifest }, path, specifier, byName) {
  const parts = specifier.split('/');
  const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
  const target = byName.get(name);
  if (!target || name === manifest.name) return undefined;
  if (!isAllowed(layer, target.layer)) return `${layer} must not import ${target.layer} (${specifier}).`;
  const isShipped = layer !== 'tools' && !isOfTests(path);
  const declared = { ...manifest.dependencies, ...(isShipped ? {} : manifest.devDependencies) };
  if (!(name in declared)) return `imports ${name}, which the dependencies in package.json lack.`;
  const entryPoint = isShipped && onlyEntryPoint[manifest.name]?.[name];
  return entryPoint && specifier !== entryPoint ? `imports ${specifier}; it may import only ${entryPoint}.` : undefined;
}

/** @param {string} path */
function isOfTests(path) {
  return /(^|\/)tests?\/|\.(test|test-d|contract|bench)\.[cm]?[jt]s$/.test(path);
}

/** @param {Layer} from @param {Layer} to */
function isAllowed(from, to) {
  return /** @type {readonly Layer[]} */ (mayUse[from]).includes(to);
}

/** Returns the static and dynamic imports of a module, those in comments aside. @param {string} text */
function importsOf(text) {
  const code = text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const forms = [
    /^\s*(?:import|export)\b[^'"`;=]*\bfrom\s*(['"])([^'"\n]+)\1/gm,
    /^\s*import\s*(['"])([^'"\n]+)\1/gm,
    /\b(?:import|require)\s*\(\s*(['"])([^'"\n]+)\1/g,
  ];
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[2] ?? ''));
}

/** Reads all packages. @param {string} workspace @returns {Package[]} */
export function loadPackages(workspace) {
  return Object.keys(mayUse).flatMap((layer) =>
    readdirSync(join(workspace, layer), { withFileTypes: true }).flatMap((entry) => {
      const directory = `${layer}/${entry.name}`;
      const manifest = entry.isDirectory() && readManifest(join(workspace, directory));
      if (!manifest) return [];
      const files = listSources(join(workspace, directory)).map((path) => ({
        path,
        text: readFileSync(join(workspace, directory, path), 'utf8'),
      }));
      return [{ directory, layer: /** @type {Layer} */ (layer), manifest, files }];
    }),
  );
}

/** @param {string} directory @returns {Manifest | undefined} undefined for a folder that is no package, such as specs/common */
function readManifest(directory) {
  const hasManifest = readdirSync(directory).includes('package.json');
  return hasManifest ? JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) : undefined;
}

/** @param {string} directory @returns {string[]} */
function listSources(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', '.turbo'].includes(entry.name)) return [];
    if (entry.isDirectory()) return listSources(join(directory, entry.name)).map((path) => `${entry.name}/${path}`);
    return /\.[cm]?[jt]s$/.test(entry.name) ? [entry.name] : [];
  });
}

if (process.argv[1] === import.meta.filename) {
  const packages = loadPackages(root);
  const faults = findBoundaryFaults(packages);
  for (const fault of faults) console.error(fault);
  console.log(`${packages.length} packages, ${faults.length} boundaries crossed`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
