import { closest, distance } from 'fastest-levenshtein';

/** ` Did you mean "x"?`, or nothing when no candidate is near. */
export function didYouMean(given: string, candidates: readonly string[]): string {
  if (candidates.length === 0) return '';
  const folded = given.toLowerCase();
  const nearest = closest(
    folded,
    candidates.map((candidate) => candidate.toLowerCase()),
  );
  const found = candidates.find((candidate) => candidate.toLowerCase() === nearest) as string;
  return distance(folded, nearest) <= Math.max(2, Math.floor(found.length / 3)) ? ` Did you mean "${found}"?` : '';
}
