import { randomBytes as bytesOf } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandFailure, exitCodes } from '@rostergate/runtime/command';
import type { Settings } from '../settings.ts';

export interface BackupOptions {
  /** Where it goes. */
  readonly file: string;
  /** Whether a file that is there is replaced. */
  readonly isReplacing: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly randomBytes?: (size: number) => Buffer;
  readonly onProgress?: (done: number, all: number) => void;
}

export interface BackupReport {
  readonly file: string;
  readonly bytes: number;
  /** What the copy holds, by what it is called. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Writes a consistent copy of the database, checked before it has its name: whoever finds the file finds all of it.
 * @throws CommandFailure when the file is there, or the copy cannot be made or does not hold
 */
export async function backUp(settings: Settings, options: BackupOptions): Promise<BackupReport> {
  const { isReplacing, randomBytes = bytesOf } = options;
  const file = resolve(options.file);
  refuseTarget(file, settings, isReplacing);
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  // Whatever ends the process, no part of a copy is left: it is as large as the database.
  const clean = () => fs.rmSync(temporary, { force: true });
  process.once('exit', clean);
  try {
    const counts = await writeCopy(settings, temporary, options);
    syncFile(temporary);
    putInPlace(temporary, file, isReplacing);
    return { file: options.file, bytes: fs.statSync(file).size, counts };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw thereAlready(options.file);
    throw error;
  } finally {
    clean();
    process.off('exit', clean);
  }
}

function putInPlace(temporary: string, file: string, isReplacing: boolean): void {
  try {
    if (isReplacing) fs.renameSync(temporary, file);
    // Somebody else may have written it in the meantime; a link takes no name that is taken.
    else fs.linkSync(temporary, file);
  } catch (error) {
    if (isReplacing || (error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // Not every file system has links.
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

function refuseTarget(file: string, { database_url, database_file }: Settings, isReplacing: boolean): void {
  const folder = fs.statSync(dirname(file), { throwIfNoEntry: false });
  if (folder?.isDirectory() !== true) {
    throw new CommandFailure(`${dirname(file)}: There is no such folder.`, exitCodes.faulty);
  }
  const own = database_url === undefined ? fs.statSync(database_file, { throwIfNoEntry: false }) : undefined;
  if (own !== undefined && isCompanion(file, database_file)) {
    throw new CommandFailure(`${file}: This is a part of the database itself; name another file.`, exitCodes.faulty);
  }
  const there = fs.statSync(file, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (there.isDirectory()) throw new CommandFailure(`${file}: This is a folder; name a file in it.`, exitCodes.faulty);
  if (!isReplacing) throw thereAlready(file);
  if (own?.ino === there.ino && own.dev === there.dev) {
    throw new CommandFailure(`${file}: This is the database itself; name another file.`, exitCodes.faulty);
  }
}

/** Whether SQLite keeps a part of the database under this name, or will: writes that are not in the file yet. */
function isCompanion(file: string, database: string): boolean {
  const path = join(fs.realpathSync(dirname(file)), basename(file));
  return ['-wal', '-shm', '-journal'].some((suffix) => path === fs.realpathSync(database) + suffix);
}

function thereAlready(file: string): CommandFailure {
  return new CommandFailure(`${file}: It is there already; name another file, or replace it with --force.`);
}

function syncFile(path: string): void {
  const file = fs.openSync(path, 'r+');
  try {
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}
