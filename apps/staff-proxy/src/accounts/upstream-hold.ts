const unaskedHoldMs = 1_000;
const unaskedHoldMsMax = 30_000;
/** `Retry-After: 0` is no leave to ask in a circle. */
const holdMsMin = 250;
/** What those that were on their way add to a hold is nothing new. */
const toldMsMin = holdMsMin;
/** Longer than this nobody is believed: then it is asked again. */
const holdMsMax = 3_600_000;

/** How long nobody enters because the upstream limits the account, and how many at a time may when that is over. */
export class UpstreamHold {
  /** By the gate's clock. */
  untilMs = Number.NEGATIVE_INFINITY;
  /** After a hold one goes first, and each that has been answered lets one more go. */
  window = Number.POSITIVE_INFINITY;
  /** How many holds there were without an answer between them. */
  #strikes = 0;

  /**
   * The upstream has said that it limits the account.
   * @returns for how long nobody enters, and whether that is news; undefined when it was to be so long already
   */
  begin(nowMs: number, askedMs: number | undefined): { readonly holdMs: number; readonly isNews: boolean } | undefined {
    // One for all that were on their way when it began.
    if (nowMs < this.untilMs && askedMs === undefined) return undefined;
    const unaskedMs = Math.min(unaskedHoldMsMax, unaskedHoldMs * 2 ** this.#strikes);
    if (nowMs >= this.untilMs) this.#strikes++;
    const holdMs = Math.min(holdMsMax, Math.max(holdMsMin, askedMs ?? unaskedMs));
    const longerMs = nowMs + holdMs - Math.max(nowMs, this.untilMs);
    if (longerMs <= 0) return undefined;
    this.untilMs = nowMs + holdMs;
    this.window = 1;
    return { holdMs, isNews: longerMs >= toldMsMin };
  }

  /** One that entered then has been answered, of so many that may be there at a time. */
  answer(enteredMs: number, concurrencyMax: number): void {
    if (enteredMs < this.untilMs) return;
    this.#strikes = 0;
    if (this.window < concurrencyMax) this.window++;
  }

  /** Who was over it when so many were let in stays over it when more are. */
  resize(concurrencyMaxBefore: number): void {
    if (this.window >= concurrencyMaxBefore) this.window = Number.POSITIVE_INFINITY;
  }
}
