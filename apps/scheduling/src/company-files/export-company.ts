import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { columnNames, companyFiles } from './company-file.ts';
import { createDirectory } from './directory.ts';
import { csvLine, exportRows } from './export-rows.ts';

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
    const path = join(folder, `${file.name}.${format}`);
    let rows = 0;
    const names = columnNames(file);
    async function* lines(): AsyncGenerator<string> {
      yield format === 'csv' ? csvLine(names) : '[';
      for await (const part of exportRows(trx, companyKey, file, directory)) {
        let text = '';
        for (const values of part) {
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
