/** Returns the indexes of two equal items of a list; undefined when all differ. */
export type FindDuplicate = (list: readonly unknown[]) => readonly [first: number, second: number] | undefined;

/**
 * Returns a search that takes time linear in the size of the items: equal lists and objects get the same number. Searched
 * lists are cached, so that nested lists are read once if the inner ones are searched first. Equality is that of JSON
 * Schema: it ignores the order of members and the notation of numbers.
 */
export function createDuplicateSearch(): FindDuplicate {
  const numbers = new Map<string, number>();
  const names = new Map<string, number>();
  const searched = new Map<object, string>();

  const numbered = (map: Map<string, number>, text: string): number => {
    let number = map.get(text);
    if (number === undefined) {
      number = map.size;
      map.set(text, number);
    }
    return number;
  };

  /** Returns the text of a value; none is a prefix of another. */
  function partOf(value: unknown): string {
    if (typeof value === 'string') return `"${value.length}:${value}`;
    if (typeof value === 'object' && value !== null) return `#${numberOf(value)},`;
    return `${value as number | boolean | null},`;
  }

  function numberOf(value: object): number {
    let text = '';
    if (Array.isArray(value)) {
      text = searched.get(value) ?? textOfList(value);
    } else {
      const keys = Object.keys(value);
      // Objects may list the same members in different orders.
      if (keys.length > 1) keys.sort();
      for (const key of keys) text += `${numbered(names, key)}=${partOf((value as Record<string, unknown>)[key])}`;
    }
    return numbered(numbers, text);
  }

  function textOfList(list: readonly unknown[]): string {
    let text = '[';
    for (let i = 0; i < list.length; i++) text += partOf(list[i]);
    return text;
  }

  return (list) => {
    const scalars = new Set<unknown>();
    const containers = new Map<number, number>();
    let text = '[';
    for (let i = 0; i < list.length; i++) {
      const item = list[i];
      if (typeof item !== 'object' || item === null) {
        if (scalars.has(item)) return [list.indexOf(item), i];
        scalars.add(item);
        text += partOf(item);
        continue;
      }
      const number = numberOf(item);
      const first = containers.get(number);
      if (first !== undefined) return [first, i];
      containers.set(number, i);
      text += `#${number},`;
    }
    // A list of scalars is cheap to read again.
    if (containers.size > 0) searched.set(list, text);
    return undefined;
  };
}
