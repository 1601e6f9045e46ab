import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';
import type { CompanyFile } from './company-file.ts';
import { readCompanyRows, readPeopleRows, readStaffRows } from './company-rows.ts';
import { createDirectory, type Directory, type Target } from './directory.ts';
import { writeValue } from './file-value.ts';

/** A row as a file has it, by the names of the columns. */
export type ExportedRow = Readonly<Record<string, unknown>>;

type Row = Readonly<Record<string, unknown>>;

/** Yields the rows of a file in parts, in an order that follows from the rows. */
export async function* exportRows(
  trx: Kysely<Tables>,
  companyKey: string,
  file: CompanyFile,
  directory: Directory = createDirectory(trx, companyKey),
): AsyncGenerator<readonly ExportedRow[]> {
  const targets = new Map<string, Target>();
  for (const { to } of file.references) targets.set(to, await directory.load(to));
  for await (const part of readParts(trx, companyKey, file)) yield part.map((row) => toValues(file, row, targets));
}

async function* readParts(trx: Kysely<Tables>, companyKey: string, file: CompanyFile): AsyncGenerator<Row[]> {
  if (file.owner === 'company') yield await readCompanyRows(trx, companyKey, file);
  else {
    for await (const people of readStaffRows(trx, companyKey)) yield await readPeopleRows(trx, people, file);
  }
}

/** Returns a row with names in place of row numbers. */
function toValues({ references, columns }: CompanyFile, row: Row, targets: ReadonlyMap<string, Target>): ExportedRow {
  const values: Record<string, unknown> = {};
  for (const { to, names, stored } of references) {
    const numbers = stored.map((column) => row[column]);
    const found = numbers.at(-1) === null ? [] : (targets.get(to)?.nameOf(numbers) ?? []);
    for (const [i, name] of names.entries()) values[name] = found[i] ?? null;
  }
  for (const { name, stored = name, kind } of columns) values[name] = writeValue(row[stored], kind);
  return values;
}

/** Returns a line of CSV. Null is a cell without text, and empty text a cell with quotes, so that both can be imported again. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '' || /[",\r\n;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
