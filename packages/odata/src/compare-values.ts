import type { Value } from './bound-ast.ts';
import { compareText } from './text.ts';

/** Equality of non-null values of one type, and of null with null. */
export function equalValues(a: Value, b: Value): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals the number of the same value
  return a === b || (typeof a === 'bigint' || typeof b === 'bigint' ? a !== null && b !== null && a == b : false);
}

/** Order of two values of one type; NaN (no order) where just one is null. */
export function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) return a === b ? 0 : Number.NaN;
  if (typeof a === 'string') return compareText(a, b as string);
  return a < b ? -1 : a > b ? 1 : equalValues(a, b) ? 0 : Number.NaN;
}

/** For $orderby: null first, then the order of values. */
export function orderValues(a: Value, b: Value): number {
  if (a === null) return b === null ? 0 : -1;
  return b === null ? 1 : compareValues(a, b);
}

/** A bigint and a number of equal value must meet in a Set. */
export const setKey = (value: Value): Value =>
  typeof value === 'bigint' && value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
    ? Number(value)
    : value;
