import * as fs from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { CommandFailure, exitCodes } from '@rostergate/config/command';

/** Pages per step: fast, and few enough for a smooth progress bar. */
const pagesAtOnce = 2_000;
const tables = ['companies', 'accounts', 'staff', 'audit'] as const;
const names = { companies: 'companies', accounts: 'accounts', staff: 'people', audit: 'audit_rows' } as const;

/** Writes a copy with SQLite's backup interface (sqlite.org/backup.html): one file without a log. */
export async function writeSqliteBackup(
  databaseFile: string,
  path: string,
  onProgress?: (done: number, all: number) => void,
): Promise<Readonly<Record<string, number>>> {
  const source = new DatabaseSync(databaseFile, { readOnly: true, timeout: 5_000 });
  try {
    // One transaction reads one state. Without it, every concurrent write would restart the copy.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    await backup(source, path, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) => onProgress?.(totalPages - remainingPages, totalPages),
    });
    source.exec('COMMIT');
  } finally {
    source.close();
  }
  // The copy has the permissions of the database.
  fs.chmodSync(path, fs.statSync(databaseFile).mode & 0o777);
  return checkCopy(path);
}

function checkCopy(path: string): Readonly<Record<string, number>> {
  const copy = new DatabaseSync(path);
  try {
    copy.exec('PRAGMA journal_mode = DELETE');
    const found = copy.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
    const orphans = copy.prepare('PRAGMA foreign_key_check').all();
    if (found[0]?.integrity_check !== 'ok' || orphans.length > 0) {
      const detail = 'The copy is damaged, and most likely the database too. The copy was deleted.';
      throw new CommandFailure(detail, exitCodes.failed);
    }
    return Object.fromEntries(tables.map((table) => [names[table], countRows(copy, table)]));
  } finally {
    copy.close();
  }
}

function countRows(database: DatabaseSync, table: string): number {
  const isThere = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table);
  if (isThere === undefined) return 0;
  return Number(database.prepare(`SELECT count(*) AS count FROM "${table}"`).get()?.count);
}
