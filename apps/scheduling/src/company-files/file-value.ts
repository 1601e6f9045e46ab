import { canonicalDateTime } from '@rostergate/odata';
import type { ScalarKind } from '../entity-model.ts';
import type { RowFault } from '../roster-import/csv-records.ts';
import { colour } from '../store/staff-changes.ts';
import type { FileColumn } from './company-file.ts';

export type FileFault = RowFault;

/** A value as it is stored, or what is wrong with it. */
export type ReadValue = { readonly stored: unknown } | { readonly detail: string };

const flags: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', '1'].map((text) => [text, true] as const),
  ...['false', 'no', 'n', '0'].map((text) => [text, false] as const),
]);
const decimal = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const instant = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,7})?)?$/;
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,7})?(Z|[-+]\d\d:\d\d)$/;
const wholeMax = 2 ** 31 - 1;

/** Returns the value of a CSV cell as JSON has it. Text that is no such value stays text, which the check rejects. */
export function readCell(cell: string | null, kind: ScalarKind, delimiter: string): unknown {
  if (cell === null || kind === 'text') return cell;
  const text = cell.trim();
  switch (kind) {
    case 'whole':
    case 'decimal': {
      // Without commas as delimiter, a comma may be the decimal sign.
      const plain = delimiter === ',' ? text : text.replace(/^([-+]?\d+),(\d+)$/, '$1.$2');
      return decimal.test(plain) ? Number(plain) : text;
    }
    case 'flag':
      return flags.get(text.toLowerCase()) ?? text;
    case 'document':
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return text;
      }
    default:
      return text;
  }
}

/** Checks a value of a column; `flag` converts booleans for the database. */
export function readValue(value: unknown, column: FileColumn, flag: (value: boolean) => unknown): ReadValue {
  const { kind, isNullable, lengthMax = Number.POSITIVE_INFINITY, isFilled = false, isColour = false } = column;
  if (value === null) {
    return isNullable ? { stored: null } : { detail: 'The cell is empty. Fill it, or remove the column.' };
  }
  const wrong = (must: string): ReadValue => ({ detail: `It must be ${must}.${givenOf(column, value)}` });
  switch (kind) {
    case 'text':
      if (typeof value !== 'string') return wrong('text');
      if (isFilled && value === '') return wrong('text that is not empty, or no value');
      // Counted like the contract counts: by code points.
      if (value.length > lengthMax && [...value].length > lengthMax) {
        return { detail: `It must have at most ${lengthMax} characters. Shorten it.` };
      }
      if (!isStorable(value)) return { detail: 'It contains a character that cannot be stored. Remove it.' };
      return isColour && !colour.test(value) ? wrong('a colour in hexadecimal, such as #1F6FEB') : { stored: value };
    case 'flag':
      return typeof value === 'boolean' ? { stored: flag(value) } : wrong('true or false');
    case 'whole':
      return Number.isInteger(value) && Math.abs(value as number) <= wholeMax
        ? { stored: value }
        : wrong('a whole number');
    case 'decimal':
      return typeof value === 'number' && Number.isFinite(value) ? { stored: value } : wrong('a number, such as 0.8');
    case 'document':
      return Array.isArray(value) && value.every(isObject)
        ? { stored: JSON.stringify(value) }
        : wrong('a JSON array of objects, such as [{"Name":"BLS"}]');
    default: {
      const form = kind === 'utc' ? utc : instant;
      const stored = typeof value === 'string' && form.test(value) ? canonicalDateTime(value) : undefined;
      if (stored !== undefined) return { stored };
      return wrong(
        kind === 'utc' ? 'a time with its offset, such as 2026-01-31T08:00:00Z' : 'a date, such as 2026-01-31',
      );
    }
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a stored value as JSON has it. */
export function writeValue(stored: unknown, kind: ScalarKind): unknown {
  if (stored === null) return null;
  if (kind === 'flag') return Boolean(stored);
  if (kind === 'document') return JSON.parse(String(stored)) as unknown;
  return kind === 'utc' ? `${String(stored)}Z` : stored;
}

/** U+0000 and halves of surrogate pairs cannot be stored in every database. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The PIN is never shown. */
function givenOf({ name }: FileColumn, value: unknown): string {
  if (name === 'TimeClockKioskPIN') return '';
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return ` Given: ${JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)}.`;
}
