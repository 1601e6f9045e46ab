import { bucketMsOf, exactLimitMax, type HitWindow } from './hit-store.ts';
import { EvictedHits, type EvictedSnapshot, type HitLog, HitRuns, HitTimes } from './hit-times.ts';
import { periodEndAfter } from './period.ts';

export interface KeyLogsOptions {
  readonly window: HitWindow;
  /** Keys that are counted one by one; beyond this number the least used are evicted into shared upper bounds. */
  readonly keysMax: number;
  /** Milliseconds to add to the clock for the time in UTC. */
  readonly utcOffsetMs: number;
}

/** The logs of one window as plain data. */
export interface KeyLogsSnapshot {
  readonly logs: readonly (readonly [key: string, times: readonly number[], counts?: readonly number[]])[];
  readonly evicted: EvictedSnapshot;
}

/**
 * The logs of all keys of one window. At most `keysMax` keys have a log of their own. Each new key inspects a few logs
 * in turn: idle ones are dropped, else the least used of them is evicted into a table of upper bounds (`EvictedHits`).
 * An evicted key that returns starts with that bound, so eviction may reject a client early but never admits more than
 * the limit.
 *
 * In a period of the calendar, the time of a hit is the end of its period, where it leaves at once.
 */
export class KeyLogs {
  /** How long a hit stays after its time. */
  readonly staysMs: number;
  readonly #window: HitWindow;
  readonly #keysMax: number;
  readonly #utcOffsetMs: number;
  readonly #logs = new Map<string, HitLog>();
  readonly #evicted: EvictedHits;
  /** Iterates over the logs, least recently inspected first: inspecting a log moves it to the end of the map. */
  #cursor = this.#logs.entries();
  /** The end of the current period. */
  #periodEndMs = Number.NEGATIVE_INFINITY;

  constructor({ window, keysMax, utcOffsetMs }: KeyLogsOptions) {
    this.#window = window;
    this.#keysMax = keysMax;
    this.#utcOffsetMs = utcOffsetMs;
    this.staysMs = typeof window === 'number' ? window : 0;
    this.#evicted = new EvictedHits(this.staysMs);
  }

  /** Number of keys with a log of their own. */
  get size(): number {
    return this.#logs.size;
  }

  get(key: string): HitLog | undefined {
    return this.#logs.get(key);
  }

  /** Returns a log for a key without one, with the hits it may have had before it was evicted. */
  create(key: string, nowMs: number): HitLog {
    const bound = this.#evicted.boundOf(key, nowMs);
    if (bound === undefined) return typeof this.#window === 'number' ? new HitTimes() : new HitRuns();
    const log = bound.used > exactLimitMax || typeof this.#window !== 'number' ? new HitRuns() : new HitTimes();
    log.repeat(bound.newestMs, bound.used);
    return log;
  }

  /** Returns the time to record for a hit under this limit. */
  timeOf(nowMs: number, limit: number): number {
    if (typeof this.#window !== 'number') return this.#periodEnd(nowMs);
    const bucketMs = bucketMsOf(this.#window, limit);
    return Math.ceil(nowMs / bucketMs) * bucketMs;
  }

  /** Returns the log of a key to count this limit in: one in buckets above the highest exact limit. */
  logFor(key: string, log: HitLog, limit: number): HitLog {
    if (log instanceof HitRuns || limit <= exactLimitMax) return log;
    const bucketMs = bucketMsOf(this.staysMs, limit);
    const runs = new HitRuns();
    for (const timeMs of log.entries()[0]) runs.push(Math.ceil(timeMs / bucketMs) * bucketMs);
    if (this.#logs.has(key)) this.#logs.set(key, runs);
    return runs;
  }

  /** Returns how long a limit of 0 stays exceeded. */
  wholeMs(nowMs: number): number {
    return typeof this.#window === 'number' ? this.#window : this.#periodEnd(nowMs) - nowMs;
  }

  add(key: string, log: HitLog, nowMs: number): void {
    this.#evict(nowMs);
    this.#logs.set(key, log);
  }

  snapshot(): KeyLogsSnapshot {
    return { logs: Array.from(this.#logs, ([key, log]) => [key, ...log.entries()]), evicted: this.#evicted.snapshot() };
  }

  restore({ logs, evicted }: KeyLogsSnapshot): void {
    for (const [key, times, counts] of logs) {
      const log = counts === undefined ? new HitTimes() : new HitRuns();
      for (let i = 0; i < times.length; i++) log.repeat(times[i] as number, counts?.[i] ?? 1);
      this.#logs.set(key, log);
    }
    this.#evicted.load(evicted);
  }

  clear(): void {
    this.#logs.clear();
    this.#cursor = this.#logs.entries();
    this.#evicted.clear();
  }

  #periodEnd(nowMs: number): number {
    if (nowMs >= this.#periodEndMs) {
      const utcMs = nowMs + this.#utcOffsetMs;
      this.#periodEndMs = periodEndAfter(utcMs, this.#window as 'day' | 'month') - this.#utcOffsetMs;
    }
    return this.#periodEndMs;
  }

  /** Inspects a few logs for each new key, so idle keys are dropped without a timer or a long pause. */
  #evict(nowMs: number): void {
    let leastUsedKey: string | undefined;
    let leastUsed: HitLog | undefined;
    for (let left = Math.min(inspectedPerKey, this.#logs.size); left > 0; left--) {
      let next = this.#cursor.next();
      if (next.done) {
        this.#cursor = this.#logs.entries();
        next = this.#cursor.next();
        if (next.done) break;
      }
      const [key, log] = next.value;
      log.dropExpired(nowMs, this.staysMs);
      this.#logs.delete(key);
      if (log.count === 0) continue;
      this.#logs.set(key, log);
      if (leastUsed === undefined || log.count < leastUsed.count) {
        leastUsedKey = key;
        leastUsed = log;
      }
    }
    if (this.#logs.size < this.#keysMax || leastUsed === undefined || leastUsedKey === undefined) return;
    this.#logs.delete(leastUsedKey);
    this.#evicted.add(leastUsedKey, leastUsed);
  }
}

const inspectedPerKey = 8;
