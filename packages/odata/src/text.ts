// Text functions by Unicode code points, like SQLite and PostgreSQL. JavaScript's own functions count UTF-16 units.
const surrogate = /[\ud800-\udfff]/;

/** Compares by code point, like UTF-8 bytes, SQLite's BINARY and PostgreSQL's "C". */
export function compareText(a: string, b: string): number {
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
