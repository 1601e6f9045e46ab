import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

export interface FileLockOptions {
  /** How long to wait for others. */
  readonly waitMs?: number;
  readonly wait?: (ms: number) => Promise<unknown>;
  readonly clock?: () => number;
}

/** Somebody else keeps the lock. */
export class FileLockError extends Error {
  constructor(path: string, holder: string) {
    super(`${path} says that ${holder} is at work. Try again; if nobody is, remove that file.`);
    this.name = 'FileLockError';
  }
}

/** What is done under the lock takes milliseconds, so after this long its holder has died. */
const staleMs = 30_000;

/**
 * Runs one step while no other process that asks does, on this machine or over a shared folder; `isHeld` tells, just
 * before the last act, that the lock is still ours. The step is synchronous, so that no signal is handled within it.
 * A lock whose holder has died is taken over.
 * @throws FileLockError when others keep it for longer than `waitMs`.
 */
export async function withFileLock<T>(
  path: string,
  step: (isHeld: () => boolean) => T,
  { waitMs = 10_000, wait = pause, clock = Date.now }: FileLockOptions = {},
): Promise<T> {
  const token = `${process.pid} ${hostname()} ${randomBytes(8).toString('hex')}`;
  const deadlineMs = clock() + waitMs;
  for (;;) {
    if (create(path, token)) {
      try {
        return step(() => read(path) === token);
      } finally {
        if (read(path) === token) fs.rmSync(path, { force: true });
      }
    }
    const holder = read(path);
    if (holder !== undefined && isStale(path, holder, clock())) remove(path, holder);
    else if (clock() > deadlineMs) throw new FileLockError(path, describe(holder));
    // Not all at the same moment again.
    else await wait(10 + Math.random() * 30);
  }
}

function create(path: string, token: string): boolean {
  try {
    const file = fs.openSync(path, 'wx', 0o600);
    try {
      fs.writeFileSync(file, token);
    } catch (error) {
      // A lock without a holder would stop the next command; the error of a write does not name the file.
      fs.rmSync(path, { force: true });
      throw Object.assign(error as Error, { path });
    } finally {
      fs.closeSync(file);
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function read(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isStale(path: string, holder: string, nowMs: number): boolean {
  const sinceMs = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (sinceMs === undefined) return false;
  if (nowMs - sinceMs > staleMs) return true;
  const [pid = '', host] = holder.split(' ');
  // Just made, and not yet written to, it has no holder to ask for.
  return host === hostname() && /^\d+$/.test(pid) && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Takes a dead holder's lock away; one that somebody took over in the meantime goes back to its place. */
function remove(path: string, holder: string): void {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    fs.renameSync(path, aside);
    if (read(aside) !== holder) fs.linkSync(aside, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

function describe(holder: string | undefined): string {
  const [pid, host] = (holder ?? '').split(' ');
  return pid && host ? `process ${pid} on ${host}` : 'another process';
}
