import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export interface WholeFileOptions {
  /** Exact permissions; by default those of the replaced file, or 0666 less the umask. */
  readonly mode?: number;
  /** Called before the file is replaced: if it throws, the file stays unchanged. */
  readonly beforeReplace?: () => void;
}

/**
 * Replaces a file atomically: readers find the old text or the new one, also after a crash. It follows a symbolic link,
 * keeps the owner, and is synchronous, so that no signal is handled within it.
 */
export function writeWholeFile(path: string, text: string, { mode, beforeReplace }: WholeFileOptions = {}): void {
  const target = realPath(path);
  const before = fs.statSync(target, { throwIfNoEntry: false });
  const temporary = join(dirname(target), `${temporaryPrefix(target)}${randomBytes(6).toString('hex')}.tmp`);
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
    throw withBlamedPath(error, temporary, target);
  }
  syncFolder(dirname(target));
}

/** Sets the path of an error: never the temporary file, and the target where a failed write names none. */
function withBlamedPath(error: unknown, temporary: string, target: string): unknown {
  const { path, syscall } = error as NodeJS.ErrnoException;
  if (path === undefined && syscall !== undefined) return Object.assign(error as Error, { path: target });
  if (path !== temporary) return error;
  return Object.assign(error as Error, { path: syscall === 'rename' ? target : dirname(target) });
}

/** Removes temporary files of a killed writer. Call it under the file's lock. */
export function removeTemporaries(path: string): void {
  const target = realPath(path);
  const prefix = temporaryPrefix(target);
  for (const name of fs.readdirSync(dirname(target))) {
    if (name.startsWith(prefix) && name.endsWith('.tmp')) fs.rmSync(join(dirname(target), name), { force: true });
  }
}

function temporaryPrefix(target: string): string {
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

/** Keeps the owner, since the server may run as another user; throws when it cannot. */
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
 * Creates a folder and its missing parents, and returns the topmost one it created. Node's recursive form loops forever
 * below /proc.
 */
export function makeFolders(path: string): string | undefined {
  const missing: string[] = [];
  for (let at = resolve(path); !fs.existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) fs.mkdirSync(folder);
  if (!fs.statSync(path).isDirectory()) fs.mkdirSync(path);
  return missing[0];
}

/** Makes a rename survive a power cut, where the system can open and sync folders. */
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
    // Not every file system supports it.
  } finally {
    fs.closeSync(folder);
  }
}
