import type { Hit, HitState, Verdict } from './hit-store.ts';
import { SlidingWindow, type SlidingWindowOptions } from './sliding-window.ts';

interface Use {
  used: number;
  untilMs: number;
}

const usesMax = 50_000;

/**
 * Counts in place of a store that is away, going on from what the store last said. Of that only what is certain is
 * held against a caller: as many hits as were used then, until the first of them leaves. So nobody is refused whom the
 * store would have admitted.
 */
export class LocalCount {
  readonly #clock: () => number;
  readonly #windowMs: number;
  readonly #window: SlidingWindow;
  // What was said more than a window ago has lost its meaning: the maps take turns, and the elder is dropped whole.
  #uses = new Map<string, Use>();
  #elderUses = new Map<string, Use>();
  #turnMs = Number.NEGATIVE_INFINITY;

  constructor(options: SlidingWindowOptions) {
    this.#clock = options.clock;
    this.#windowMs = options.windowMs;
    this.#window = new SlidingWindow(options);
  }

  /** Takes note of what the store has said of a hit that it was asked about at `askedMs`. */
  learn({ keys, limits }: Hit, verdict: Verdict, askedMs: number): void {
    if (askedMs - this.#turnMs > this.#windowMs || this.#uses.size >= usesMax) {
      this.#elderUses = this.#uses;
      this.#uses = new Map();
      this.#turnMs = askedMs;
    }
    for (let i = 0; i < verdict.length; i++) {
      const { used, resetMs } = verdict[i] as HitState;
      // Over a limit that was lowered, only as many as the limit are sure to stay that long.
      const certain = Math.min(used, limits[i] as number);
      // The store rounds up to whole milliseconds.
      const untilMs = askedMs + resetMs - 1;
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
  hit({ keys, limits }: Hit): Verdict {
    const nowMs = this.#clock();
    const uses = keys.map((key) => this.#useOf(key, nowMs));
    const rests = limits.map((limit, i) => limit - (uses[i]?.used ?? 0));
    return this.#window.hitAll({ keys, limits: rests }).map((state, i) => {
      const use = uses[i];
      if (use === undefined) return state;
      const useMs = use.untilMs - nowMs;
      const isWindowFirst = state.used > 0 && (rests[i] as number) > 0 && state.resetMs < useMs;
      return {
        isAdmitted: state.isAdmitted,
        used: state.used + use.used,
        resetMs: isWindowFirst ? state.resetMs : useMs,
      };
    });
  }

  /** Forgets the hits that were counted here: the store is back and counts for itself. */
  clear(): void {
    this.#window.clear();
  }

  #useOf(key: string, nowMs: number): Use | undefined {
    const use = this.#uses.get(key) ?? this.#elderUses.get(key);
    return use !== undefined && use.used > 0 && use.untilMs > nowMs ? use : undefined;
  }
}
