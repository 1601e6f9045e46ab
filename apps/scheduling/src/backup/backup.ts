import { randomBytes as bytesOf } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandFailure, exitCodes } from '@rostergate/config/command';
import type { Settings } from '../settings.ts';

export interface BackupOptions {
  readonly file: string;
  readonly isReplacing: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly randomBytes?: (size: number) => Buffer;
  readonly onProgress?: (done: number, all: number) => void;
}

export interface BackupReport {
  readonly file: string;
  readonly bytes: number;
  /** What the copy contains: numbers by name. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Writes a consistent copy of the database. The copy gets its name only after it is checked, so a file of that name is
 * always complete.
 * @throws CommandFailure when the file exists, or the copy cannot be made or is damaged
 */
export async function backUp(settings: Settings, options: BackupOptions): Promise<BackupReport> {
  const { isReplacing, randomBytes = bytesOf } = options;
  const file = resolve(options.file);
  checkTarget(file, settings, isReplacing);
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  // The temporary copy is as large as the database, so it is removed however the process ends.
  const clean = () => fs.rmSync(temporary, { force: true });
  process.once('exit', clean);
  try {
    const counts = await writeCopy(settings, temporary, options);
    syncFile(temporary);
    putInPlace(temporary, file, isReplacing);
    return { file: options.file, bytes: fs.statSync(file).size, counts };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyExists(options.file);
    throw error;
  } finally {
    clean();
    process.off('exit', clean);
  }
}

function putInPlace(temporary: string, file: string, isReplacing: boolean): void {
  try {
    if (isReplacing) fs.renameSync(temporary, file);
    // Another process may have written the file in the meantime; unlike a rename, a link fails on an existing name.
    else fs.linkSync(temporary, file);
  } catch (error) {
    if (isReplacing || (error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // Not every file system supports links.
    fs.renameSync(temporary, file);
  }
}

/** Copies the database to a new file, checks the copy and returns what it contains. */
async function writeCopy(
  { database_url, database_file }: Settings,
  path: string,
  { env, onProgress }: BackupOptions,
): Promise<BackupReport['counts']> {
  if (database_url === undefined) {
    const { writeSqliteBackup } = await import('./sqlite-backup.ts');
    return writeSqliteBackup(database_file, path, onProgress);
  }
  const { writePostgresBackup } = await import('./postgres-backup.ts');
  return writePostgresBackup(database_url, path, env);
}

function checkTarget(file: string, { database_url, database_file }: Settings, isReplacing: boolean): void {
  const folder = fs.statSync(dirname(file), { throwIfNoEntry: false });
  if (folder?.isDirectory() !== true) {
    throw new CommandFailure(`${dirname(file)}: There is no such directory.`, exitCodes.invalid);
  }
  const own = database_url === undefined ? fs.statSync(database_file, { throwIfNoEntry: false }) : undefined;
  if (own !== undefined && isDatabasePart(file, database_file)) {
    throw new CommandFailure(
      `${file}: This file is a part of the database itself. Name another file.`,
      exitCodes.invalid,
    );
  }
  const existing = fs.statSync(file, { throwIfNoEntry: false });
  if (existing === undefined) return;
  if (existing.isDirectory())
    throw new CommandFailure(`${file}: This is a directory. Name a file in it.`, exitCodes.invalid);
  if (!isReplacing) throw alreadyExists(file);
  if (own?.ino === existing.ino && own.dev === existing.dev) {
    throw new CommandFailure(`${file}: This is the database itself. Name another file.`, exitCodes.invalid);
  }
}

/** Returns whether SQLite uses this name for a part of the database: writes that are not in the main file yet. */
function isDatabasePart(file: string, database: string): boolean {
  const path = join(fs.realpathSync(dirname(file)), basename(file));
  return ['-wal', '-shm', '-journal'].some((suffix) => path === fs.realpathSync(database) + suffix);
}

function alreadyExists(file: string): CommandFailure {
  return new CommandFailure(`${file}: The file already exists. Name another file, or replace it with --force.`);
}

function syncFile(path: string): void {
  const file = fs.openSync(path, 'r+');
  try {
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}
