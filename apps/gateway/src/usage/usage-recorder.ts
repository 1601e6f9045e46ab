import type { DependencyStatus } from '@rostergate/server/lifecycle';
import { Problem } from '@rostergate/server/problem';
import { type UsageCount, UsageCounter } from './usage-counter.ts';
import type { UsageDelta, UsageQuery, UsageRow, UsageStore } from './usage-store.ts';

export interface UsageRecorderOptions {
  /** Opens the store. */
  readonly open: () => Promise<UsageStore>;
  /** A name of this process that no other has. */
  readonly writer: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly flushMs: number;
  readonly keepDays: number;
  /** Series in memory that are counted apart. */
  readonly seriesMax?: number;
  /** Series in memory at which a flush does not wait for `flushMs`. */
  readonly earlySeries?: number;
  /** Called when the store becomes unavailable, with the error, and when it is available again. */
  readonly onChange: (error?: unknown) => void;
}

/** Requests since the start of the process. */
export interface UsageTotals {
  /** In the store. */
  readonly stored: number;
  /** In memory. */
  readonly waiting: number;
  /** Counted without their key and operation. */
  readonly overflowed: number;
  /** Flushes that failed. */
  readonly failures: number;
}

/** Counts of one transaction of a store. */
const deltaCounts = 1_000;
const hourMs = 3_600_000;

/**
 * Counts requests in memory and adds the counts to a store from time to time. What could not be stored is tried again:
 * each delta has an id, so it is added once.
 */
export class UsageRecorder {
  flushMs: number;
  keepDays: number;
  readonly #options: UsageRecorderOptions;
  readonly #counter: UsageCounter;
  readonly #earlySeries: number;
  #store: Promise<UsageStore> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  /** The counts that were taken and are not in a delta yet. */
  #taken: Iterator<UsageCount, undefined> | undefined;
  /** The delta that may or may not be in the store. */
  #delta: UsageDelta | undefined;
  #sequence = 0;
  #stored = 0;
  #failures = 0;
  #failure: { readonly sinceMs: number } | undefined;
  #tidiedHour = 0;
  #isClosed = false;

  constructor(options: UsageRecorderOptions) {
    const { clock, seriesMax = 200_000, earlySeries = 20_000, flushMs, keepDays } = options;
    this.#options = options;
    this.#counter = new UsageCounter({ clock, seriesMax });
    this.#earlySeries = earlySeries;
    this.flushMs = flushMs;
    this.keepDays = keepDays;
  }

  /** Counts a finished request. */
  count(caller: Parameters<UsageCounter['count']>[0], operation: string, status: number): void {
    this.#counter.count(caller, operation, status);
    if (this.#counter.series >= this.#earlySeries && this.#failure === undefined && !this.#isClosed) void this.flush();
  }

  /** Flushes from time to time, and at once so that readiness reports a store that is unavailable. */
  start(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    const next = (): void => {
      this.#timer = setTimeout(() => void this.flush().then(next), this.flushMs);
      this.#timer.unref();
      if (this.#isClosed) clearTimeout(this.#timer);
    };
    next();
    void this.flush();
  }

  /** Adds the counts so far to the store; resolves when that succeeded or failed. */
  flush(): Promise<void> {
    this.#flushing ??= this.#run().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async read(query: UsageQuery): Promise<readonly UsageRow[]> {
    try {
      return await (await this.#open()).read(query);
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw new Problem('unavailable', 'The store of the usage does not respond. Retry in 10 s.', {
        headers: { 'Retry-After': '10' },
        cause: error,
      });
    }
  }

  totals(): UsageTotals {
    const { counted, overflowed } = this.#counter;
    return { stored: this.#stored, waiting: counted - this.#stored, overflowed, failures: this.#failures };
  }

  status(): DependencyStatus {
    const { waiting, overflowed } = this.totals();
    const facts = { waiting_requests: waiting, ...(overflowed === 0 ? {} : { overflowed_requests: overflowed }) };
    if (this.#failure === undefined) return { status: 'ready', ...facts };
    const since = new Date(this.#failure.sinceMs).toISOString();
    const loss = overflowed === 0 ? '' : ` ${overflowed} of them are counted without their key.`;
    const reason = `The usage cannot be stored since ${since}: ${waiting} requests wait in memory.${loss}`;
    return { status: 'degraded', reason, ...facts };
  }

  /** Flushes within `withinMs` and closes the store. Resolves with the number of requests whose counts are lost. */
  async close(withinMs: number): Promise<number> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const deadline = Promise.withResolvers<void>();
    const timer = setTimeout(deadline.resolve, withinMs);
    // A flush that began earlier does not contain the last counts.
    const flushed = (this.#flushing ?? Promise.resolve()).then(() => this.flush());
    await Promise.race([flushed, deadline.promise]);
    clearTimeout(timer);
    void this.#store?.then((store) => store.close()).catch(() => {});
    return this.totals().waiting;
  }

  async #run(): Promise<void> {
    try {
      const store = await this.#open();
      let isLast = false;
      while (!isLast || this.#counter.series >= this.#earlySeries) {
        // What an earlier flush has taken comes first.
        isLast = this.#taken === undefined;
        this.#taken ??= this.#counter.take();
        await this.#send(store);
      }
      await this.#tidy(store);
      if (this.#failure !== undefined) this.#options.onChange();
      this.#failure = undefined;
    } catch (error) {
      this.#failures++;
      if (this.#failure === undefined) this.#options.onChange(error);
      this.#failure ??= { sinceMs: this.#options.clock() };
    }
  }

  /** Sends what was taken, one delta after the other. */
  async #send(store: UsageStore): Promise<void> {
    for (;;) {
      this.#delta ??= this.#nextDelta();
      if (this.#delta === undefined) break;
      await store.add(this.#delta);
      for (const { requests } of this.#delta.counts) this.#stored += requests;
      this.#delta = undefined;
    }
    this.#taken = undefined;
  }

  #nextDelta(): UsageDelta | undefined {
    const counts: UsageCount[] = [];
    while (counts.length < deltaCounts) {
      const next = this.#taken?.next();
      if (next === undefined || next.done === true) break;
      counts.push(next.value);
    }
    if (counts.length === 0) return undefined;
    return { writer: this.#options.writer, sequence: ++this.#sequence, counts };
  }

  /** Removes old counts, once an hour. */
  async #tidy(store: UsageStore): Promise<void> {
    const hour = Math.floor(this.#options.clock() / hourMs);
    if (hour === this.#tidiedHour) return;
    await store.removeBefore(hour - this.keepDays * 24);
    this.#tidiedHour = hour;
  }

  /** Returns the open store; one that could not be opened is opened again. */
  #open(): Promise<UsageStore> {
    if (this.#store === undefined) {
      this.#store = this.#options.open();
      this.#store.catch(() => {
        this.#store = undefined;
      });
    }
    return this.#store;
  }
}
