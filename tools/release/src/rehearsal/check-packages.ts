import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { problemAffectsResolutionKind, problemKindInfo } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import type { PublishedPackage } from './published-package.ts';
import { RehearsalFault } from './step-list.ts';

/** Throws the findings of publint, suggestions included, and missing or unwanted files. */
export const checkFiles = (packages: readonly PublishedPackage[]): Promise<string> =>
  checkEach(packages, findFileFaults);

async function findFileFaults({ name, file, files, manifest }: PublishedPackage): Promise<string[]> {
  const content = Uint8Array.from(await readFile(file));
  const { messages, pkg = {} } = await publint({ pack: { tarball: content.buffer }, strict: true });
  const found = messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
  const missing = ['README.md', 'LICENSE'].filter((needed) => !files.includes(needed)).map((path) => `has no ${path}.`);
  const unwanted = files.filter((path) => /(\.test|\.contract|\.test-d)\.|\.tsbuildinfo$|(^|\/)tests?\//.test(path));
  const links = /"(workspace:|catalog:|link:|file:)/.test(JSON.stringify(manifest))
    ? ['depends on packages of this checkout.']
    : [];
  return [
    ...found,
    ...missing,
    ...unwanted.map((path) => `contains ${path}, which must not be published.`),
    ...links,
  ].map((fault) => `${name}: ${fault}`);
}

/** Throws the findings of "are the types wrong", except those for `require`: the packages are ES modules only. */
export const checkTypes = (packages: readonly PublishedPackage[]): Promise<string> =>
  checkEach(packages, findTypeFaults);

async function findTypeFaults({ name, file, manifest }: PublishedPackage): Promise<string[]> {
  // Only a command: nothing can be imported.
  if (manifest.exports === undefined) return [];
  const analysis = await checkPackage(createPackageFromTarballData(Uint8Array.from(await readFile(file))));
  if (!analysis.types) return [`${name}: has no types.`];
  const problems = analysis.problems.filter((problem) => {
    return (['node16-esm', 'bundler'] as const).some((kind) => problemAffectsResolutionKind(problem, kind, analysis));
  });
  return problems.map(({ kind, ...place }) => `${name}: ${problemKindInfo[kind].title} ${JSON.stringify(place)}`);
}

async function checkEach(
  packages: readonly PublishedPackage[],
  findFaults: (published: PublishedPackage) => Promise<string[]>,
): Promise<string> {
  const faults = (await Promise.all(packages.map(findFaults))).flat();
  if (faults.length > 0) throw new RehearsalFault(faults.join('\n'));
  return `nothing found in ${packages.length} packages`;
}

/** The maximum size of a package, in kB of 1,000 bytes, and its maximum number of files. */
export interface SizeLimit {
  readonly packedKb: number;
  readonly unpackedKb: number;
  readonly files: number;
}

type MeasuredPackage = Pick<PublishedPackage, 'name' | 'packedBytes' | 'unpackedBytes' | 'files'>;

/** Throws the packages above their limits, or without limits. */
export function checkSizes(packages: readonly MeasuredPackage[], limits: Readonly<Record<string, SizeLimit>>): string {
  const faults = packages.flatMap((each) => findSizeFaults(each, limits[each.name]));
  const left = Object.keys(limits).filter((name) => !packages.some((each) => each.name === name));
  faults.push(...left.map((name) => `${name} has a limit, but is not published.`));
  if (faults.length > 0) {
    throw new RehearsalFault(`${faults.join('\n')}\nRemove unneeded files, or raise the limit in size-limits.json.`);
  }
  const packedKb = packages.reduce((sum, { packedBytes }) => sum + toKb(packedBytes), 0);
  return `${packedKb} kB in ${packages.length} packages, each within its limit`;
}

function findSizeFaults(
  { name, packedBytes, unpackedBytes, files }: MeasuredPackage,
  limit: SizeLimit | undefined,
): string[] {
  if (limit === undefined) return [`${name} has no limit.`];
  const figures = [
    ['kB packed', toKb(packedBytes), limit.packedKb],
    ['kB unpacked', toKb(unpackedBytes), limit.unpackedKb],
    ['files', files.length, limit.files],
  ] as const;
  return figures.flatMap(([unit, size, max]) =>
    size > max ? [`${name} has ${size} ${unit}; its limit is ${max}.`] : [],
  );
}

export function toKb(bytes: number): number {
  return Math.ceil(bytes / 1_000);
}
