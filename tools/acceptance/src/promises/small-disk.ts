import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AtEnd } from '../at-end.ts';
import { NotRun } from './define-promise.ts';

/** A folder for one process whose free space can be removed. */
export interface SmallDisk {
  readonly folder: string;
  /** The kind of limit, for people. */
  readonly kind: string;
  /** Removes the free space for the process. */
  fill(pid: number): void;
  /** Restores the free space. */
  free(pid: number): void;
}

/** Creates a small disk in memory if this user may mount one, or a folder with a limit on the file size of the process. */
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
        // Another process has used the last space.
      }
    },
    free: () => rmSync(ballast),
  };
}

/** Unmounts the disks of a killed process. */
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
        throw new NotRun('This user cannot mount a disk, and prlimit (util-linux) is missing or not permitted.');
      }
    },
    free(pid) {
      try {
        bound(pid, 'unlimited');
      } catch {
        // The process has ended.
      }
    },
  };
}
