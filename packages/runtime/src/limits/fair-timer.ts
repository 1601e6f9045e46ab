/** A timer so much too late tells of this process, not of whom it waits for, who then has the time once more. */
const stallMs = 10;
/** How often there may be more time, whatever the reason. */
const extensionsMax = 4;
/** How often the network is looked at before the time is over: what is asked in one turn is answered in a later one. */
const turns = 3;

export interface FairTimerOptions {
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  /** Whether this process lacks the processor. */
  readonly isStarved: () => boolean;
}

/**
 * A deadline for an answer from the network that is fair when this process itself is busy. Where it is not, the turns
 * of the event loop take no time.
 */
export class FairTimer {
  readonly #clock: () => number;
  readonly #isStarved: () => boolean;
  readonly #onOver: () => void;
  #timer: NodeJS.Timeout | undefined;
  #ms = 0;
  #dueMs = 0;
  #extensions = 0;
  #isCleared = false;

  constructor({ clock, isStarved }: FairTimerOptions, onOver: () => void) {
    this.#clock = clock;
    this.#isStarved = isStarved;
    this.#onOver = onOver;
  }

  set(ms: number): this {
    this.#ms = ms;
    this.#dueMs = this.#clock() + ms;
    this.#timer = setTimeout(() => this.#onTime(), ms);
    return this;
  }

  clear(): void {
    this.#isCleared = true;
    clearTimeout(this.#timer);
  }

  unref(): this {
    this.#timer?.unref();
    return this;
  }

  #onTime(): void {
    if (this.#clock() - this.#dueMs > stallMs) this.#extendOr(() => this.#afterTurns(turns));
    else this.#afterTurns(turns);
  }

  #afterTurns(left: number): void {
    setImmediate(() => {
      if (this.#isCleared) return;
      if (left > 1) this.#afterTurns(left - 1);
      else if (this.#isStarved()) this.#extendOr(this.#onOver);
      else this.#onOver();
    });
  }

  #extendOr(otherwise: () => void): void {
    if (this.#extensions === extensionsMax) {
      otherwise();
    } else {
      this.#extensions++;
      this.set(this.#ms);
    }
  }
}
