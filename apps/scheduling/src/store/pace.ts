import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '@rostergate/runtime/problem';
import { OutOfTime, processorTime } from './read-engine.ts';

/** How long the event loop may be held by one piece of a long read. */
const targetMs = 4;
const pieceMsMax = 8;
/** A single row cannot be cut: this long may all of its conditions together take. */
export const rowMsMax = 50;
const firstRows = 64;
const rowsMax = 1_000;

export interface PaceOptions {
  /** What a query may take of the processor altogether. */
  readonly budgetMs: number;
  /** Aborts when nobody waits for the response any more. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that pass: by them the pieces are cut. */
  readonly now?: (() => number) | undefined;
  /** Milliseconds of the processor: a busy machine makes no query costly. */
  readonly processor?: (() => number) | undefined;
}

/** Cuts a long read in pieces by the time that they take, so that other requests have their turn in between. */
export class Pace {
  readonly signal: AbortSignal | undefined;
  readonly #budgetMs: number;
  readonly #now: () => number;
  readonly #processor: () => number;
  #spentMs = 0;
  #rows = firstRows;
  #sinceTurnMs = 0;

  constructor(options: PaceOptions) {
    const { budgetMs, signal, now = () => performance.now(), processor = processorTime } = options;
    this.#budgetMs = budgetMs;
    this.signal = signal;
    this.#now = now;
    this.#processor = processor;
  }

  /**
   * Runs `work` on all rows, as many at a time as take a few milliseconds. `work` may end itself by `OutOfTime` once the
   * time that it is told is over; it is then run again on fewer rows.
   * @throws Problem 400 `query_too_costly` once all pieces together, or one row alone, have taken too long.
   */
  async *each<T>(
    rows: readonly number[],
    work: (rows: readonly number[], ms: number) => T | Promise<T>,
  ): AsyncGenerator<T> {
    for (let at = 0; at < rows.length; ) {
      const piece = rows.slice(at, at + this.#rows);
      const leftMs = this.#budgetMs - this.#spentMs;
      const limitMs = Math.min(piece.length === 1 ? rowMsMax : pieceMsMax, leftMs);
      let result: T | undefined;
      let isDone = true;
      const tookMs = await this.#measure(async () => {
        try {
          result = await work(piece, limitMs);
        } catch (error) {
          if (!(error instanceof OutOfTime)) throw error;
          isDone = false;
        }
      });
      if (!isDone && piece.length === 1) throw queryTooCostly(Math.min(rowMsMax, this.#budgetMs));
      if (!isDone && this.#spentMs >= this.#budgetMs) throw queryTooCostly(this.#budgetMs);
      this.#rows = isDone ? nextSize(piece.length, tookMs) : Math.max(1, piece.length >> 3);
      if (isDone) {
        at += piece.length;
        yield result as T;
      }
      if (at < rows.length && this.#spentMs >= this.#budgetMs) throw queryTooCostly(this.#budgetMs);
      await this.breathe(at < rows.length);
    }
  }

  /** Counts what `work` takes; it cannot be cut. */
  async timed<T>(work: () => T | Promise<T>): Promise<T> {
    let result: T | undefined;
    await this.#measure(async () => {
      result = await work();
    });
    return result as T;
  }

  async #measure(work: () => Promise<void>): Promise<number> {
    const startedMs = this.#now();
    const usedMs = this.#processor();
    await work();
    this.#spentMs += this.#processor() - usedMs;
    const tookMs = this.#now() - startedMs;
    this.#sinceTurnMs += tookMs;
    return tookMs;
  }

  /** Lets others have their turn now. */
  async rest(): Promise<void> {
    this.#sinceTurnMs = 0;
    await nextTurn();
    if (this.signal?.aborted) throw abandoned();
  }

  /** Lets others have their turn once enough has been done since the last. */
  async breathe(isMoreToCome = true): Promise<void> {
    if (this.signal?.aborted) throw abandoned();
    if (!isMoreToCome || this.#sinceTurnMs < targetMs / 2) return;
    await this.rest();
  }
}

export function queryTooCostly(budgetMs: number): Problem {
  return new Problem(
    'query_too_costly',
    `The query took longer than it may, ${budgetMs} ms. Ask for less: a filter on StaffKey, ` +
      'StaffId, LastName, Npi or Email first, and fewer functions, any and all.',
  );
}

function nextSize(rows: number, tookMs: number): number {
  const wanted = Math.floor((rows * targetMs) / Math.max(tookMs, 0.1));
  return Math.max(1, Math.min(wanted, rows * 4, rowsMax));
}

/** By the code that Node gives it. */
function abandoned(): Error {
  return Object.assign(new Error('The caller has gone away.'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}
