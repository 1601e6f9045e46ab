import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Bump } from './contract/bump.ts';

/** A temporary git repository for tests: one contract, its client, its stubs, and an unrelated package. */
export interface Checkout {
  readonly root: string;
  git(...args: string[]): string;
  read(path: string): string;
  write(path: string, text: string): void;
  /** Changes the bundled document of the contract. */
  edit(change: (document: PetsDocument) => void): void;
  changeset(name: string, bumps: Readonly<Record<string, Bump>>, words: string): void;
  setVersion(version: string): void;
  commit(): void;
  /** Commits and tags each package with its version, as publishing does. */
  release(): void;
  remove(): void;
}

export interface PetsDocument {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, PetsOperation>>;
}

interface PetsOperation {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  responses: Record<string, object>;
}

export const petsPackages = ['@pets/spec', '@pets/client', '@pets/server', '@pets/other'] as const;
/** The Node range of each package. */
export const petsNodes = Object.fromEntries(petsPackages.map((name) => [name, '>=20']));

const folders: Readonly<Record<(typeof petsPackages)[number], string>> = {
  '@pets/spec': 'specs/pets',
  '@pets/client': 'packages/pets-client',
  '@pets/server': 'packages/pets-server',
  '@pets/other': 'packages/other',
};

const pets: PetsDocument = {
  info: { title: 'Pets', version: '0.2.0' },
  paths: {
    '/pets': {
      get: { operationId: 'listPets', summary: 'All pets', responses: { 200: { description: 'Pets' } } },
      post: { operationId: 'addPet', summary: 'One more', responses: { 201: { description: 'Added' } } },
    },
  },
};

const bundle = 'specs/pets/gen/openapi.json';

export function createCheckout(version = '0.2.0'): Checkout {
  const root = mkdtempSync(join(tmpdir(), 'checkout-'));
  const checkout: Checkout = {
    root,
    git: (...args) => execFileSync('git', [...author, ...args], { cwd: root, encoding: 'utf8' }),
    read: (path) => readFileSync(join(root, path), 'utf8'),
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    edit(change) {
      const document: PetsDocument = JSON.parse(checkout.read(bundle));
      change(document);
      checkout.write(bundle, json({ openapi: '3.0.3', ...document }));
    },
    changeset(name, bumps, words) {
      const front = Object.entries(bumps).map(([one, bump]) => `"${one}": ${bump}`);
      checkout.write(`.changeset/${name}.md`, ['---', ...front, '---', '', words, ''].join('\n'));
    },
    setVersion(next) {
      for (const folder of Object.values(folders)) {
        const path = `${folder}/package.json`;
        checkout.write(path, checkout.read(path).replace(/"version": "[^"]*"/, `"version": "${next}"`));
      }
      checkout.write('specs/pets/openapi.yaml', sourceText(next));
      checkout.edit(({ info }) => {
        info.version = next;
      });
    },
    commit() {
      checkout.git('add', '-A');
      checkout.git('commit', '-q', '--allow-empty', '-m', 'Change');
    },
    release() {
      checkout.commit();
      for (const name of petsPackages) {
        const { version: own } = JSON.parse(checkout.read(`${folders[name]}/package.json`));
        checkout.git('tag', `${name}@${own}`);
      }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  fill(checkout);
  checkout.setVersion(version);
  checkout.git('init', '-q', '-b', 'main');
  checkout.commit();
  return checkout;
}

const author = [
  '-c',
  'user.name=Test',
  '-c',
  'user.email=test@example.com',
  '-c',
  'commit.gpgsign=false',
  '-c',
  'tag.gpgsign=false',
];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const sourceText = (version: string): string =>
  `openapi: 3.0.3\ninfo:\n  title: Pets\n  version: ${version} # of the package\npaths: {}\n`;

function fill({ root, write }: Checkout): void {
  write('package.json', json({ name: 'pets-workspace', private: true, packageManager: 'pnpm@12.21.0' }));
  write('pnpm-workspace.yaml', 'packages: [specs/*, packages/*]\n');
  const plugin = relative(join(root, '.changeset'), join(import.meta.dirname, 'changelog/changesets-plugin.ts'));
  write('.changeset/config.json', json({ changelog: plugin, access: 'public', baseBranch: 'main' }));
  write(bundle, json({ openapi: '3.0.3', ...pets }));
  const manifest = {
    version: '0.0.0',
    description: 'Of pets.',
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20' },
    files: ['gen', 'CHANGELOG.md'],
    publishConfig: { access: 'public', provenance: true },
  };
  write(
    'specs/pets/package.json',
    json({ name: '@pets/spec', ...manifest, exports: { './openapi.json': './gen/openapi.json' } }),
  );
  for (const name of ['@pets/client', '@pets/server'] as const) {
    write(`${folders[name]}/package.json`, json({ name, ...manifest, dependencies: { '@pets/spec': 'workspace:*' } }));
    write(`${folders[name]}/src/gen/operations.gen.ts`, 'export {};\n');
  }
  write('packages/other/package.json', json({ name: '@pets/other', ...manifest }));
}
