/** The number that a text means by the grammar of JSON (RFC 8259 §6); undefined for other text and beyond its range. */
export function parseJsonNumber(text: string): number | undefined {
  if (!jsonNumber.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The exact value of a finite number in decimal digits; undefined when it is no integer, however close to one. */
export function parseExactInteger(text: string): bigint | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts.exec(text) ?? [];
  const digits = (whole + fraction).replace(/0+$/, '');
  if (digits === '') return 0n;
  const zeros = Number(exponent) + whole.length - digits.length;
  if (zeros < 0) return undefined;
  return BigInt(`${sign}${digits}${'0'.repeat(zeros)}`);
}

const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
