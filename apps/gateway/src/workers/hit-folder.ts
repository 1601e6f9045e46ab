import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createSharedHitLog,
  type HitLogSnapshot,
  limitWindowMs,
  machineNow,
  segmentFiles,
} from '@rostergate/access/limits';

/** The folder in which workers log the hits that they count together, managed by the primary. */
export interface HitFolder {
  readonly folder: string;
  readonly segment: () => number;
  /** The current counts, for a worker that starts. */
  readonly snapshot: () => HitLogSnapshot;
  /** Reads new hits and removes unused segments. Call it several times per second with the workers' oldest segments. */
  tidy(segments: readonly number[]): void;
  remove(): void;
}

export function createHitFolder(): HitFolder {
  const folder = mkdtempSync(join(findParentFolder(), 'rostergate-hits-'));
  const utcOffsetMs = Date.now() - machineNow();
  const log = createSharedHitLog({ folder, windowMs: limitWindowMs, writer: 0, clock: machineNow, utcOffsetMs });
  let oldest = 0;
  return {
    folder,
    segment: log.segment,
    snapshot: log.snapshot,
    tidy(segments) {
      log.catchUp();
      const needed = Math.min(log.segment(), ...segments);
      for (; oldest < needed; oldest++) for (const file of segmentFiles(folder, oldest)) rmSync(file, { force: true });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const memory = '/dev/shm';
const memoryBytesMin = 32 * 1024 * 1024;

/** Returns a folder in memory if there is one: a disk may be slow or read-only. */
function findParentFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize >= memoryBytesMin) return memory;
  } catch {
    // Only Linux has it.
  }
  return tmpdir();
}
