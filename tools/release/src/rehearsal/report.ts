import { alignColumns } from '../../../benchmark/src/align-columns.ts';
import { toKb } from './check-sizes.ts';
import type { PublishedPackage } from './published-package.ts';
import type { Rehearsal } from './rehearse.ts';
import type { StepOutcome } from './step-list.ts';

/** The JSON report of a rehearsal. */
export interface Report {
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
