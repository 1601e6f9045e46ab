import { inc, major } from 'semver';
import type { Change } from '../../../../apps/gateway/src/diff/change.ts';
import type { ChangeKind } from '../../../../apps/gateway/src/diff/rules.ts';

/** Version bumps, smallest first. */
export const bumps = ['none', 'patch', 'minor', 'major'] as const;
export type Bump = (typeof bumps)[number];

/** The bump of each kind of change: breaking changes are major, changes that callers may use or notice are minor. */
const bumpOfKind: Readonly<Record<ChangeKind, Bump>> = {
  breaking: 'major',
  policy: 'minor',
  relaxation: 'minor',
  addition: 'minor',
  note: 'patch',
};

/** Returns the bump that a set of changes requires. */
export function rateChanges(changes: readonly Pick<Change, 'kind'>[]): Bump {
  return largestBump(changes.map(({ kind }) => bumpOfKind[kind]));
}

export function largestBump(given: readonly Bump[]): Bump {
  return bumps[Math.max(0, ...given.map((bump) => bumps.indexOf(bump)))] as Bump;
}

/** Returns the bump above a version: before 1.0 a breaking change is a minor bump (semver, clause 4). */
export function bumpAbove(version: string, rating: Bump): Bump {
  return rating === 'major' && major(version) === 0 ? 'minor' : rating;
}

/** Returns the lowest version that a rating allows above a released one. */
export function versionAbove(version: string, rating: Bump): string {
  const bump = bumpAbove(version, rating);
  return bump === 'none' ? version : (inc(version, bump) as string);
}
