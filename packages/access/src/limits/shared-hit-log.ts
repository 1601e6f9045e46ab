import { readSync } from 'node:fs';
import type { DependencyStatus } from '@rostergate/server/lifecycle';
import {
  append,
  digestOf,
  type HitDefinition,
  HitRecords,
  HitSegment,
  keysPerHitMax,
  recordBytes,
} from './hit-segment.ts';
import type { Hit, HitStore, Verdict } from './hit-store.ts';
import { SlidingWindow, type WindowSnapshot } from './sliding-window.ts';

/** The window at one position of the log. A process that continues from it makes the same decisions as all others. */
export interface HitLogSnapshot {
  readonly segment: number;
  readonly position: number;
  readonly window: WindowSnapshot;
}

export interface SharedHitLogOptions {
  /** Folder of the segments, the same for all processes. */
  readonly folder: string;
  readonly windowMs: number;
  /** Number of this process, which marks its hits. */
  readonly writer: number;
  /** Milliseconds that never go back, by one clock for all processes. */
  readonly clock: () => number;
  /** The position to continue from; by default the start of a new log. */
  readonly from?: HitLogSnapshot;
  /** Milliseconds to add to the clock for the time in UTC, for a new log; by default 0. */
  readonly utcOffsetMs?: number;
  readonly keysMax?: number;
  readonly segmentBytes?: number;
}

export interface SharedHitLog extends HitStore {
  hit(hit: Hit): Promise<Verdict>;
  /** Applies the hits that other processes have appended. Call it a few times a second. */
  catchUp(): void;
  snapshot(): HitLogSnapshot;
  /** Returns the number of the oldest segment that this process still needs. */
  readonly segment: () => number;
}

/**
 * Returns a hit store that several processes share through one file. Each process appends its hits (`O_APPEND`, so the
 * system orders them) and applies all hits in the order of the file to a window of its own. All windows decide alike,
 * so limits are exact across processes, and no process waits for another. The hits of one turn of the event loop are
 * appended and read together. When the file cannot be written, each process counts alone.
 */
export function createSharedHitLog(options: SharedHitLogOptions): SharedHitLog {
  const { folder, windowMs, writer, clock, from, keysMax, utcOffsetMs = 0, segmentBytes = 512 * 1024 } = options;
  let timeMs = 0;
  const window = new SlidingWindow({
    ...{ windowMs, clock: () => timeMs, utcOffsetMs },
    ...(keysMax === undefined ? {} : { keysMax }),
  });
  if (from !== undefined) window.restore(from.window);
  let segment = new HitSegment(folder, from?.segment ?? 0, writer);
  let position = from?.position ?? 0;
  let sequence = 0;
  let fault: string | undefined;
  let waiting: WaitingHit[] = [];
  /** The hits of the current turn, and how many of them are decided. */
  let deciding: readonly WaitingHit[] = [];
  let decided = 0;
  const output = new HitRecords(chunkRecords);
  const input = new HitRecords(chunkRecords);

  /** Reads to the end of the log, or to the last hit of the current turn. */
  function read(): void {
    for (;;) {
      if (position >= segmentBytes) {
        const next = new HitSegment(folder, segment.number + 1, writer);
        segment.close();
        segment = next;
        position = 0;
      }
      // Records beyond the end of a segment are ignored: their writers append them to the next one.
      const wanted = Math.min(input.bytes.length, segmentBytes - position);
      const length = readSync(segment.hits, input.bytes, 0, wanted, position);
      const count = Math.floor(length / recordBytes);
      position += count * recordBytes;
      for (let i = 0; i < count; i++) {
        const definition = input.isWhole(i) ? segment.find(input.definitionOf(i)) : undefined;
        if (definition === undefined) {
          // After a partial record, every process continues with the next segment.
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
      // Other own records were decided alone, when a part of their turn could not be appended.
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
    deciding = waiting;
    decided = 0;
    waiting = [];
    const nowMs = clock();
    try {
      while (decided < deciding.length) {
        const count = Math.min(deciding.length - decided, chunkRecords);
        for (let i = 0; i < count; i++) {
          const { hit, sequence } = deciding[decided + i] as WaitingHit;
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
        const { hit, resolve } = deciding[decided] as WaitingHit;
        resolve(window.hitAll({ ...hit, keys: hit.keys.map(digestOf) }));
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
        // Decided after all connections that are readable now have been read.
        if (waiting.push({ hit, sequence, resolve }) === 1) setImmediate(decide);
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
      const reason = `The shared request log cannot be written (${fault}).`;
      return { status: 'degraded', store: 'memory', reason, meanwhile: 'Each process counts its own requests.' };
    },
    // The log stays open as long as the process, because a reload may return to it.
    close: async () => {},
  };
}

interface WaitingHit {
  readonly hit: Hit;
  readonly sequence: number;
  readonly resolve: (verdict: Verdict) => void;
}

const chunkRecords = 1024;
