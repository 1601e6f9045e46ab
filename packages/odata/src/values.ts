import type { Value } from './bound-ast.ts';
import { canonicalDate, canonicalDateTime, canonicalTime, durationSeconds } from './date-time.ts';
import type { PrimitiveType } from './model.ts';

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

// Text functions by Unicode code points, like SQLite and PostgreSQL. JavaScript's own functions count UTF-16 units.
const surrogate = /[\ud800-\udfff]/;

/** Compares by code point, like UTF-8 bytes, SQLite's BINARY and PostgreSQL's "C". */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates encode code points above all others.
    if (x >= 0xd800 && y >= 0xd800) return rank(x) - rank(y);
    return x - y;
  }
  return a.length - b.length;
}

const rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit + 0x2000);

export function textLength(text: string): number {
  if (!surrogate.test(text)) return text.length;
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Returns the zero-based position of `part`, or -1. */
export function indexOfText(text: string, part: string): number {
  const index = text.indexOf(part);
  return index <= 0 ? index : textLength(text.slice(0, index));
}

/** Returns up to `length` characters from `start`. A negative start or length is 0. */
export function substring(text: string, start: number, length = Number.POSITIVE_INFINITY): string {
  const from = Math.max(start, 0);
  const to = from + Math.max(length, 0);
  if (!surrogate.test(text)) return text.slice(from, to);
  return Array.from(text).slice(from, to).join('');
}

/** Unicode white space. SQL trims these characters by list. */
export const whiteSpace =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
