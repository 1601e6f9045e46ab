import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitWindowMs, machineNow } from '@rostergate/runtime/limits';
import { createSharedHitLog, type HitLogSnapshot, segmentFiles } from '@rostergate/runtime/workers';

/** The folder in which workers log the hits that they count together, as the primary keeps it. */
export interface HitFolder {
  readonly folder: string;
  readonly segment: () => number;
  /** The counts as of now, for a worker that starts. */
  readonly snapshot: () => HitLogSnapshot;
  /** Reads on, and removes the segments that neither the primary nor any worker needs: call it a few times a second. */
  tidy(segments: readonly number[]): void;
  remove(): void;
}

export function createHitFolder(): HitFolder {
  const folder = mkdtempSync(join(findPlace(), 'rostergate-hits-'));
  const log = createSharedHitLog({ folder, windowMs: limitWindowMs, writer: 0, clock: machineNow });
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

/** In memory where the system offers that: a disk may be slow, or for reading only. */
function findPlace(): string {
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize >= memoryBytesMin) return memory;
  } catch {
    // Linux alone has it.
  }
  return tmpdir();
}
