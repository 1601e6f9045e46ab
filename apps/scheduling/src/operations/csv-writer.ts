import { entityOf, staffMemberType } from '../entity-model.ts';
import type { StaffQuery } from '../staff-query.ts';

export interface CsvWriter {
  readonly header: string;
  /** Returns the rows of people, whose JSON texts follow a comma each. */
  rowsOf(slice: string): string;
}

const { names, collections } = entityOf(staffMemberType);
const collectionNames: ReadonlySet<string> = new Set(collections.map(({ name }) => name));

/**
 * Returns the writer of a list as CSV (RFC 4180): the selected properties, else every single value and the collections
 * that are filled. A collection is the JSON text of its array.
 */
export function createCsvWriter({ select, fills }: StaffQuery): CsvWriter {
  const selected = select && new Set(select.map(({ property }) => property));
  const isColumn = (name: string) => selected?.has(name) ?? (fills.has(name) || !collectionNames.has(name));
  const columns = names.filter(isColumn);
  return {
    header: `${columns.join()}\r\n`,
    rowsOf(slice) {
      let rows = '';
      for (const person of JSON.parse(`[${slice.slice(1)}]`) as readonly Readonly<Record<string, unknown>>[]) {
        let isFirst = true;
        for (const name of columns) {
          rows += isFirst ? '' : ',';
          rows += toCell(person[name]);
          isFirst = false;
        }
        rows += '\r\n';
      }
      return rows;
    },
  };
}

/** Returns a cell. Null is empty, and an empty text is a pair of quotes. */
export function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return quote(JSON.stringify(value));
  if (typeof value !== 'string') return String(value);
  if (!needsCare.test(value)) return value;
  return quote(isFormula.test(value) ? `'${value}` : value);
}

/** What spreadsheets read as a formula, also in full width and after blanks (OWASP, "CSV Injection"). */
const isFormula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
/** Semicolons and tabs too: in some languages they separate the cells of a spreadsheet. */
const needsCare = /^(?:$|[\s=+\-@\uff1d\uff0b\uff0d\uff20])|[",;\t\r\n]|\s$/;

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
