import { type RawKeyEntry, successorName } from '../keys/index.ts';
import type { KeyEdit } from './key-store.ts';

/** How many numbers a rotation looks ahead for a name that is free. */
const successorsMax = 100;

/** Returns the names that an edit reads: of its key, and those that its successor may have. */
export function namesOf({ action, name }: KeyEdit): readonly string[] {
  if (action !== 'rotate') return [name];
  return [name, ...Array.from({ length: successorsMax }, (_, i) => successorName(name, i + 1))];
}

/** The most names that are read to suggest one, when there is none of that name. */
export const hintsMax = 1_000;

/** Returns each entry once. */
export function uniqueEntries(entries: readonly RawKeyEntry[]): RawKeyEntry[] {
  return [...new Map(entries.map((entry) => [entry.name, entry])).values()];
}
