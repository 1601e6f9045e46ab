import { hash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DependencyStatus } from '../lifecycle/index.ts';
import { type Hit, type HitStore, SlidingWindow, type Verdict, type WindowSnapshot } from '../limits/index.ts';

/** The window as of one place in the log: a process that goes on from there decides like all others. */
export interface HitLogSnapshot {
  readonly segment: number;
  readonly position: number;
  readonly window: WindowSnapshot;
}

export interface SharedHitLogOptions {
  /** Holds the segments of the log; the same for all processes. */
  readonly folder: string;
  readonly windowMs: number;
  /** Tells the hits of this process from those of others. */
  readonly writer: number;
  /** Milliseconds that never go back, of one clock for all processes. */
  readonly clock: () => number;
  /** Where to begin; at the start of a new log when absent. */
  readonly from?: HitLogSnapshot;
  readonly keysMax?: number;
  readonly segmentBytes?: number;
}

export interface SharedHitLog extends HitStore {
  /** Reads what other processes have appended. Call it a few times a second. */
  catchUp(): void;
  snapshot(): HitLogSnapshot;
  /** The number of the oldest segment that this process still needs. */
  readonly segment: () => number;
}

/**
 * Counts hits for several processes through one file: each process appends its hits (`O_APPEND`, so the system orders
 * them) and applies all hits in the order of the file to a window of its own. All windows decide alike, so a limit is
 * exact across processes, and no process ever waits for another. Without space for the file each process counts alone.
 */
export function createSharedHitLog(options: SharedHitLogOptions): SharedHitLog {
  const { folder, windowMs, writer, clock, from, keysMax, segmentBytes = 4 * 1024 * 1024 } = options;
  let timeMs = 0;
  const window = new SlidingWindow({ windowMs, clock: () => timeMs, ...(keysMax === undefined ? {} : { keysMax }) });
  if (from !== undefined) window.restore(from.window);
  let segment = from?.segment ?? 0;
  let position = from?.position ?? 0;
  let file = openSegment(folder, segment);
  let sequence = 0;
  let fault: string | undefined;
  const slot = Buffer.alloc(slotBytes);
  const chunk = Buffer.alloc(512 * slotBytes);
  const digests = new Digests();

  /** Applies one hit of the log. */
  function apply(at: number): Verdict {
    const count = chunk.readUInt32LE(at + 16);
    const keys = new Array<string>(count);
    const limits = new Array<number>(count);
    for (let i = 0; i < count; i++) {
      const part = at + headBytes + i * partBytes;
      keys[i] = chunk.toString('latin1', part, part + digestBytes);
      limits[i] = chunk.readDoubleLE(part + digestBytes);
    }
    timeMs = chunk.readDoubleLE(at + 8);
    return window.hitAll({ keys, limits });
  }

  /** Reads on to the end of the log, or to the hit that this process appended last: then it returns its verdict. */
  function read(): Verdict | undefined {
    let own: Verdict | undefined;
    for (;;) {
      if (position >= segmentBytes) {
        const next = openSegment(folder, segment + 1);
        closeSync(file);
        file = next;
        segment++;
        position = 0;
      }
      // Slots beyond the end of a segment do not count: their writers append them to the next one.
      const wanted = Math.min(chunk.length, segmentBytes - position);
      const length = readSync(file, chunk, 0, wanted, position);
      const end = length - (length % slotBytes);
      for (let at = 0; at < end; at += slotBytes) {
        const verdict = apply(at);
        if (chunk.readUInt32LE(at) === writer && chunk.readUInt32LE(at + 4) === sequence) own = verdict;
      }
      position += end;
      if (end < wanted || own !== undefined) return own;
    }
  }

  function append({ keys, limits }: Hit): Verdict {
    if (keys.length > partsMax) throw new RangeError(`A hit has at most ${partsMax} keys.`);
    sequence = (sequence + 1) >>> 0;
    slot.writeUInt32LE(writer, 0);
    slot.writeUInt32LE(sequence, 4);
    slot.writeDoubleLE(clock(), 8);
    slot.writeUInt32LE(keys.length, 16);
    for (let i = 0; i < keys.length; i++) {
      const part = headBytes + i * partBytes;
      slot.write(digests.of(keys[i] as string), part, digestBytes, 'latin1');
      slot.writeDoubleLE(limits[i] as number, part + digestBytes);
    }
    try {
      for (;;) {
        if (writeSync(file, slot, 0, slotBytes) < slotBytes) throw new Error('The file is full.');
        const verdict = read();
        if (verdict === undefined) continue;
        fault = undefined;
        return verdict;
      }
    } catch (error) {
      fault = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      slot.copy(chunk, 0);
      return apply(0);
    }
  }

  return {
    windowMs,
    hit: append,
    catchUp() {
      try {
        read();
      } catch (error) {
        fault = (error as NodeJS.ErrnoException).code;
      }
    },
    snapshot() {
      read();
      return { segment, position, window: window.snapshot() };
    },
    segment: () => segment,
    opened: async () => {},
    status(): DependencyStatus {
      if (fault === undefined) return { status: 'ready', store: 'memory' };
      const reason = `The shared log of requests cannot be written (${fault}).`;
      return { status: 'degraded', store: 'memory', reason, meanwhile: 'Each process counts for itself.' };
    },
    // It lasts as long as the process: the limits may be counted here again after a reload.
    close: async () => {},
  };
}

export const segmentName = (segment: number): string => `hits-${segment}`;

/** Every process may be the first in a segment. */
function openSegment(folder: string, segment: number): number {
  return openSync(join(folder, segmentName(segment)), 'a+', 0o600);
}

// A slot: writer, sequence, time, number of keys, and for each key its digest and limit. Its length divides that of a
// page, so that no slot is written in part when space runs out.
const slotBytes = 128;
const headBytes = 20;
const digestBytes = 16;
const partBytes = digestBytes + 8;
const partsMax = Math.floor((slotBytes - headBytes) / partBytes);

/** Digests of keys, of which the most recent are remembered. */
class Digests {
  #recent = new Map<string, string>();
  #older = new Map<string, string>();

  of(key: string): string {
    const known = this.#recent.get(key);
    if (known !== undefined) return known;
    const digest = this.#older.get(key) ?? hash('sha256', key, 'buffer').toString('latin1', 0, digestBytes);
    if (this.#recent.size >= 10_000) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, digest);
    return digest;
  }
}
