/** Returns the indexes of two equal items of a list; undefined when all differ. */
export type FindDuplicate = (list: readonly unknown[]) => readonly [first: number, second: number] | undefined;

/**
 * Secrets: with known hashes, a client could send many different items of one hash, each compared with all others. Each
 * kind of value has its own, so that no relation between the hashes of two kinds is known.
 */
const secret = () => crypto.getRandomValues(new Uint32Array(1))[0] as number;
const seeds = {
  text: secret(),
  constant: secret(),
  object: secret(),
  list: secret(),
  whole: secret(),
  double: secret(),
};
// Only a product with an odd number keeps all differences.
const [first, second] = [secret() | 1, secret() | 1];

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
    // The engine hashes texts with a secret of its own, but not the numbers that index arrays: they get a quote in front.
    const code = text.charCodeAt(0);
    const name = code === 34 || (code >= 48 && code <= 57) ? `"${text}` : text;
    let id = texts.get(name);
    if (id === undefined) {
      id = texts.size;
      texts.set(name, id);
    }
    return id;
  }

  function hashOf(value: unknown): number {
    if (typeof value === 'string') return mix(seeds.text, idOf(value));
    if (typeof value === 'number') return hashOfNumber(value);
    if (typeof value !== 'object' || value === null) return mix(seeds.constant, value === null ? 2 : Number(value));
    if (Array.isArray(value)) return searched.get(value) ?? hashOfList(value);
    let sum = 0;
    for (const key of Object.keys(value)) {
      // Objects may list the same members in different orders.
      sum = (sum + mix(hashOf((value as Record<string, unknown>)[key]), idOf(key))) | 0;
    }
    return mix(seeds.object, sum);
  }

  function hashOfList(list: readonly unknown[]): number {
    let hash = mix(seeds.list, list.length);
    for (let i = 0; i < list.length; i++) hash = mix(hash, hashOf(list[i]));
    return hash;
  }

  return (list) => {
    const places = new Map<number, number>();
    // The place before, of a place with the same hash.
    const before = new Map<number, number>();
    let hash = mix(seeds.list, list.length);
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
  if (whole === value) return mix(seeds.whole, whole);
  double[0] = value;
  return mix(mix(seeds.double, halves[0] as number), halves[1] as number);
}

function mix(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ value, first);
  mixed = Math.imul(mixed ^ (mixed >>> 15), second);
  return mixed ^ (mixed >>> 16);
}

/** Compares JSON values: no member of theirs has a meaning, as `constructor` or `valueOf` have in other comparisons. */
function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, i) => isEqual(item, other[i]));
  }
  const [members, others] = [one, other] as [Members, Members];
  const keys = Object.keys(members);
  if (keys.length !== Object.keys(others).length) return false;
  return keys.every((key) => Object.hasOwn(others, key) && isEqual(members[key], others[key]));
}

type Members = Readonly<Record<string, unknown>>;
