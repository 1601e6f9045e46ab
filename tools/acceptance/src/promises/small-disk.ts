import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AtEnd } from '../at-end.ts';
import { NotRun } from './define-promise.ts';

/** A folder for one process on which room can be taken away. */
export interface SmallDisk {
  readonly folder: string;
  /** What was done to it, for people. */
  readonly kind: string;
  /** From now on there is no room for more, for this process. */
  fill(pid: number): void;
  /** There is room again. */
  free(pid: number): void;
}

/** A small disk in memory where root may mount one, else a folder and a bound on the length of the process's files. */
export function createSmallDisk(atEnd: AtEnd): SmallDisk {
  const folder = mkdtempSync(prefixOf(process.pid));
  atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    return boundFiles(folder);
  }
  atEnd(async () => execFileSync('umount', ['-l', folder], { stdio: 'pipe' }));
  const ballast = join(folder, 'ballast');
  return {
    folder,
    kind: 'a full disk',
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize));
      } catch {
        // Something else has taken the last of it.
      }
    },
    free: () => rmSync(ballast),
  };
}

/** Takes away what a process that was ended by force has left mounted. */
export function unmountSmallDisks(pid: number): void {
  let mounts: string;
  try {
    mounts = readFileSync('/proc/mounts', 'utf8');
  } catch {
    return;
  }
  for (const line of mounts.split('\n')) {
    const [, folder = ''] = line.split(' ');
    if (!folder.startsWith(prefixOf(pid))) continue;
    execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
    rmSync(folder, { recursive: true, force: true });
  }
}

const prefixOf = (pid: number) => join(tmpdir(), `rostergate-small-disk-${pid}-`);

function boundFiles(folder: string): SmallDisk {
  const bound = (pid: number, bytes: string) =>
    execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`], { stdio: 'pipe' });
  return {
    folder,
    kind: 'files that may not grow',
    fill(pid) {
      try {
        bound(pid, '4096');
      } catch {
        throw new NotRun('No disk can be mounted here, and prlimit (of util-linux) is not there or not allowed.');
      }
    },
    free(pid) {
      try {
        bound(pid, 'unlimited');
      } catch {
        // It has ended, and the bound with it.
      }
    },
  };
}
