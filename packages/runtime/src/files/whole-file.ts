import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export interface WholeFileOptions {
  /** Exactly these permissions; absent, those of the file that is replaced, or what the umask leaves of 666. */
  readonly mode?: number;
  /** Called when all is written but not yet in its place: what it throws leaves the file as it was. */
  readonly beforeReplace?: () => void;
}

/**
 * Writes a file so that every reader, and whoever comes after a crash, finds the old text or the new, never a part.
 * A symbolic link stays one; the owner of the file stays its owner. All in one go: no signal is handled in between.
 */
export function writeWholeFile(path: string, text: string, { mode, beforeReplace }: WholeFileOptions = {}): void {
  const target = realPath(path);
  const before = fs.statSync(target, { throwIfNoEntry: false });
  const temporary = join(dirname(target), `${temporaryStart(target)}${randomBytes(6).toString('hex')}.tmp`);
  const permissions = mode ?? (before === undefined ? undefined : before.mode & 0o777);
  try {
    const file = fs.openSync(temporary, 'wx', permissions ?? 0o666);
    try {
      if (permissions !== undefined) fs.fchmodSync(file, permissions);
      if (before !== undefined) keepOwner(file, before, target);
      fs.writeFileSync(file, text);
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    beforeReplace?.();
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw withKnownPath(error, temporary, target);
  }
  syncFolder(dirname(target));
}

/** Names the file or folder to blame: not the temporary file, and the target where a failed write names nothing. */
function withKnownPath(error: unknown, temporary: string, target: string): unknown {
  const { path, syscall } = error as NodeJS.ErrnoException;
  if (path === undefined && syscall !== undefined) return Object.assign(error as Error, { path: target });
  if (path !== temporary) return error;
  return Object.assign(error as Error, { path: syscall === 'rename' ? target : dirname(target) });
}

/** Removes what a killed writer of this file has left; only for whoever holds the file's lock. */
export function removeTemporaries(path: string): void {
  const target = realPath(path);
  const start = temporaryStart(target);
  for (const name of fs.readdirSync(dirname(target))) {
    if (name.startsWith(start) && name.endsWith('.tmp')) fs.rmSync(join(dirname(target), name), { force: true });
  }
}

function temporaryStart(target: string): string {
  return `.${basename(target)}.`;
}

function realPath(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return path;
  }
}

/** The server may run as another user, and has to read it as before: if that cannot be, nothing is changed. */
function keepOwner(file: number, { uid, gid }: fs.Stats, path: string): void {
  const now = fs.fstatSync(file);
  if (now.uid === uid && now.gid === gid) return;
  try {
    fs.fchownSync(file, uid, gid);
  } catch (error) {
    if (now.uid !== uid) throw Object.assign(error as Error, { path });
  }
}

/**
 * Makes a folder and those above it that are missing; returns the topmost one it made. Node's own recursive form never
 * returns where the system denies that a folder exists in which it lists others, such as /proc.
 */
export function makeFolders(path: string): string | undefined {
  const missing: string[] = [];
  for (let at = resolve(path); !fs.existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) fs.mkdirSync(folder);
  if (!fs.statSync(path).isDirectory()) fs.mkdirSync(path);
  return missing[0];
}

/** A rename is safe from a power cut once its folder is on the disk; where folders cannot be opened, it has to do. */
function syncFolder(path: string): void {
  let folder: number;
  try {
    folder = fs.openSync(path, 'r');
  } catch {
    return;
  }
  try {
    fs.fsyncSync(folder);
  } catch {
    // Not every file system has it.
  } finally {
    fs.closeSync(folder);
  }
}
