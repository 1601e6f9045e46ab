/** A small seeded generator (sfc32): the same seed gives the same data on every machine and every run. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T;
  /** `count` different entries of the list, in the list's order. */
  sample<T>(list: readonly T[], count: number): T[];
  /** Digits; the first is never 0. */
  digits(length: number): string;
  /** A version-4 GUID in lower case. */
  guid(): string;
}

export function createRandom(seed: string): Random {
  const next = sfc32(seed);
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const hex = (length: number) => {
    let text = '';
    while (text.length < length) text += Math.floor(next() * 16).toString(16);
    return text;
  };
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('The list to pick from is empty.');
      return list[integer(0, list.length - 1)] as T;
    },
    sample<T>(list: readonly T[], count: number): T[] {
      const chosen: T[] = [];
      let left = Math.min(count, list.length);
      for (let i = 0; i < list.length && left > 0; i++) {
        if (next() * (list.length - i) < left) {
          chosen.push(list[i] as T);
          left--;
        }
      }
      return chosen;
    },
    digits: (length) => `${integer(1, 9)}${Array.from({ length: length - 1 }, () => integer(0, 9)).join('')}`,
    guid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[integer(0, 3)]}${hex(3)}-${hex(12)}`,
  };
}

/** Chris Doty-Humphrey's Small Fast Counter, 32 bits wide, seeded by an FNV-1a hash of the text. */
function sfc32(seed: string): () => number {
  let hash = 0x811c9dc5;
  for (const char of seed) hash = Math.imul(hash ^ (char.codePointAt(0) as number), 0x01000193);
  let a = hash;
  let b = hash ^ 0x9e3779b9;
  let c = hash ^ 0x243f6a88;
  let counter = 1;
  const next = () => {
    const t = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    c |= 0;
    return (t >>> 0) / 4294967296;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}

/** Returns the default key of the n-th demo company. */
export const demoCompanyKey = (n: number): string => createRandom(`company key ${n}`).guid();
