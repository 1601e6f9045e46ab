/** Returns the candidate that is most similar to an unknown name, or undefined when none is similar enough. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase().slice(0, 64);
  const distanceMax = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = distanceMax + 0.75;
  for (const candidate of candidates) {
    const lower = candidate.toLowerCase();
    // Typing errors rarely affect the first letter, so it decides between equal distances.
    const distance = editDistance(wanted, lower, bestDistance) + (lower[0] === wanted[0] ? 0 : 0.5);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Returns the number of edits between two texts, where swapping neighbours is one edit, or at most `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? beforePrevious[j - 2]! + 1 : limit;
      row.push(Math.min(substitution, previous[j]! + 1, row[j - 1]! + 1, swap));
    }
    beforePrevious = previous;
    previous = row;
  }
  return Math.min(previous[b.length]!, limit);
}
