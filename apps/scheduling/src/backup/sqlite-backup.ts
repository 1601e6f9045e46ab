import * as fs from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { CommandFailure, exitCodes } from '@rostergate/runtime/command';

/** Pages a step: enough to be quick, few enough that the bar moves. */
const pagesAtOnce = 2_000;
const tables = ['companies', 'accounts', 'staff', 'audit'] as const;
const names = { companies: 'companies', accounts: 'accounts', staff: 'people', audit: 'audit_rows' } as const;

/** A copy by SQLite's own backup interface (sqlite.org/backup.html), one file that needs no log beside it. */
export async function writeSqliteBackup(
  databaseFile: string,
  path: string,
  onProgress?: (done: number, all: number) => void,
): Promise<Readonly<Record<string, number>>> {
  const source = new DatabaseSync(databaseFile, { readOnly: true, timeout: 5_000 });
  try {
    // What is read within one transaction is of one moment. Without it, each write of others would start the copy anew.
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
  // Whoever may not read the database may not read the copy.
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
      const detail =
        'The copy does not hold together, so the database itself is most likely damaged; nothing was kept.';
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
