import { crc32 } from 'node:zlib';
import type { HitLog } from './hit-log.ts';

interface Bound {
  used: number;
  newestMs: number;
}

export type EvictedSnapshot = readonly (readonly [slot: number, used: number, newestMs: number])[];

const slotCount = 4096;

/**
 * Upper bounds of what evicted keys have used, many keys to a slot: the most hits any of them had, at the time of the
 * newest of all. Whoever returns takes the bound of its slot as its own past, so the truth is never exceeded.
 */
export class EvictedHits {
  readonly #windowMs: number;
  readonly #bounds = new Map<number, Bound>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  keep(key: string, log: HitLog): void {
    const slot = slotOf(key);
    const bound = this.#bounds.get(slot);
    if (bound === undefined) {
      this.#bounds.set(slot, { used: log.count, newestMs: log.newestMs });
    } else {
      bound.used = Math.max(bound.used, log.count);
      bound.newestMs = Math.max(bound.newestMs, log.newestMs);
    }
  }

  /** Puts the hits a new key may have had before into its log. */
  restore(key: string, nowMs: number, log: HitLog): void {
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
