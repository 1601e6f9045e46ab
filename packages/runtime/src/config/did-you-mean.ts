import { closest, distance } from 'fastest-levenshtein';

/** The known name somebody probably meant; undefined when none is near enough to be worth a guess. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0 || name.length > 100) return undefined;
  const normal = name.toLowerCase();
  const lower = known.map((each) => each.toLowerCase());
  const nearest = closest(normal, lower);
  // A third of the letters may differ, or two that changed places: enough for slips, too little for other words.
  const isNear = distance(normal, nearest) <= Math.max(2, Math.floor(nearest.length / 3));
  return isNear ? known[lower.indexOf(nearest)] : undefined;
}

/** ` Did you mean x?`, to put after a message; empty when there is nothing to suggest. */
export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** Whether a name can only be a slip of the pen for another: one letter off, or the same letters in another order. */
export function isSlipOf(name: string, known: string): boolean {
  const letters = (text: string) => [...text].sort().join('');
  return name !== known && name.length > 3 && (distance(name, known) === 1 || letters(name) === letters(known));
}
