import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { type CompanyFile, columnNames, companyFiles } from './company-file.ts';
import { readCompanyRows, readPeopleRows, readStaffRows } from './company-rows.ts';
import { createDirectory, type Target } from './directory.ts';
import { writeValue } from './file-value.ts';

export interface ExportCompanyOptions {
  readonly companyKey: string;
  readonly folder: string;
  readonly format: 'csv' | 'json';
  readonly onProgress: (done: number, all: number) => void;
}

export interface ExportedFile {
  readonly path: string;
  readonly rows: number;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Writes every file of a company into a folder, from one snapshot of the database. The files contain personal data, so
 * only their owner may read them; existing files are not replaced.
 */
export async function exportCompany(
  trx: Kysely<Tables>,
  { companyKey, folder, format, onProgress }: ExportCompanyOptions,
): Promise<ExportedFile[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const directory = createDirectory(trx, companyKey);
  const exported: ExportedFile[] = [];
  for (const file of companyFiles) {
    const targets = new Map<string, Target>();
    for (const { to } of file.references) targets.set(to, await directory.load(to));
    const path = join(folder, `${file.name}.${format}`);
    let rows = 0;
    const names = columnNames(file);
    async function* lines(): AsyncGenerator<string> {
      yield format === 'csv' ? csvLine(names) : '[';
      for await (const part of readParts(trx, companyKey, file)) {
        let text = '';
        for (const row of part) {
          const values = toValues(file, row, targets);
          if (format === 'csv') text += csvLine(names.map((name) => values[name]));
          else text += `${rows === 0 ? '' : ','}\n${JSON.stringify(values)}`;
          rows++;
        }
        yield text;
      }
      if (format === 'json') yield '\n]\n';
    }
    await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600, flags: 'wx' }));
    exported.push({ path, rows });
    onProgress(exported.length, companyFiles.length);
  }
  return exported;
}

async function* readParts(trx: Kysely<Tables>, companyKey: string, file: CompanyFile): AsyncGenerator<Values[]> {
  if (file.owner === 'company') yield await readCompanyRows(trx, companyKey, file);
  else {
    for await (const people of readStaffRows(trx, companyKey)) yield await readPeopleRows(trx, people, file);
  }
}

/** Returns a row with names in place of row numbers. */
function toValues({ references, columns }: CompanyFile, row: Values, targets: ReadonlyMap<string, Target>): Values {
  const values: Record<string, unknown> = {};
  for (const { to, names, stored } of references) {
    const numbers = stored.map((column) => row[column]);
    const found = numbers.at(-1) === null ? [] : (targets.get(to)?.nameOf(numbers) ?? []);
    for (const [i, name] of names.entries()) values[name] = found[i] ?? null;
  }
  for (const { name, stored = name, kind } of columns) values[name] = writeValue(row[stored], kind);
  return values;
}

/** Null is a cell without text, and empty text a cell with quotes, so that both can be imported again. */
function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '' || /[",\r\n;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
