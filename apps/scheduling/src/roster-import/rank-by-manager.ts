/**
 * Returns how many managers stand above a person. Each person has one manager at most, so each way upward is walked
 * once; a circle, which only a concurrent change can have made, ends the walk.
 */
export function rankByManager(managers: ReadonlyMap<string, string | null>): (staffId: string) => number {
  const ranks = new Map<string, number>();
  return (staffId) => {
    const way: string[] = [];
    let at: string | null | undefined = staffId;
    while (at !== null && at !== undefined && !ranks.has(at)) {
      ranks.set(at, 0);
      way.push(at);
      at = managers.get(at);
    }
    let rank = at === null || at === undefined ? -1 : (ranks.get(at) as number);
    for (const one of way.toReversed()) ranks.set(one, ++rank);
    return ranks.get(staffId) as number;
  };
}
