import type { ClientRateLimitInfo, Store } from 'express-rate-limit';
import type { SlidingWindow, WindowState } from './sliding-window.ts';

export interface SlidingWindowStoreOptions {
  /** May be shared: several stores, and one configuration after another, count in one window. */
  readonly window: SlidingWindow;
  readonly limit: number;
  /** Keeps the keys of this store apart from those of others in the same window. */
  readonly prefix: string;
}

/** The store behind express-rate-limit: an exact sliding window instead of its fixed one. */
export class SlidingWindowStore implements Store {
  /** The hits are in this process's memory. */
  readonly localKeys = true;
  readonly prefix: string;
  readonly #window: SlidingWindow;
  readonly #limit: number;

  constructor({ window, limit, prefix }: SlidingWindowStoreOptions) {
    this.#window = window;
    this.#limit = limit;
    this.prefix = prefix;
  }

  increment(key: string): ClientRateLimitInfo {
    return toInfo(this.#window.hit(this.prefix + key, this.#limit));
  }

  get(key: string): ClientRateLimitInfo | undefined {
    const state = this.#window.peek(this.prefix + key, this.#limit);
    return state && { totalHits: state.used, resetTime: new Date(state.resetAtMs) };
  }

  decrement(key: string): void {
    this.#window.undo(this.prefix + key);
  }

  resetKey(key: string): void {
    this.#window.forget(this.prefix + key);
  }

  resetAll(): void {
    this.#window.clear();
  }
}

function toInfo({ isAdmitted, used, resetAtMs }: WindowState): ClientRateLimitInfo {
  // The middleware refuses what is over the limit, and a refused hit is not among those used.
  return { totalHits: isAdmitted ? used : used + 1, resetTime: new Date(Math.ceil(resetAtMs)) };
}
