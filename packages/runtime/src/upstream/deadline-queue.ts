/** What has to be over by a moment; a link of the queue that it waits in. */
export interface Due {
  /** By the queue's clock; may be put off while it waits. */
  readonly dueMs: number;
  /** The moment has come. Is to be removed, or put off, by then. */
  expire(): void;
  /** The queue's own. */
  before: Due | undefined;
  after: Due | undefined;
}

/**
 * One timer for all that is on its way. Nearly all of it is over long before its moment: a timer for each costs more
 * than two links.
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

  /** It is over. To be called once. */
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
    // What is waited for has a socket, which keeps the process for as long as it is needed.
    this.#timer = setTimeout(this.#expire, Math.max(0, Math.ceil(dueMs - this.#clock()))).unref();
  }

  readonly #expire = (): void => {
    this.#timerMs = Number.POSITIVE_INFINITY;
    // A timer may come a fraction of a millisecond early.
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
