import type { Hit, HitState, HitWindow, Verdict } from './hit-store.ts';
import { periodLengthAt } from './period.ts';
import { SlidingWindow, type SlidingWindowOptions } from './sliding-window.ts';

interface Use {
  used: number;
  untilMs: number;
}

const usesMax = 50_000;

/**
 * Counts while a remote store is unavailable, continuing from its last verdicts. Only certain hits are charged: as many
 * as were used then, until the first of them leaves the window. So no client is rejected that the store would have
 * admitted.
 */
export class LocalCount {
  readonly #clock: () => number;
  /** The longest window so far. */
  #longestMs: number;
  readonly #window: SlidingWindow;
  // Verdicts older than the longest window are meaningless, so the older of two maps is dropped as a whole.
  #uses = new Map<string, Use>();
  #olderUses = new Map<string, Use>();
  #rotatedMs = Number.NEGATIVE_INFINITY;

  constructor(options: SlidingWindowOptions) {
    this.#clock = options.clock;
    this.#longestMs = options.windowMs;
    this.#window = new SlidingWindow(options);
  }

  /** Records the verdict of the store on a hit that was sent at `sentMs`. */
  learn({ keys, limits, windows }: Hit, verdict: Verdict, sentMs: number): void {
    if (windows !== undefined)
      for (const window of windows) this.#longestMs = Math.max(this.#longestMs, lengthOf(window));
    if (sentMs - this.#rotatedMs > this.#longestMs || this.#uses.size >= usesMax) {
      this.#olderUses = this.#uses;
      this.#uses = new Map();
      this.#rotatedMs = sentMs;
    }
    for (let i = 0; i < verdict.length; i++) {
      const { used, resetMs } = verdict[i] as HitState;
      // Over a lowered limit, only as many hits as the limit are certain to stay that long.
      const certain = Math.min(used, limits[i] as number);
      // The store rounds up to whole milliseconds.
      const untilMs = sentMs + resetMs - 1;
      const use = this.#uses.get(keys[i] as string);
      if (use === undefined) {
        this.#uses.set(keys[i] as string, { used: certain, untilMs });
      } else {
        use.used = certain;
        use.untilMs = untilMs;
      }
    }
  }

  /** Decides like the store, as far as this process can know. */
  hit({ keys, limits, windows }: Hit): Verdict {
    const nowMs = this.#clock();
    const uses = keys.map((key) => this.#useOf(key, nowMs));
    const remaining = limits.map((limit, i) => limit - (uses[i]?.used ?? 0));
    return this.#window.hitAll({ keys, limits: remaining, windows }).map((state, i) => {
      const use = uses[i];
      if (use === undefined) return state;
      const useMs = use.untilMs - nowMs;
      const isWindowFirst = state.used > 0 && (remaining[i] as number) > 0 && state.resetMs < useMs;
      return {
        isAdmitted: state.isAdmitted,
        used: state.used + use.used,
        resetMs: isWindowFirst ? state.resetMs : useMs,
      };
    });
  }

  /** Forgets the hits counted here, for when the store counts again. */
  clear(): void {
    this.#window.clear();
  }

  #useOf(key: string, nowMs: number): Use | undefined {
    const use = this.#uses.get(key) ?? this.#olderUses.get(key);
    return use !== undefined && use.used > 0 && use.untilMs > nowMs ? use : undefined;
  }
}

function lengthOf(window: HitWindow): number {
  return typeof window === 'number' ? window : periodLengthAt(0, window);
}
