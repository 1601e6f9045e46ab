import { inc, major } from 'semver';
import type { Change } from '../../../../apps/gateway/src/diff/change.ts';
import type { ChangeKind } from '../../../../apps/gateway/src/diff/rules.ts';

/** How much a version rises, least first. */
export const bumps = ['none', 'patch', 'minor', 'major'] as const;
export type Bump = (typeof bumps)[number];

/** What semver asks for each kind of change: what breaks callers is major, what they may use or meet anew is minor. */
const bumpOfKind: Readonly<Record<ChangeKind, Bump>> = {
  breaking: 'major',
  policy: 'minor',
  relaxation: 'minor',
  addition: 'minor',
  note: 'patch',
};

/** The bump that a set of changes asks for. */
export function rateChanges(changes: readonly Pick<Change, 'kind'>[]): Bump {
  return largestBump(changes.map(({ kind }) => bumpOfKind[kind]));
}

export function largestBump(given: readonly Bump[]): Bump {
  return bumps[Math.max(0, ...given.map((bump) => bumps.indexOf(bump)))] as Bump;
}

/** What a rating comes to above a version: before 1.0 what breaks is a minor bump (semver, clause 4). */
export function bumpAbove(version: string, rating: Bump): Bump {
  return rating === 'major' && major(version) === 0 ? 'minor' : rating;
}

/** The lowest version that a rating allows above a released one. */
export function versionAbove(version: string, rating: Bump): string {
  const bump = bumpAbove(version, rating);
  return bump === 'none' ? version : (inc(version, bump) as string);
}
