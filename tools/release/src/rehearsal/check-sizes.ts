import type { PublishedPackage } from './published-package.ts';
import { RehearsalFault } from './step-list.ts';

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
