import { describe, expect, it } from 'vitest';
import { findBoundaryFaults, type Package } from './boundaries.mjs';

const spec = aPackage('specs/staff', '@rostergate/staff-spec');
const runtime = aPackage('packages/runtime', '@rostergate/runtime');
const app = aPackage('apps/gateway', 'rostergate');
const tool = aPackage('tools/contract', '@rostergate/contract-tools');

function aPackage(directory: string, name: string, more: Partial<Package['manifest']> = {}, files = {}): Package {
  const layer = directory.split('/')[0] as Package['layer'];
  const sources = Object.entries<string>(files).map(([path, text]) => ({ path, text }));
  return { directory, layer, manifest: { name, ...more }, files: sources };
}

const faultsOf = (each: Package) => findBoundaryFaults([spec, runtime, app, tool, each]);
const anApp = (files: Record<string, string>, dependencies = {}, devDependencies = {}) =>
  aPackage('apps/scheduling', '@rostergate/scheduling', { dependencies, devDependencies }, files);

describe('findBoundaryFaults', () => {
  it('lets apps import packages and specs, and tools everything', () => {
    const all = { '@rostergate/runtime': '', '@rostergate/staff-spec': '' };
    const text = "import { a } from '@rostergate/runtime/problem';\nimport type { b } from '@rostergate/staff-spec';";
    expect(faultsOf(anApp({ 'src/main.ts': text }, all))).toEqual([]);
    const file = { 'src/main.ts': "import 'rostergate';\nimport '../../../apps/gateway/src/app.ts';" };
    const devDependencies = { rostergate: '' };
    expect(faultsOf(aPackage('tools/x', '@rostergate/x', { devDependencies }, file))).toEqual([]);
  });

  it('rejects workspace packages that tools import without declaring them', () => {
    const file = { 'src/main.ts': "import 'rostergate';", 'src/main.test.ts': "const text = `\nimport 'rostergate';`" };
    expect(faultsOf(aPackage('tools/x', '@rostergate/x', {}, file))).toEqual([
      'tools/x/src/main.ts: imports rostergate, which the dependencies in package.json lack.',
    ]);
  });

  it.each([
    ['a spec on a package', 'specs/x', '@rostergate/runtime', 'specs must not depend on packages'],
    ['a package on an app', 'packages/x', 'rostergate', 'packages must not depend on apps'],
    ['an app on an app', 'apps/x', 'rostergate', 'apps must not depend on apps'],
    ['an app on a tool', 'apps/x', '@rostergate/contract-tools', 'apps must not depend on tools'],
  ])('rejects %s in dependencies and devDependencies', (_case, directory, name, fault) => {
    for (const field of ['dependencies', 'devDependencies']) {
      const found = faultsOf(aPackage(directory, 'x', { [field]: { [name]: 'workspace:*' } }));
      expect(found).toEqual([expect.stringMatching(`^${directory}/package.json: ${fault}`)]);
    }
  });

  it.each([
    ['a static import', "import { createApp } from 'rostergate';"],
    ['an import over several lines', "import {\n  createApp,\n} from 'rostergate';"],
    ['an import without names', "import 'rostergate';"],
    ['a type import', "import type { App } from 'rostergate';"],
    ['a re-export', "export * from 'rostergate';"],
    ['a dynamic import', "const app = await import('rostergate');"],
  ])('rejects %s of an app in an app', (_case, text) => {
    expect(faultsOf(anApp({ 'src/a.ts': text }))).toEqual([
      'apps/scheduling/src/a.ts: apps must not import apps (rostergate).',
    ]);
  });

  it('rejects a relative import that leaves the package', () => {
    expect(faultsOf(anApp({ 'src/a.ts': "import { b } from '../../gateway/src/b.ts';" }))).toHaveLength(1);
    expect(faultsOf(anApp({ 'src/a.ts': "import { b } from '../b.ts';" }))).toEqual([]);
  });

  it('allows devDependencies only in tests', () => {
    const text = "import { a } from '@rostergate/runtime/keys';";
    const development = { '@rostergate/runtime': '' };
    expect(faultsOf(anApp({ 'src/a.ts': text }, {}, development))).toHaveLength(1);
    expect(faultsOf(anApp({ 'src/a.test.ts': text }, {}, development))).toEqual([]);
  });

  it('lets the server stubs import only the contract entry point of the runtime', () => {
    const dependencies = { '@rostergate/runtime': '' };
    const stub = (entryPoint: string) =>
      aPackage(
        'packages/staff-server',
        '@rostergate/staff-server',
        { dependencies },
        {
          'src/index.ts': `import { a } from '@rostergate/runtime/${entryPoint}';`,
        },
      );
    expect(faultsOf(stub('contract'))).toEqual([]);
    expect(faultsOf(stub('keys'))).toHaveLength(1);
  });

  it('ignores comments', () => {
    expect(faultsOf(anApp({ 'src/a.ts': "// import 'rostergate';\n * import('rostergate')" }))).toEqual([]);
  });
});
