import type { Value } from './bound-ast.ts';
import { canonicalDate, canonicalDateTime, canonicalTime, durationSeconds } from './date-time.ts';
import type { PrimitiveType } from './model.ts';
import { compareText } from './text.ts';

/** Returns whether two values of one type are equal. Null equals null. */
export function equalValues(a: Value, b: Value): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals the number of the same value
  return a === b || (typeof a === 'bigint' || typeof b === 'bigint' ? a !== null && b !== null && a == b : false);
}

/** Compares two values of one type. Returns NaN (no order) if exactly one is null. */
export function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) return a === b ? 0 : Number.NaN;
  if (typeof a === 'string') return compareText(a, b as string);
  return a < b ? -1 : a > b ? 1 : equalValues(a, b) ? 0 : Number.NaN;
}

/** Compares two values for $orderby. Null sorts first. */
export function orderValues(a: Value, b: Value): number {
  if (a === null) return b === null ? 0 : -1;
  return b === null ? 1 : compareValues(a, b);
}

/** Returns the key of a value in a Set, where a bigint equals the number of the same value. */
export const setKey = (value: Value): Value =>
  typeof value === 'bigint' && value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
    ? Number(value)
    : value;

/** Returns a function that converts plain data to a canonical value. */
export function reader(type: PrimitiveType): (value: unknown) => Value {
  switch (type) {
    case 'Edm.DateTimeOffset':
      return (value) =>
        typeof value === 'string' && isPlainDateTime(value) ? value : readText(value, canonicalDateTime);
    case 'Edm.Date':
      return (value) => readText(value, canonicalDate);
    case 'Edm.TimeOfDay':
      return (value) => readText(value, canonicalTime);
    case 'Edm.Duration':
      return (value) => (typeof value === 'number' ? value : readText(value, durationSeconds));
    case 'Edm.Guid':
      return (value) => readText(value, (text) => text.toLowerCase());
    default:
      return (value) => (value === undefined || Number.isNaN(value) ? null : (value as Value));
  }
}

/** Returns whether text is `YYYY-MM-DDTHH:MM:SS`, which needs no conversion. */
const isPlainDateTime = (text: string): boolean => text.length === 19 && text.charCodeAt(10) === 84;

function readText<T extends Value>(value: unknown, canonical: (text: string) => T | undefined): T | null {
  if (value === null || value === undefined) return null;
  return canonical(value instanceof Date ? value.toISOString() : String(value)) ?? null;
}
