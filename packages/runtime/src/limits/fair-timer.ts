/** A timer so much too late tells of this process, not of whom it waits for, who then has the time once more. */
const stallMs = 10;
/** How often the network is looked at before the time is over: what is asked in one turn is answered in a later one. */
const turns = 3;

export interface FairTimerOptions {
  /** Milliseconds that never go back. */
  readonly clock: () => number;
}

/**
 * A deadline for an answer from the network. When this process itself pauses beyond it, the time counts once more from
 * the end of the pause, since nothing was sent or read meanwhile. It is never longer: not for a busy machine either.
 */
export class FairTimer {
  readonly #clock: () => number;
  readonly #onOver: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isCleared = false;

  constructor({ clock }: FairTimerOptions, onOver: () => void) {
    this.#clock = clock;
    this.#onOver = onOver;
  }

  set(ms: number): this {
    return this.#start(ms, () => this.#start(ms, () => this.#afterTurns(turns)));
  }

  clear(): void {
    this.#isCleared = true;
    clearTimeout(this.#timer);
  }

  unref(): this {
    this.#timer?.unref();
    return this;
  }

  #start(ms: number, afterPause: () => void): this {
    const dueMs = this.#clock() + ms;
    this.#timer = setTimeout(() => {
      if (this.#clock() - dueMs > stallMs) afterPause();
      else this.#afterTurns(turns);
    }, ms);
    return this;
  }

  #afterTurns(left: number): void {
    setImmediate(() => {
      if (this.#isCleared) return;
      if (left > 1) this.#afterTurns(left - 1);
      else this.#onOver();
    });
  }
}
