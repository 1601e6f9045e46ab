import { crc32 } from 'node:zlib';

/**
 * The times of the hits in the window, oldest first: a ring buffer that doubles when it is full, so its length is a
 * power of two. Times are whole milliseconds and never go back.
 */
export class HitTimes {
  #times: number[] = [0, 0, 0, 0];
  #head = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Returns the time of the hit at `index`; 0 is the oldest. */
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

  times(): number[] {
    return Array.from({ length: this.#count }, (_, i) => this.at(i));
  }

  /** Drops the hits that have left the window by `nowMs`. */
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

  add(key: string, log: HitTimes): void {
    const slot = slotOf(key);
    const bound = this.#bounds.get(slot);
    if (bound === undefined) {
      this.#bounds.set(slot, { used: log.count, newestMs: log.newestMs });
    } else {
      bound.used = Math.max(bound.used, log.count);
      bound.newestMs = Math.max(bound.newestMs, log.newestMs);
    }
  }

  /** Adds the hits that a new key may have had before to its log. */
  restore(key: string, nowMs: number, log: HitTimes): void {
    if (this.#bounds.size === 0) return;
    const slot = slotOf(key);
    const bound = this.#bounds.get(slot);
    if (bound === undefined) return;
    if (bound.newestMs + this.#windowMs <= nowMs) {
      this.#bounds.delete(slot);
      return;
    }
    for (let i = 0; i < bound.used; i++) log.push(bound.newestMs);
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
