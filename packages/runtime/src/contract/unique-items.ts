/** Finds two equal items of a list; the places of both, or undefined. */
export type FindDuplicate = (list: readonly unknown[]) => readonly [first: number, second: number] | undefined;

/**
 * Creates a search in time linear in the size of the items, whatever their types: equal values have the same number,
 * and the numbers of lists and objects are remembered, so that lists within lists are read once. Equal is meant as in
 * JSON Schema: neither the order of members nor the spelling of numbers counts.
 */
export function createDuplicateSearch(): FindDuplicate {
  const numbers = new Map<string, number>();
  const known = new WeakMap<object, number>();

  function keyOf(value: unknown): unknown {
    return typeof value === 'object' && value !== null ? numberOf(value) : value;
  }

  /** The text of a value that is part of another; the kinds cannot be mistaken for each other. */
  function partOf(value: unknown): string {
    return typeof value === 'object' && value !== null ? `#${numberOf(value)}` : (JSON.stringify(value) ?? 'undefined');
  }

  function numberOf(value: object): number {
    const found = known.get(value);
    if (found !== undefined) return found;
    const text = Array.isArray(value)
      ? `[${value.map(partOf).join()}]`
      : `{${Object.keys(value)
          .sort()
          .map((name) => `${JSON.stringify(name)}:${partOf((value as Record<string, unknown>)[name])}`)
          .join()}}`;
    let number = numbers.get(text);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(text, number);
    }
    known.set(value, number);
    return number;
  }

  return (list) => {
    const scalars = new Map<unknown, number>();
    const containers = new Map<unknown, number>();
    for (let i = 0; i < list.length; i++) {
      const item = list[i];
      const seen = typeof item === 'object' && item !== null ? containers : scalars;
      const key = keyOf(item);
      const first = seen.get(key);
      if (first !== undefined) return [first, i];
      seen.set(key, i);
    }
    return undefined;
  };
}
