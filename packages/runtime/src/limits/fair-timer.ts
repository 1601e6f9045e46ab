/** A timer so much too late tells of this process, not of whom it waits for, who then has as much time more. */
const stallMs = 10;

/**
 * A deadline for an answer from the network that is fair when this process itself has been busy: it comes only after
 * the network has been looked at, and later when the timer was late.
 */
export class FairTimer {
  readonly #clock: () => number;
  readonly #onOver: () => void;
  #timer: NodeJS.Timeout | undefined;
  #dueMs = 0;
  #hasStalled = false;
  #isCleared = false;

  constructor(clock: () => number, onOver: () => void) {
    this.#clock = clock;
    this.#onOver = onOver;
  }

  set(ms: number): void {
    this.#dueMs = this.#clock() + ms;
    this.#timer = setTimeout(() => this.#onTime(), ms);
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
    if (!this.#hasStalled && this.#clock() - this.#dueMs > stallMs) {
      this.#hasStalled = true;
      this.set(stallMs);
      return;
    }
    // Timers are looked at before the network: an answer may have come in this turn.
    setImmediate(() => {
      if (!this.#isCleared) this.#onOver();
    });
  }
}
