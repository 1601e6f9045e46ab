import { crc32 } from 'node:zlib';

/** The hits of one key in its window, oldest first. Times are whole milliseconds and never go back. */
export interface HitLog {
  readonly count: number;
  readonly newestMs: number;
  /** Returns the time of the hit at `index`; 0 is the oldest. */
  at(index: number): number;
  push(timeMs: number): void;
  /** Adds hits of one time. */
  repeat(timeMs: number, count: number): void;
  /** Drops the hits that have left the window by `nowMs`. */
  dropExpired(nowMs: number, windowMs: number): void;
  /** Returns the times, and how many hits have each; without counts when each has one. */
  entries(): readonly [times: readonly number[], counts?: readonly number[]];
}

/**
 * The times of the hits in the window, oldest first: a ring buffer that doubles when it is full, so its length is a
 * power of two. Times are whole milliseconds and never go back.
 */
export class HitTimes implements HitLog {
  #times: number[] = [0, 0, 0, 0];
  #head = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  at(index: number): number {
    return this.#times[(this.#head + index) & (this.#times.length - 1)] as number;
  }

  get newestMs(): number {
    return this.#count === 0 ? Number.NEGATIVE_INFINITY : this.at(this.#count - 1);
  }

  push(timeMs: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[(this.#head + this.#count) & (this.#times.length - 1)] = timeMs;
    this.#count++;
  }

  repeat(timeMs: number, count: number): void {
    for (let i = 0; i < count; i++) this.push(timeMs);
  }

  entries(): readonly [times: readonly number[]] {
    return [Array.from({ length: this.#count }, (_, i) => this.at(i))];
  }

  dropExpired(nowMs: number, windowMs: number): void {
    while (this.#count > 0 && (this.#times[this.#head] as number) + windowMs <= nowMs) {
      this.#head = this.#head + 1 === this.#times.length ? 0 : this.#head + 1;
      this.#count--;
    }
  }

  #grow(): void {
    const times = new Array<number>(this.#times.length * 2).fill(0);
    for (let i = 0; i < this.#count; i++) times[i] = this.at(i);
    this.#times = times;
    this.#head = 0;
  }
}

/**
 * Hits in runs of equal times, for times that are rounded up to buckets: its size depends on the number of buckets, not
 * of hits.
 */
export class HitRuns implements HitLog {
  #times: number[] = [];
  #counts: number[] = [];
  #head = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get newestMs(): number {
    return this.#count === 0 ? Number.NEGATIVE_INFINITY : (this.#times.at(-1) as number);
  }

  at(index: number): number {
    let run = this.#head;
    for (let left = index; left >= (this.#counts[run] as number); run++) left -= this.#counts[run] as number;
    return this.#times[run] as number;
  }

  push(timeMs: number): void {
    this.repeat(timeMs, 1);
  }

  /** Hits before the end of the newest bucket belong to it. */
  repeat(timeMs: number, count: number): void {
    if (this.#count > 0 && timeMs <= this.newestMs) {
      this.#counts[this.#counts.length - 1] = (this.#counts.at(-1) as number) + count;
    } else if (count > 0) {
      this.#times.push(timeMs);
      this.#counts.push(count);
    }
    this.#count += count;
  }

  entries(): readonly [times: readonly number[], counts: readonly number[]] {
    return [this.#times.slice(this.#head), this.#counts.slice(this.#head)];
  }

  dropExpired(nowMs: number, windowMs: number): void {
    while (this.#count > 0 && (this.#times[this.#head] as number) + windowMs <= nowMs) {
      this.#count -= this.#counts[this.#head++] as number;
    }
    if (this.#head * 2 <= this.#times.length) return;
    [this.#times, this.#counts] = [this.#times.slice(this.#head), this.#counts.slice(this.#head)];
    this.#head = 0;
  }
}

interface Bound {
  used: number;
  newestMs: number;
}

export type EvictedSnapshot = readonly (readonly [slot: number, used: number, newestMs: number])[];

const slotCount = 4096;

/**
 * Upper bounds for the hits of evicted keys. Many keys share a slot, which holds the most hits any of them had and the
 * newest time of all. A key that returns starts with the bound of its slot, so it never gets more than its limit.
 */
export class EvictedHits {
  readonly #windowMs: number;
  readonly #bounds = new Map<number, Bound>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  add(key: string, log: HitLog): void {
    const slot = slotOf(key);
    const bound = this.#bounds.get(slot);
    if (bound === undefined) {
      this.#bounds.set(slot, { used: log.count, newestMs: log.newestMs });
    } else {
      bound.used = Math.max(bound.used, log.count);
      bound.newestMs = Math.max(bound.newestMs, log.newestMs);
    }
  }

  /** Returns the hits that a new key may have had before. */
  boundOf(key: string, nowMs: number): Readonly<Bound> | undefined {
    if (this.#bounds.size === 0) return undefined;
    const slot = slotOf(key);
    const bound = this.#bounds.get(slot);
    if (bound === undefined || bound.newestMs + this.#windowMs > nowMs) return bound;
    this.#bounds.delete(slot);
    return undefined;
  }

  snapshot(): EvictedSnapshot {
    return Array.from(this.#bounds, ([slot, { used, newestMs }]) => [slot, used, newestMs]);
  }

  load(bounds: EvictedSnapshot): void {
    for (const [slot, used, newestMs] of bounds) this.#bounds.set(slot, { used, newestMs });
  }

  clear(): void {
    this.#bounds.clear();
  }
}

function slotOf(key: string): number {
  return crc32(key) % slotCount;
}
