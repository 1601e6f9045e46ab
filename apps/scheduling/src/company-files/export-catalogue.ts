import { createHash } from 'node:crypto';
import { Problem } from '@rostergate/server/problem';
import type { Kysely } from 'kysely';
import type { WriteScope } from '../store/scope.ts';
import type { Tables } from '../store/tables.ts';
import type { WriteDeps } from '../store/unit-of-work.ts';
import { type CompanyFile, columnNames } from './company-file.ts';
import { csvLine, exportRows } from './export-rows.ts';

export interface ExportCatalogueOptions {
  readonly companyKey: string;
  readonly file: CompanyFile;
  readonly format: 'csv' | 'json';
  /** A larger export is rejected, because it could not be imported again. */
  readonly bytesMax: number;
}

export interface ExportedCatalogue {
  readonly text: string;
  /** Identifies the text, as the opaque part of an entity tag. */
  readonly tag: string;
}

/**
 * Returns the text of a catalogue as it is between two writes of the company.
 * @throws Problem 400 `export_too_large`
 */
export function exportCatalogue(
  { transact, pause }: Pick<WriteDeps, 'transact' | 'pause'>,
  { companyKey, file, format, bytesMax }: ExportCatalogueOptions,
): Promise<ExportedCatalogue> {
  const names = columnNames(shownOf(file));
  return transact(companyKey, async (trx) => {
    const pieces = format === 'csv' ? [csvLine(names)] : [];
    let bytes = 0;
    const version = await versionOf(trx, companyKey, file, async (row, json) => {
      const piece = format === 'csv' ? csvLine(names.map((name) => row[name])) : json;
      bytes += Buffer.byteLength(piece) + 2;
      if (bytes > bytesMax) throw exportTooLarge(bytesMax);
      pieces.push(piece);
      await pause();
    });
    const text = format === 'csv' ? pieces.join('') : `[${pieces.map((piece) => `\n${piece}`).join(',')}\n]\n`;
    return { text, tag: format === 'csv' ? csvTagOf(version) : version };
  });
}

/** Throws 412 unless the stored catalogue has a version that the caller accepts. */
export async function requireVersion(
  trx: Kysely<Tables>,
  { companyKey, ifMatch }: WriteScope,
  file: CompanyFile,
  pause: WriteDeps['pause'],
): Promise<void> {
  if (ifMatch === undefined || ifMatch === '*') return;
  const version = await versionOf(trx, companyKey, file, pause);
  if (ifMatch.some((tag) => tag === version || tag === csvTagOf(version))) return;
  const detail =
    ifMatch.length === 0
      ? 'A weak entity tag (W/) never matches. Send the ETag of an export.'
      : 'The catalogue has changed since you exported it. Export it again, and repeat the change with the new ETag.';
  throw new Problem('precondition_failed', detail);
}

/** Returns the version of a catalogue: a digest of its rows, so that equal rows have equal versions. */
async function versionOf(
  trx: Kysely<Tables>,
  companyKey: string,
  file: CompanyFile,
  onRow: (row: Readonly<Record<string, unknown>>, json: string) => Promise<void>,
): Promise<string> {
  const digest = createHash('sha256');
  for await (const part of exportRows(trx, companyKey, shownOf(file))) {
    for (const row of part) {
      const json = JSON.stringify(row);
      digest.update(json);
      await onRow(row, json);
    }
  }
  return digest.digest('base64url').slice(0, 22);
}

const csvTagOf = (version: string) => `${version}.csv`;

/** Returns a file without the column that no response has. */
function shownOf(file: CompanyFile): CompanyFile {
  return { ...file, columns: file.columns.filter(({ name }) => name !== 'TimeClockKioskPIN') };
}

function exportTooLarge(bytesMax: number): Problem {
  const detail = `The catalogue has more than ${bytesMax} bytes, the limit of a request body. Export it with the command export.`;
  return new Problem('export_too_large', detail);
}
