import type { Value } from './bound-ast.ts';
import { canonicalDate, canonicalDateTime, canonicalTime, durationSeconds } from './date-time.ts';
import type { PrimitiveType } from './model.ts';

/** Reads a value of plain data into its canonical form. */
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

/** `YYYY-MM-DDTHH:MM:SS`, as most stored values are: nothing to convert. */
const isPlainDateTime = (text: string): boolean => text.length === 19 && text.charCodeAt(10) === 84;

function readText<T extends Value>(value: unknown, canonical: (text: string) => T | undefined): T | null {
  if (value === null || value === undefined) return null;
  return canonical(value instanceof Date ? value.toISOString() : String(value)) ?? null;
}
