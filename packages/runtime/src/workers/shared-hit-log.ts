import { readSync } from 'node:fs';
import type { DependencyStatus } from '../lifecycle/index.ts';
import { type Hit, type HitStore, SlidingWindow, type Verdict, type WindowSnapshot } from '../limits/index.ts';
import { HitRecords, recordBytes } from './hit-records.ts';
import { append, digestOf, type HitDefinition, HitSegment, keysPerHitMax } from './hit-segment.ts';

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
  hit(hit: Hit): Promise<Verdict>;
  /** Reads what other processes have appended. Call it a few times a second. */
  catchUp(): void;
  snapshot(): HitLogSnapshot;
  /** The number of the oldest segment that this process still needs. */
  readonly segment: () => number;
}

/**
 * Counts hits for several processes through one file: each process appends its hits (`O_APPEND`, so the system orders
 * them) and applies all hits in the order of the file to a window of its own. All windows decide alike, so a limit is
 * exact across processes, and no process ever waits for another. The hits of one turn of the event loop are appended
 * and read together. Without space for the file each process counts alone.
 */
export function createSharedHitLog(options: SharedHitLogOptions): SharedHitLog {
  const { folder, windowMs, writer, clock, from, keysMax, segmentBytes = 512 * 1024 } = options;
  let timeMs = 0;
  const window = new SlidingWindow({ windowMs, clock: () => timeMs, ...(keysMax === undefined ? {} : { keysMax }) });
  if (from !== undefined) window.restore(from.window);
  let segment = new HitSegment(folder, from?.segment ?? 0, writer);
  let position = from?.position ?? 0;
  let sequence = 0;
  let fault: string | undefined;
  let asked: Asked[] = [];
  /** The hits that are being decided, and how many of them have been. */
  let deciding: readonly Asked[] = [];
  let decided = 0;
  const output = new HitRecords(chunkRecords);
  const input = new HitRecords(chunkRecords);

  /** Reads on to the end of the log, or to the last hit that is being decided. */
  function read(): void {
    for (;;) {
      if (position >= segmentBytes) {
        const next = new HitSegment(folder, segment.number + 1, writer);
        segment.close();
        segment = next;
        position = 0;
      }
      // Records beyond the end of a segment do not count: their writers append them to the next one.
      const wanted = Math.min(input.bytes.length, segmentBytes - position);
      const length = readSync(segment.hits, input.bytes, 0, wanted, position);
      const count = Math.floor(length / recordBytes);
      position += count * recordBytes;
      for (let i = 0; i < count; i++) {
        const definition = input.isWhole(i) ? segment.find(input.definitionOf(i)) : undefined;
        if (definition === undefined) {
          // A record was written in part: every process ends the segment there.
          position = segmentBytes;
          break;
        }
        apply(definition, i);
      }
      const isEnd = position < segmentBytes && count * recordBytes < wanted;
      if (isEnd || (deciding.length > 0 && decided === deciding.length)) return;
    }
  }

  function apply({ hit, isOwn }: HitDefinition, i: number): void {
    if (isOwn) {
      const own = deciding[decided];
      // Without one it was counted when it could not be appended with those beside it.
      if (own?.sequence !== input.sequenceOf(i)) return;
      decided++;
      timeMs = input.timeOf(i);
      own.resolve(window.hitAll(hit));
    } else {
      timeMs = input.timeOf(i);
      window.hitAll(hit);
    }
  }

  function decide(): void {
    deciding = asked;
    decided = 0;
    asked = [];
    const nowMs = clock();
    try {
      while (decided < deciding.length) {
        const count = Math.min(deciding.length - decided, chunkRecords);
        for (let i = 0; i < count; i++) {
          const { hit, sequence } = deciding[decided + i] as Asked;
          output.set(i, nowMs, segment.define(hit), sequence);
        }
        append(segment.hits, output.bytes, count * recordBytes);
        read();
      }
      fault = undefined;
    } catch (error) {
      fault = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      timeMs = nowMs;
      for (; decided < deciding.length; decided++) {
        const { hit, resolve } = deciding[decided] as Asked;
        resolve(window.hitAll({ keys: hit.keys.map(digestOf), limits: hit.limits }));
      }
    }
    deciding = [];
  }

  return {
    windowMs,
    hit(hit) {
      if (hit.keys.length > keysPerHitMax) throw new RangeError(`A hit has at most ${keysPerHitMax} keys.`);
      sequence = (sequence + 1) & 0xffff;
      return new Promise((resolve) => {
        // When all connections that are readable now have been read.
        if (asked.push({ hit, sequence, resolve }) === 1) setImmediate(decide);
      });
    },
    catchUp() {
      try {
        read();
      } catch (error) {
        fault = (error as NodeJS.ErrnoException).code;
      }
    },
    snapshot() {
      read();
      return { segment: segment.number, position, window: window.snapshot() };
    },
    segment: () => segment.number,
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

interface Asked {
  readonly hit: Hit;
  readonly sequence: number;
  readonly resolve: (verdict: Verdict) => void;
}

const chunkRecords = 1024;
