import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const workspace = resolve(import.meta.dirname, '../../..');
const read = (path: string) => parse(readFileSync(join(workspace, path), 'utf8'));
const { allowBuilds } = read('pnpm-workspace.yaml') as { allowBuilds: Readonly<Record<string, boolean>> };
const { packages: locked } = read('pnpm-lock.yaml') as { packages: Readonly<Record<string, object>> };

/** Returns the packages of the lock file with an install script, those of other platforms aside. */
function packagesWithScripts(): string[] {
  const store = join(workspace, 'node_modules/.pnpm');
  const found = readdirSync(store).flatMap((entry) => {
    // pnpm names the folder of a package `@scope+name@version_peers`.
    const [, scope = '', name = ''] = /^(?:(@[^+]+)\+)?([^@]+)@/.exec(entry) ?? [];
    const folder = join(store, entry, 'node_modules', scope, name);
    if (!existsSync(join(folder, 'package.json'))) return [];
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    // Packages of earlier installations may remain.
    const isLocked = `${manifest.name}@${manifest.version}` in locked;
    return isLocked && runsAtInstall(folder, manifest) ? [manifest.name] : [];
  });
  return [...new Set(found)].sort();
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

function runsAtInstall(folder: string, { scripts = {} }: Manifest): boolean {
  const hasScript = ['preinstall', 'install', 'postinstall'].some((name) => name in scripts);
  return hasScript || existsSync(join(folder, 'binding.gyp'));
}

test('allowBuilds lists every package with an install script and allows only node', () => {
  const named = Object.keys(allowBuilds).sort();
  expect(named).toEqual(packagesWithScripts());
  expect(named.filter((name) => allowBuilds[name])).toEqual(['node']);
});
