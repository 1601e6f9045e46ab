import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

export interface FileLockOptions {
  /** How long to wait for other holders. */
  readonly waitMs?: number;
  readonly wait?: (ms: number) => Promise<unknown>;
  readonly clock?: () => number;
}

/** Another process holds the lock. */
export class FileLockError extends Error {
  constructor(path: string, holder: string) {
    super(`${path} is held by ${holder}. Try again, or remove the file if that process has ended.`);
    this.name = 'FileLockError';
  }
}

/** A step takes milliseconds, so the holder of an older lock has died. */
const staleMs = 30_000;

/**
 * Runs a step under a lock between processes, on one machine or over a shared folder. The step is synchronous, so that
 * no signal is handled within it; it calls `isHeld` before it commits. A lock whose holder has died is taken over.
 * @throws FileLockError when another process holds it for longer than `waitMs`.
 */
export async function withFileLock<T>(
  path: string,
  step: (isHeld: () => boolean) => T,
  { waitMs = 10_000, wait = pause, clock = Date.now }: FileLockOptions = {},
): Promise<T> {
  const token = `${process.pid} ${hostname()} ${randomBytes(8).toString('hex')}`;
  const deadlineMs = clock() + waitMs;
  for (;;) {
    if (tryCreate(path, token)) {
      try {
        return step(() => read(path) === token);
      } finally {
        if (read(path) === token) fs.rmSync(path, { force: true });
      }
    }
    const holder = read(path);
    if (holder !== undefined && isStale(path, holder, clock())) remove(path, holder);
    else if (clock() > deadlineMs) throw new FileLockError(path, describeHolder(holder));
    // A random delay, so that waiting processes do not retry together.
    else await wait(10 + Math.random() * 30);
  }
}

function tryCreate(path: string, token: string): boolean {
  try {
    const file = fs.openSync(path, 'wx', 0o600);
    try {
      fs.writeFileSync(file, token);
    } catch (error) {
      // A lock without a holder would block the next command; the error of a write does not name the file.
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
  const createdMs = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (createdMs === undefined) return false;
  if (nowMs - createdMs > staleMs) return true;
  const [pid = '', host] = holder.split(' ');
  // A lock that was just created does not name its holder yet.
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

/** Removes the lock of a dead holder; puts back one that another process has taken over meanwhile. */
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

function describeHolder(holder: string | undefined): string {
  const [pid, host] = (holder ?? '').split(' ');
  return pid && host ? `process ${pid} on ${host}` : 'another process';
}
