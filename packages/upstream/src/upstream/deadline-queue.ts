/** Work with a deadline; a node of the queue. */
export interface Due {
  /** The deadline by the queue's clock; may be moved later while it waits. */
  readonly dueMs: number;
  /** Called at the deadline. Removes the work from the queue, or moves the deadline later. */
  expire(): void;
  /** Links of the queue. */
  before: Due | undefined;
  after: Due | undefined;
}

/**
 * One timer for many deadlines. Nearly all work ends long before its deadline, and a timer for each costs more than two
 * links.
 */
export class DeadlineQueue {
  readonly #clock: () => number;
  #last: Due | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timerMs = Number.POSITIVE_INFINITY;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get nowMs(): number {
    return this.#clock();
  }

  add(due: Due): void {
    due.before = this.#last;
    if (this.#last !== undefined) this.#last.after = due;
    this.#last = due;
    if (due.dueMs < this.#timerMs) this.#arm(due.dueMs);
  }

  /** Removes work that is done. Call it once. */
  remove(due: Due): void {
    const { before, after } = due;
    if (before !== undefined) before.after = after;
    if (after !== undefined) after.before = before;
    else this.#last = before;
    due.before = undefined;
    due.after = undefined;
  }

  #arm(dueMs: number): void {
    clearTimeout(this.#timer);
    this.#timerMs = dueMs;
    // The socket of the work keeps the process alive.
    this.#timer = setTimeout(this.#expire, Math.max(0, Math.ceil(dueMs - this.#clock()))).unref();
  }

  readonly #expire = (): void => {
    this.#timerMs = Number.POSITIVE_INFINITY;
    // A timer may fire a fraction of a millisecond early.
    const nowMs = this.#clock() + 1;
    let nextMs = Number.POSITIVE_INFINITY;
    const expired: Due[] = [];
    for (let due = this.#last; due !== undefined; due = due.before) {
      if (due.dueMs <= nowMs) expired.push(due);
      else if (due.dueMs < nextMs) nextMs = due.dueMs;
    }
    if (nextMs < this.#timerMs) this.#arm(nextMs);
    for (const due of expired.reverse()) due.expire();
  };
}
