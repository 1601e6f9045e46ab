import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alignColumns } from '../../../benchmark/src/align-columns.ts';
import { checkFiles, checkSizes, checkTypes, type SizeLimit, toKb } from './check-packages.ts';
import { type LocalRegistry, startLocalRegistry } from './local-registry.ts';
import { type PublishedPackage, packPackages } from './published-package.ts';
import { runCommand } from './run-command.ts';
import { StepList, type StepOutcome } from './step-list.ts';
import { usePackages } from './use-packages.ts';
import { installNode, listOldestNodes, type NodeRuntime, ownNode, type PackageSource } from './user-project.ts';
import { buildWorkspace, copyWorkspace, publishWorkspace, versionWorkspace } from './workspace-copy.ts';

export interface RehearsalOptions {
  /** The workspace, whose committed state is released. */
  readonly root: string;
  /** An empty folder for all files of the rehearsal. */
  readonly scratch: string;
  readonly write: (text: string) => void;
  readonly clock: () => number;
}

export interface Rehearsal {
  readonly steps: readonly StepOutcome[];
  readonly packages: readonly PublishedPackage[];
}

/** Releases the workspace to a registry on this machine, then installs and uses the packages as users do. */
export async function rehearse({ root, scratch, write, clock }: RehearsalOptions): Promise<Rehearsal> {
  const steps = new StepList({ write, clock });
  const packages: PublishedPackage[] = [];
  let registry: LocalRegistry | undefined;
  try {
    const uplink = (await runCommand('npm', ['config', 'get', 'registry'], { cwd: scratch, env: process.env })).trim();
    // Downloads in the background.
    const caches = join(scratch, 'caches');
    const installing = installNodes(join(scratch, 'nodes'), { registry: uplink, caches });
    installing.catch(() => undefined);
    const copy = await prepare(steps, root, scratch);
    packages.push(...(await pack(steps, copy, scratch)));
    await checkPacked(steps, packages);
    registry = await steps.need(
      'registry',
      () => startLocalRegistry(join(scratch, 'registry'), uplink),
      ({ url }) => url,
    );
    const { url } = registry;
    const source = { registry: url, caches };
    const home = join(scratch, 'publisher');
    await steps.need('publish', () => publishWorkspace(copy, { home, registry: url }), String);
    const nodes = await steps.need(
      'Node from npm',
      () => installing,
      (all) => all.map(({ version }) => version).join(', '),
    );
    await usePackages({ steps, scratch, packages, source, nodes });
  } catch (error) {
    // A failed step has reported its error; errors between steps are reported here.
    if (steps.outcomes.every(({ passed }) => passed)) await steps.check('rehearse', () => Promise.reject(error));
  } finally {
    await registry?.stop();
  }
  return { steps: steps.outcomes, packages };
}

async function prepare(steps: StepList, root: string, scratch: string): Promise<string> {
  const copy = join(scratch, 'workspace');
  await steps.need('copy and install', () => copyWorkspace(root, copy), String);
  await steps.need('version', () => versionWorkspace(copy), String);
  await steps.need('build', () => buildWorkspace(copy), String);
  return copy;
}

function pack(steps: StepList, copy: string, scratch: string): Promise<PublishedPackage[]> {
  return steps.need(
    'pack',
    () => packPackages(copy, join(scratch, 'packed')),
    (packed) => `${packed.length} packages, ${packed.map(({ version }) => version).sort()[0]} and later`,
  );
}

async function checkPacked(steps: StepList, packages: readonly PublishedPackage[]): Promise<void> {
  const limits = new URL('size-limits.json', import.meta.url);
  await steps.check('sizes', async () => {
    return checkSizes(packages, JSON.parse(await readFile(limits, 'utf8')) as Record<string, SizeLimit>);
  });
  await steps.check('publint', () => checkFiles(packages));
  await steps.check('are the types wrong', () => checkTypes(packages));
}

async function installNodes(into: string, source: PackageSource): Promise<NodeRuntime[]> {
  const nodes: NodeRuntime[] = [];
  for (const version of listOldestNodes()) nodes.push(await installNode(version, into, source));
  return [...nodes, ownNode];
}

/** The JSON report of a rehearsal. */
interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly steps: readonly StepOutcome[];
  readonly packages: readonly {
    readonly name: string;
    readonly version: string;
    readonly packedBytes: number;
    readonly unpackedBytes: number;
    readonly files: number;
  }[];
}

export function createReport({ steps, packages }: Rehearsal): Report {
  const passed = steps.filter((step) => step.passed).length;
  return {
    passed,
    failed: steps.length - passed,
    steps,
    packages: packages.map(({ name, version, packedBytes, unpackedBytes, files }) => {
      return { name, version, packedBytes, unpackedBytes, files: files.length };
    }),
  };
}

/** Returns a table of the packages: version, kB packed and unpacked, files. */
export function createSizeTable(packages: readonly PublishedPackage[]): string {
  const rows = packages.map(({ name, version, packedBytes, unpackedBytes, files }) => {
    return [name, version, `${toKb(packedBytes)}`, `${toKb(unpackedBytes)}`, `${files.length}`];
  });
  const lines = [['package', 'version', 'kB packed', 'kB unpacked', 'files'], ...rows];
  return `${alignColumns(lines, [2, 3, 4])}\n`;
}
