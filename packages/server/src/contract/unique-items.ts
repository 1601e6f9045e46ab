import { createRequire } from 'node:module';

/** Returns the indexes of two equal items of a list; undefined when all differ. */
export type FindDuplicate = (list: readonly unknown[]) => readonly [first: number, second: number] | undefined;

/** A secret: with a known hash, a client could send many different items of one hash, each compared with all others. */
const [seed = 0, ...factors] = crypto.getRandomValues(new Uint32Array(3));
const [first = 1, second = 1] = factors.map((factor) => factor | 1);

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

/**
 * Returns a search that takes time linear in the size of the items, also of hostile ones: items of the same hash are
 * compared. Hashes of searched lists are cached, so that nested lists are read once if the inner ones are searched first.
 * Equality is that of JSON Schema: it ignores the order of members and the notation of numbers.
 */
export function createDuplicateSearch(): FindDuplicate {
  const texts = new Map<string, number>();
  const searched = new Map<object, number>();

  function idOf(text: string): number {
    // The engine hashes texts with a secret of its own, but not the numbers that index arrays.
    const code = text.charCodeAt(0);
    const name = code >= 48 && code <= 57 ? `"${text}` : text;
    let id = texts.get(name);
    if (id === undefined) {
      id = texts.size;
      texts.set(name, id);
    }
    return id;
  }

  function hashOf(value: unknown): number {
    if (typeof value === 'string') return mix(seed, idOf(value));
    if (typeof value === 'number') return hashOfNumber(value);
    if (typeof value !== 'object' || value === null) return mix(seed + 1, value === null ? 2 : Number(value));
    if (Array.isArray(value)) return searched.get(value) ?? hashOfList(value);
    let sum = 0;
    for (const key of Object.keys(value)) {
      // Objects may list the same members in different orders.
      sum = (sum + mix(hashOf((value as Record<string, unknown>)[key]), idOf(key))) | 0;
    }
    return mix(seed + 2, sum);
  }

  function hashOfList(list: readonly unknown[]): number {
    let hash = mix(seed + 3, list.length);
    for (let i = 0; i < list.length; i++) hash = mix(hash, hashOf(list[i]));
    return hash;
  }

  return (list) => {
    const places = new Map<number, number>();
    // The place before, of a place with the same hash.
    const before = new Map<number, number>();
    let hash = mix(seed + 3, list.length);
    for (let i = 0; i < list.length; i++) {
      const one = hashOf(list[i]);
      hash = mix(hash, one);
      const last = places.get(one);
      for (let j = last; j !== undefined; j = before.get(j)) if (isEqual(list[j], list[i])) return [j, i];
      if (last !== undefined) before.set(i, last);
      places.set(one, i);
    }
    searched.set(list, hash);
    return undefined;
  };
}

function hashOfNumber(value: number): number {
  const whole = value | 0;
  if (whole === value) return mix(seed + 4, whole);
  double[0] = value;
  return mix(mix(seed + 5, halves[0] as number), halves[1] as number);
}

function mix(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ value, first);
  mixed = Math.imul(mixed ^ (mixed >>> 15), second);
  return mixed ^ (mixed >>> 16);
}

const require = createRequire(import.meta.url);
const requireBeside = createRequire(require.resolve('express-openapi-validator/package.json'));
/** The comparison of Ajv, whose keyword this replaces. */
const isEqual = (requireBeside('ajv/dist/runtime/equal') as { default: (a: unknown, b: unknown) => boolean }).default;
