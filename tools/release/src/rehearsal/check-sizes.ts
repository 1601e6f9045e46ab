import type { PublishedPackage } from './published-package.ts';
import { RehearsalFault } from './step-list.ts';

/** Most that a package may weigh, in kB of 1,000 bytes, and most files that it may have. */
export interface SizeLimit {
  readonly packedKb: number;
  readonly unpackedKb: number;
  readonly files: number;
}

type Weighed = Pick<PublishedPackage, 'name' | 'packedBytes' | 'unpackedBytes' | 'files'>;

/** Throws which packages are larger than they may be, or have no limit. */
export function checkSizes(packages: readonly Weighed[], limits: Readonly<Record<string, SizeLimit>>): string {
  const faults = packages.flatMap((each) => findSizeFaults(each, limits[each.name]));
  const left = Object.keys(limits).filter((name) => !packages.some((each) => each.name === name));
  faults.push(...left.map((name) => `${name} has a limit and is not published.`));
  if (faults.length > 0) {
    throw new RehearsalFault(`${faults.join('\n')}\nTake out what need not be there, or raise it in size-limits.json.`);
  }
  const packedKb = packages.reduce((sum, { packedBytes }) => sum + toKb(packedBytes), 0);
  return `${packedKb} kB in ${packages.length} packages, each within its limit`;
}

function findSizeFaults({ name, packedBytes, unpackedBytes, files }: Weighed, limit: SizeLimit | undefined): string[] {
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
