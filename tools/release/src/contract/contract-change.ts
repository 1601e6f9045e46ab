import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '../../../../apps/gateway/src/diff/change.ts';
import { diffDocuments } from '../../../../apps/gateway/src/diff/diff-documents.ts';
import { readOperationsOf } from '../../../contract/src/drift/read-operations-of.ts';
import type { OpenApiDocument } from '../../../contract/src/spec/openapi-document.ts';
import type { Package, Workspace } from '../workspace.ts';
import { type Bump, largestBump, rateChanges } from './bump.ts';
import { assertTagsAreThere, type Git, type LastReleases, type Release } from './last-releases.ts';

/** The changes of one document of a contract since the last release. */
export interface DocumentChange {
  readonly path: string;
  /** `info.title`, of the old document if there is no new one. */
  readonly title: string;
  readonly state: 'existing' | 'new' | 'gone';
  /** Empty unless the state is `existing`. */
  readonly changes: readonly Change[];
  /** The number of operations now. */
  readonly operations: number;
}

export interface ContractChange {
  readonly contract: Contract;
  /** The compared release; undefined before the first one. */
  readonly release: Release | undefined;
  readonly documents: readonly DocumentChange[];
  /** The bump that semver requires for any version; `none` if nothing published has changed. */
  readonly rating: Bump;
}

/** Compares the contract in the working folder with its last release. */
export function loadContractChange(root: string, git: Git, contract: Contract, releases: LastReleases): ContractChange {
  const release = releases.get(contract.spec.manifest.name);
  if (release === undefined) assertTagsAreThere(git, existsSync(join(root, contract.spec.directory, 'CHANGELOG.md')));
  const paths = new Set([...contract.documents, ...(release ? releasedDocuments(git, release, contract) : [])]);
  const documents = [...paths].map((path) =>
    compareDocument(
      path,
      parse(release && git.textAt(release.tag, path)),
      parse(existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined),
    ),
  );
  const isChanged = release !== undefined && publishedChanges(git, release, contract).length > 0;
  const ratings = documents.map(({ state, changes }): Bump => {
    if (release === undefined) return 'minor';
    return state === 'existing' ? rateChanges(changes) : state === 'new' ? 'minor' : 'major';
  });
  return { contract, release, documents, rating: largestBump([...ratings, isChanged ? 'patch' : 'none']) };
}

type Document = OpenApiDocument & Readonly<Record<string, unknown>>;

function compareDocument(path: string, old: Document | undefined, next: Document | undefined): DocumentChange {
  const { title = path } = ((next ?? old)?.info ?? {}) as { title?: string };
  const isExisting = old !== undefined && next !== undefined;
  return {
    path,
    title,
    state: isExisting ? 'existing' : next === undefined ? 'gone' : 'new',
    changes: isExisting ? diffDocuments(old, next).changes : [],
    operations: next === undefined ? 0 : readOperationsOf(next).size,
  };
}

function releasedDocuments(git: Git, { tag }: Release, { spec }: Contract): string[] {
  return git
    .lines('ls-tree', '-r', '--name-only', tag, '--', `${spec.directory}/gen`)
    .filter((path) => path.endsWith('openapi.json'));
}

/** Returns the changed published files, descriptions and types included. */
function publishedChanges(git: Git, { tag }: Release, { spec }: Contract): string[] {
  return git.lines('diff', '--name-only', tag, '--', `${spec.directory}/gen`).filter((path) => !/\.ya?ml$/.test(path));
}

function parse(text: string | undefined): Document | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Document);
}

/** A contract with the packages generated from it. */
export interface Contract {
  /** The folder under `specs/`. */
  readonly name: string;
  readonly spec: Package;
  /** The bundled documents that its package exports, relative to the root. */
  readonly documents: readonly string[];
  /** Clients and stubs, which change with the contract. */
  readonly followers: readonly Package[];
}

export function findContracts({ root, packages }: Workspace): readonly Contract[] {
  return packages
    .filter(({ directory }) => directory.startsWith('specs/'))
    .map((spec) => ({
      name: spec.directory.slice('specs/'.length),
      spec,
      documents: exportedDocuments(spec),
      followers: packages.filter(
        ({ directory, manifest }) =>
          manifest.private !== true &&
          manifest.dependencies?.[spec.manifest.name] !== undefined &&
          existsSync(join(root, directory, 'src/gen')),
      ),
    }));
}

function exportedDocuments({ directory, manifest }: Package): string[] {
  return Object.values(manifest.exports ?? {})
    .filter((target) => typeof target === 'string' && target.endsWith('openapi.json'))
    .map((target) => `${directory}/${(target as string).slice('./'.length)}`);
}
