/** Returns milliseconds since the epoch that no change of the system clock moves. */
export function monotonicNow(): number {
  return timeOriginMs + performance.now();
}

const timeOriginMs = performance.timeOrigin;

/** Returns milliseconds by a clock that all processes of the machine share and nothing can set. */
export function machineNow(): number {
  return machineStartMs + performance.now();
}

const machineStartMs = readMachineStart();

/**
 * Reads both clocks until it succeeds within 0.1 ms: a pause between the two reads would shift the clock of this
 * process.
 */
function readMachineStart(triesLeft = 100): number {
  const nowMs = performance.now();
  const startMs = Number(process.hrtime.bigint()) / 1e6 - nowMs;
  return triesLeft === 0 || performance.now() - nowMs < 0.1 ? startMs : readMachineStart(triesLeft - 1);
}

export interface PauseTolerantTimerOptions {
  /** Milliseconds that never go back. */
  readonly clock: () => number;
}

/** A timer that fires later than this was delayed by a pause of this process. */
const stallMs = 10;
/** Turns of the event loop between the deadline and the callback, so that received responses are read first. */
const turns = 3;

/**
 * A deadline for a response from the network. If this process pauses beyond the deadline, the time starts again once,
 * at the end of the pause, because nothing was sent or read meanwhile.
 */
export class PauseTolerantTimer {
  readonly #clock: () => number;
  readonly #onDeadline: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isCleared = false;

  constructor({ clock }: PauseTolerantTimerOptions, onDeadline: () => void) {
    this.#clock = clock;
    this.#onDeadline = onDeadline;
  }

  set(ms: number): this {
    return this.#start(ms, () => this.#start(ms, () => this.#fireAfter(turns)));
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
    const deadlineMs = this.#clock() + ms;
    this.#timer = setTimeout(() => {
      if (this.#clock() - deadlineMs > stallMs) afterPause();
      else this.#fireAfter(turns);
    }, ms);
    return this;
  }

  #fireAfter(turnsLeft: number): void {
    setImmediate(() => {
      if (this.#isCleared) return;
      if (turnsLeft > 1) this.#fireAfter(turnsLeft - 1);
      else this.#onDeadline();
    });
  }
}
