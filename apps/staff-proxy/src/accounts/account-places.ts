/** To be left exactly when nothing of the exchange is left; leaving twice does no harm. */
export interface Place {
  /** The answer has begun; from here on the reader sets the pace. */
  begin(): void;
  leave(): void;
}

export interface AccountPlacesOptions {
  /** The answer to one that entered then has begun, or never will. */
  readonly onAnswered: (enteredMs: number) => void;
  /** The last of an answer has gone. */
  readonly onStreamed: () => void;
}

/** How many answers that have begun one lane may have on their way for each place. */
const streamsPerPlaceMax = 4;

/** Who of an account is at the upstream, of so many that may be. */
export class AccountPlaces {
  concurrencyMax: number;
  working = 0;
  /** Answers that have begun and are still on their way. */
  streaming = 0;
  readonly #streamingByLane = new Map<string, number>();
  readonly #options: AccountPlacesOptions;

  constructor(concurrencyMax: number, options: AccountPlacesOptions) {
    this.concurrencyMax = concurrencyMax;
    this.#options = options;
  }

  /** Slow readers never take more than half of the places. */
  areFree(windowMax: number): boolean {
    const { concurrencyMax } = this;
    return this.working + Math.min(this.streaming, concurrencyMax >> 1) < Math.min(windowMax, concurrencyMax);
  }

  /** Streams beyond half of the places take none from others, but connections and memory. */
  mayGo(lane: string): boolean {
    return (this.#streamingByLane.get(lane) ?? 0) < streamsPerPlaceMax * this.concurrencyMax;
  }

  take(lane: string, enteredMs: number): Place {
    this.working++;
    return new Stay(this, lane, enteredMs);
  }

  begin(lane: string, enteredMs: number): void {
    this.working--;
    this.#addStreaming(lane, 1);
    this.#options.onAnswered(enteredMs);
  }

  /** Without an answer. */
  giveBack(enteredMs: number): void {
    this.working--;
    this.#options.onAnswered(enteredMs);
  }

  endStream(lane: string): void {
    this.#addStreaming(lane, -1);
    this.#options.onStreamed();
  }

  #addStreaming(lane: string, change: 1 | -1): void {
    this.streaming += change;
    const count = (this.#streamingByLane.get(lane) ?? 0) + change;
    if (count === 0) this.#streamingByLane.delete(lane);
    else this.#streamingByLane.set(lane, count);
  }
}

class Stay implements Place {
  readonly #places: AccountPlaces;
  readonly #lane: string;
  readonly #enteredMs: number;
  #state: 'working' | 'streaming' | 'left' = 'working';

  constructor(places: AccountPlaces, lane: string, enteredMs: number) {
    this.#places = places;
    this.#lane = lane;
    this.#enteredMs = enteredMs;
  }

  begin(): void {
    if (this.#state !== 'working') return;
    this.#state = 'streaming';
    this.#places.begin(this.#lane, this.#enteredMs);
  }

  leave(): void {
    const state = this.#state;
    if (state === 'left') return;
    this.#state = 'left';
    if (state === 'streaming') this.#places.endStream(this.#lane);
    else this.#places.giveBack(this.#enteredMs);
  }
}
