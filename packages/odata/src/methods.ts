/** Canonical functions of OData Part 2, 5.1.1.5 to 5.1.1.12 → least and most arguments. */
export const methods: ReadonlyMap<string, readonly [min: number, max: number]> = new Map<string, [number, number]>([
  ...['concat', 'contains', 'endswith', 'indexof', 'startswith'].map(two),
  ...['hassubset', 'hassubsequence', 'geo.distance', 'geo.intersects'].map(two),
  ...['length', 'tolower', 'toupper', 'trim', 'round', 'floor', 'ceiling', 'geo.length'].map(one),
  ...['year', 'month', 'day', 'hour', 'minute', 'second', 'fractionalseconds', 'totalseconds'].map(one),
  ...['date', 'time', 'totaloffsetminutes'].map(one),
  ['substring', [2, 3]],
  ['matchespattern', [2, 3]],
  ['mindatetime', [0, 0]],
  ['maxdatetime', [0, 0]],
  ['now', [0, 0]],
]);

function one(name: string): [string, [number, number]] {
  return [name, [1, 1]];
}

function two(name: string): [string, [number, number]] {
  return [name, [2, 2]];
}

const special = new Set(['cast', 'isof', 'case']);

export function isMethod(word: string): boolean {
  if (methods.has(word) || special.has(word)) return true;
  const lower = word.toLowerCase();
  return lower !== word && (methods.has(lower) || special.has(lower));
}

export const methodNames: readonly string[] = [...methods.keys(), ...special];
