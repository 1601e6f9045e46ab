/**
 * The times of the hits that still count, oldest first: a ring that doubles up to what is needed, so that its length is
 * a power of two.
 * Times are whole milliseconds and never go back.
 */
export class HitLog {
  #times: number[] = [0, 0, 0, 0];
  #head = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The time of the hit at `index`, 0 being the oldest. */
  at(index: number): number {
    return this.#times[(this.#head + index) & (this.#times.length - 1)] as number;
  }

  get newestMs(): number {
    return this.#count === 0 ? Number.NEGATIVE_INFINITY : this.at(this.#count - 1);
  }

  push(timeMs: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[(this.#head + this.#count) & (this.#times.length - 1)] = timeMs;
    this.#count++;
  }

  times(): number[] {
    return Array.from({ length: this.#count }, (_, i) => this.at(i));
  }

  /** Forgets the hits that have left a window of that length by `nowMs`. */
  dropExpired(nowMs: number, windowMs: number): void {
    while (this.#count > 0 && (this.#times[this.#head] as number) + windowMs <= nowMs) {
      this.#head = this.#head + 1 === this.#times.length ? 0 : this.#head + 1;
      this.#count--;
    }
  }

  #grow(): void {
    const times = new Array<number>(this.#times.length * 2).fill(0);
    for (let i = 0; i < this.#count; i++) times[i] = this.at(i);
    this.#times = times;
    this.#head = 0;
  }
}
