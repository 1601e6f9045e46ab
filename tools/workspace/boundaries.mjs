import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from './workspace.mjs';

/**
 * Which rooms a room may look into. Arrows point one way, specs ← packages ← apps, apps stand alone, and nothing that
 * ships knows of the tools.
 */
const mayUse = /** @type {const} */ ({
  specs: [],
  packages: ['specs', 'packages'],
  apps: ['specs', 'packages'],
  tools: ['specs', 'packages', 'apps', 'tools'],
});

/** Packages that see one door of another alone, so that a stranger's server takes along no more than it needs. */
const onlyDoor = /** @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */ ({
  '@rostergate/gateway-server': { '@rostergate/runtime': '@rostergate/runtime/contract' },
  '@rostergate/staff-server': { '@rostergate/runtime': '@rostergate/runtime/contract' },
});

/**
 * @typedef {keyof typeof mayUse} Room
 * @typedef {{ name: string, dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} Manifest
 * @typedef {{ directory: string, room: Room, manifest: Manifest, files: { path: string, text: string }[] }} Package
 *   `directory` from the workspace's root, `path` from the directory
 */

/** Every dependency and import that crosses a boundary, as `file: what is wrong`. @param {readonly Package[]} packages */
export function findBoundaryFaults(packages) {
  const byName = new Map(packages.map((each) => [each.manifest.name, each]));
  return packages.flatMap((from) => [...dependencyFaults(from, byName), ...importFaults(from, byName)]);
}

/** @param {Package} from @param {ReadonlyMap<string, Package>} byName */
function dependencyFaults({ directory, room, manifest }, byName) {
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  return names.flatMap((name) => {
    const target = byName.get(name);
    if (!target || isAllowed(room, target.room)) return [];
    return [`${directory}/package.json: ${room} must not depend on ${target.room} (${name}).`];
  });
}

/** @param {Package} from @param {ReadonlyMap<string, Package>} byName */
function importFaults(from, byName) {
  return from.files.flatMap(({ path, text }) => {
    // The tests of tools hold pieces of code as text.
    if (from.room === 'tools' && isOfTests(path)) return [];
    return importsOf(text).flatMap((specifier) => {
      const fault = specifier.startsWith('.')
        ? describeRelative(from, path, specifier)
        : describeByName(from, path, specifier, byName);
      return fault ? [`${from.directory}/${path}: ${fault}`] : [];
    });
  });
}

/** @param {Package} from @param {string} path @param {string} specifier */
function describeRelative({ room }, path, specifier) {
  // Tools look at all of what they hold true, also where a package has no door.
  if (room === 'tools') return undefined;
  const leaves = posix.join(posix.dirname(path), specifier).startsWith('..');
  if (!leaves || path === 'vitest.config.ts') return undefined;
  return `imports ${specifier}, which is outside its package; import the package by its name.`;
}

/** @param {Package} from @param {string} path @param {string} specifier @param {ReadonlyMap<string, Package>} byName */
function describeByName({ room, manifest }, path, specifier, byName) {
  const parts = specifier.split('/');
  const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
  const target = byName.get(name);
  if (!target || name === manifest.name) return undefined;
  if (!isAllowed(room, target.room)) return `${room} must not import ${target.room} (${specifier}).`;
  const isShipped = room !== 'tools' && !isOfTests(path);
  const declared = { ...manifest.dependencies, ...(isShipped ? {} : manifest.devDependencies) };
  if (!(name in declared)) return `imports ${name}, which is not among the dependencies of its package.json.`;
  const door = isShipped && onlyDoor[manifest.name]?.[name];
  return door && specifier !== door ? `imports ${specifier}; of ${name} it may see ${door} alone.` : undefined;
}

/** @param {string} path */
function isOfTests(path) {
  return /(^|\/)tests?\/|\.(test|test-d|contract|bench)\.[cm]?[jt]s$/.test(path);
}

/** @param {Room} from @param {Room} to */
function isAllowed(from, to) {
  return /** @type {readonly Room[]} */ (mayUse[from]).includes(to);
}

/** What a module imports, statically or not. Lines of comments are passed over. @param {string} text */
function importsOf(text) {
  const code = text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const forms = [
    /^\s*(?:import|export)\b[^'"`;=]*\bfrom\s*(['"])([^'"\n]+)\1/gm,
    /^\s*import\s*(['"])([^'"\n]+)\1/gm,
    /\b(?:import|require)\s*\(\s*(['"])([^'"\n]+)\1/g,
  ];
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[2] ?? ''));
}

/** Reads the packages of all rooms. @param {string} workspace @returns {Package[]} */
export function loadPackages(workspace) {
  return Object.keys(mayUse).flatMap((room) =>
    readdirSync(join(workspace, room), { withFileTypes: true }).flatMap((entry) => {
      const directory = `${room}/${entry.name}`;
      const manifest = entry.isDirectory() && readManifest(join(workspace, directory));
      if (!manifest) return [];
      const files = listSources(join(workspace, directory)).map((path) => ({
        path,
        text: readFileSync(join(workspace, directory, path), 'utf8'),
      }));
      return [{ directory, room: /** @type {Room} */ (room), manifest, files }];
    }),
  );
}

/** @param {string} directory @returns {Manifest | undefined} nothing for a folder that is no package, as specs/common */
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
