/**
 * Returns whole numbers that a Set or Map of V8 keeps in one place, each behind all others: the lower 16 bits of their
 * hash, which V8 computes without a secret, are 0. A program that puts them into one takes quadratic time.
 */
export function numbersOfOneHash(count: number): number[] {
  const found: number[] = [];
  // Inverts the hash for each result; V8 stores the lower half of the numbers as whole ones.
  for (let upper = 0; found.length < count && upper < 2 ** 16; upper++) {
    const number = numberOf((upper << 16) >>> 0);
    if (number < 2 ** 31) found.push(number);
  }
  return found;
}

/** Inverts the steps of `ComputeUnseededHash`, the last one first. */
function numberOf(hash: number): number {
  let x = hash ^ (hash >>> 16);
  x = Math.imul(x, inverseOf(2057));
  x ^= x >>> 4;
  x ^= x >>> 8;
  x ^= x >>> 16;
  x = Math.imul(x, inverseOf(5));
  x ^= (x >>> 12) ^ (x >>> 24);
  return Math.imul(x + 1, inverseOf(2 ** 15 - 1)) >>> 0;
}

/** Returns the inverse of an odd factor modulo 2 ** 32. */
function inverseOf(factor: number): number {
  let inverse = factor;
  // Each step doubles the number of right bits.
  for (let bits = 3; bits < 32; bits *= 2) inverse = Math.imul(inverse, 2 - Math.imul(factor, inverse));
  return inverse;
}
