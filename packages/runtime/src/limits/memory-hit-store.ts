import type { HitStore } from './hit-store.ts';
import { SlidingWindow, type SlidingWindowOptions } from './sliding-window.ts';

/** Counts in this process's memory, which is always there and knows of no other process. */
export function createMemoryHitStore(options: SlidingWindowOptions): HitStore {
  const window = new SlidingWindow(options);
  return {
    windowMs: options.windowMs,
    hit: (hit) => window.hitAll(hit),
    opened: async () => {},
    status: () => ({ status: 'ready', store: 'memory' }),
    close: async () => {},
  };
}
