import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '@rostergate/server/problem';
import { OutOfTime, processorTime } from './read-engine.ts';

/** How long one piece of a long read may occupy the event loop. */
const targetMs = 4;
const pieceMsMax = 8;
/** Limit for one row, which cannot be divided. */
export const rowMsMax = 50;
const firstRows = 64;
const rowsMax = 1_000;

export interface PaceOptions {
  /** CPU time that a query may use in total. */
  readonly budgetMs: number;
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** Wall-clock milliseconds, which determine the size of the pieces. */
  readonly now?: (() => number) | undefined;
  /** CPU milliseconds, which count against the budget: a busy machine makes no query more expensive. */
  readonly processor?: (() => number) | undefined;
}

/** Divides a long read into pieces of a few milliseconds, so that other requests run in between. */
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
   * Runs `work` on all rows, a few milliseconds of them at a time. `work` gets its time limit and may throw
   * `OutOfTime`; it then runs again on fewer rows.
   * @throws Problem 400 `query_too_costly` when all pieces together, or one row, take too long
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
      await this.pauseWhenDue(at < rows.length);
    }
  }

  /** Adds the time of `work`, which cannot be divided, to the budget. */
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

  /** Lets other requests run now. */
  async pause(): Promise<void> {
    this.#sinceTurnMs = 0;
    await nextTurn();
    if (this.signal?.aborted) throw disconnected();
  }

  /** Lets other requests run if enough time has passed since the last pause. */
  async pauseWhenDue(isMoreToCome = true): Promise<void> {
    if (this.signal?.aborted) throw disconnected();
    if (!isMoreToCome || this.#sinceTurnMs < targetMs / 2) return;
    await this.pause();
  }
}

/** Returns a function that lets other requests run, once a few milliseconds have passed since it last did. */
export function createPause(now: () => number = () => performance.now()): () => Promise<void> {
  let lastMs = now();
  return async () => {
    if (now() - lastMs < targetMs) return;
    await nextTurn();
    lastMs = now();
  };
}

export function queryTooCostly(budgetMs: number): Problem {
  return new Problem(
    'query_too_costly',
    `The query took longer than the limit of ${budgetMs} ms. Simplify it: filter by StaffKey, ` +
      'StaffId, LastName, Npi or Email first, and use fewer functions, any and all.',
  );
}

function nextSize(rows: number, tookMs: number): number {
  const wanted = Math.floor((rows * targetMs) / Math.max(tookMs, 0.1));
  return Math.max(1, Math.min(wanted, rows * 4, rowsMax));
}

/** The code is the one that Node gives a closed response. */
function disconnected(): Error {
  return Object.assign(new Error('The client has disconnected.'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}
