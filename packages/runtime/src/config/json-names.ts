import { visit } from 'jsonc-parser';

export interface RepeatedName {
  readonly path: readonly (string | number)[];
  readonly offset: number;
}

/** How many names the objects of a value have; undefined when it is nested too deeply. */
export function countKeys(value: unknown, depth: number, depthMax: number): number | undefined {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= depthMax) return undefined;
  const children = Object.values(value);
  let count = Array.isArray(value) ? 0 : children.length;
  for (const child of children) {
    const inside = countKeys(child, depth + 1, depthMax);
    if (inside === undefined) return undefined;
    count += inside;
  }
  return count;
}

/** Every name that its object has already; positions from the beginning of the text. */
export function findRepeatedNames(text: string): RepeatedName[] {
  const found: RepeatedName[] = [];
  const names: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void names.push(new Set()),
    onObjectEnd: () => void names.pop(),
    onObjectProperty: (name, offset, _length, _line, _character, pathTo) => {
      const seen = names.at(-1);
      if (seen?.has(name)) found.push({ path: [...pathTo(), name], offset });
      seen?.add(name);
    },
  });
  return found;
}
