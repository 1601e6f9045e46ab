/** More characters than any number needs: the largest has 309 digits. */
export const numberTextMax = 400;

/** Parses a number by the grammar of JSON (RFC 8259 §6); undefined for other texts and for longer or larger ones. */
export function parseJsonNumber(text: string): number | undefined {
  if (text.length > numberTextMax || !jsonNumber.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the exact value of a decimal number; undefined for a non-integer and one longer than `numberTextMax`. */
export function parseExactInteger(text: string): bigint | undefined {
  if (text.length > numberTextMax) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts.exec(text) ?? [];
  const all = whole + fraction;
  let end = all.length;
  while (end > 0 && all[end - 1] === '0') end--;
  if (end === 0) return 0n;
  const zeros = Number(exponent) + whole.length - end;
  if (zeros < 0 || zeros > numberTextMax) return undefined;
  return BigInt(`${sign}${all.slice(0, end)}${'0'.repeat(zeros)}`);
}

const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
