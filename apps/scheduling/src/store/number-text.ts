/** Registered on each connection to SQLite. */
export const numberTextFunction = 'rostergate_number_text';

/**
 * The JSON text of a double, in the form in which PostgreSQL writes doubles: the fewest digits that give the same number
 * back, with an exponent below 1e-4 and from 1e15 on. JSON has no infinity: null.
 */
export function numberText(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return 'null';
  const [digits = '', exponentText] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 15) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
