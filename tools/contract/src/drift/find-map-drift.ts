/** Returns the differences between two maps. Empty when they agree. */
export function findMapDrift(
  [oneSide, one]: readonly [side: string, facts: ReadonlyMap<string, string>],
  [otherSide, other]: readonly [side: string, facts: ReadonlyMap<string, string>],
): string[] {
  const names = [...new Set([...one.keys(), ...other.keys()])];
  return names.flatMap((name) => {
    const [left, right] = [one.get(name), other.get(name)];
    if (left === right) return [];
    if (left === undefined) return [`${name} is in ${otherSide} alone`];
    if (right === undefined) return [`${name} is in ${oneSide} alone`];
    return [`${name} is ${left} in ${oneSide} and ${right} in ${otherSide}`];
  });
}
