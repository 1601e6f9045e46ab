import type { Hit, HitState, HitStore, Verdict } from './hit-store.ts';
import { EvictedHits, type EvictedSnapshot, HitTimes } from './hit-times.ts';

export interface SlidingWindowOptions {
  readonly windowMs: number;
  /** Milliseconds that should never go back. Only differences matter. */
  readonly clock: () => number;
  /** Keys that are counted one by one; beyond this number the least used are evicted into shared upper bounds. */
  readonly keysMax?: number;
}

/** The state of a window as plain data, for another process. */
export interface WindowSnapshot {
  readonly nowMs: number;
  readonly logs: readonly (readonly [key: string, times: readonly number[]])[];
  readonly evicted: EvictedSnapshot;
}

/**
 * An exact sliding window: no window of `windowMs` holds more admitted hits of a key than the limit, wherever it
 * begins. A rejected hit is not recorded, so it prolongs nothing. The limit comes with each hit, so a new configuration
 * changes it without resetting the count.
 *
 * Memory is bounded: at most `keysMax` keys have a log of their own. Each new key inspects a few logs in turn: idle
 * ones are dropped, else the least used of them is evicted into a table of upper bounds (`EvictedHits`). An evicted key
 * that returns starts with that bound, so eviction may reject a client early but never admits more than the limit.
 */
export class SlidingWindow {
  readonly windowMs: number;
  readonly #clock: () => number;
  readonly #keysMax: number;
  readonly #logs = new Map<string, HitTimes>();
  readonly #evicted: EvictedHits;
  /** The logs of the current hit: one array reused for all hits. */
  readonly #hitLogs: HitTimes[] = [];
  /** Iterates over the logs, least recently inspected first: inspecting a log moves it to the end of the map. */
  #cursor = this.#logs.entries();
  #clockMs = Number.NEGATIVE_INFINITY;
  #nowMs = Number.NEGATIVE_INFINITY;

  constructor({ windowMs, clock, keysMax = 50_000 }: SlidingWindowOptions) {
    this.windowMs = windowMs;
    this.#clock = clock;
    this.#keysMax = keysMax;
    this.#evicted = new EvictedHits(windowMs);
  }

  /** Number of keys with a log of their own. */
  get size(): number {
    return this.#logs.size;
  }

  /** Admits and records a hit under one key, or rejects it and changes nothing. */
  hit(key: string, limit: number): HitState {
    return this.hitAll({ keys: [key], limits: [limit] })[0] as HitState;
  }

  /** Admits and records a hit under all of its keys, or changes nothing. */
  hitAll({ keys, limits }: Hit): Verdict {
    const nowMs = this.#now();
    const logs = this.#hitLogs;
    const count = keys.length;
    let isAdmitted = true;
    let isNew = 0;
    for (let i = 0; i < count; i++) {
      let log = this.#logs.get(keys[i] as string);
      if (log === undefined) {
        log = this.#createLog(keys[i] as string, nowMs);
        isNew |= 1 << i;
      } else {
        log.dropExpired(nowMs, this.windowMs);
      }
      if (log.count >= (limits[i] as number)) isAdmitted = false;
      logs[i] = log;
    }
    if (isAdmitted) {
      // Rounded up: recorded too early, two hits could be admitted less than a window apart.
      const timeMs = Math.ceil(nowMs);
      for (let i = 0; i < count; i++) (logs[i] as HitTimes).push(timeMs);
      // Last, because adding one log drops logs without hits.
      if (isNew !== 0) {
        for (let i = 0; i < count; i++)
          if (isNew & (1 << i)) this.#addLog(keys[i] as string, logs[i] as HitTimes, nowMs);
      }
    }
    const verdict = new Array<HitState>(count);
    for (let i = 0; i < count; i++) verdict[i] = this.#stateOf(logs[i] as HitTimes, limits[i] as number, isAdmitted);
    return verdict;
  }

  /** Returns the state of a key without counting a hit; undefined for a key without hits in the window. */
  peek(key: string, limit: number): HitState | undefined {
    const log = this.#logs.get(key);
    const nowMs = this.#now();
    log?.dropExpired(nowMs, this.windowMs);
    return log === undefined || log.count === 0 ? undefined : this.#stateOf(log, limit, false);
  }

  /** Returns everything that later decisions depend on: a window restored from it makes the same decisions. */
  snapshot(): WindowSnapshot {
    return {
      nowMs: this.#nowMs,
      logs: Array.from(this.#logs, ([key, log]) => [key, log.times()]),
      evicted: this.#evicted.snapshot(),
    };
  }

  restore({ nowMs, logs, evicted }: WindowSnapshot): void {
    this.clear();
    this.#nowMs = nowMs;
    for (const [key, times] of logs) {
      const log = new HitTimes();
      for (const time of times) log.push(time);
      this.#logs.set(key, log);
    }
    this.#evicted.load(evicted);
  }

  clear(): void {
    this.#logs.clear();
    this.#cursor = this.#logs.entries();
    this.#evicted.clear();
  }

  #stateOf(log: HitTimes, limit: number, isRecorded: boolean): HitState {
    const { count } = log;
    if (isRecorded || count < limit) {
      const resetMs = count === 0 ? 0 : log.at(0) + this.windowMs - this.#clockMs;
      return { isAdmitted: true, used: count, resetMs };
    }
    // After a limit was lowered, several hits may have to leave the window first.
    const resetMs = limit > 0 ? log.at(count - limit) + this.windowMs - this.#clockMs : this.windowMs;
    return { isAdmitted: false, used: count, resetMs };
  }

  #now(): number {
    // While the clock is behind an earlier reading, that reading applies, so no hit expires twice.
    this.#clockMs = this.#clock();
    if (this.#clockMs > this.#nowMs) this.#nowMs = this.#clockMs;
    return this.#nowMs;
  }

  /** Returns a log for a key without one, with the hits it may have had before it was evicted. */
  #createLog(key: string, nowMs: number): HitTimes {
    const log = new HitTimes();
    this.#evicted.restore(key, nowMs, log);
    return log;
  }

  #addLog(key: string, log: HitTimes, nowMs: number): void {
    this.#evict(nowMs);
    this.#logs.set(key, log);
  }

  /** Inspects a few logs for each new key, so idle keys are dropped without a timer or a long pause. */
  #evict(nowMs: number): void {
    let leastUsedKey: string | undefined;
    let leastUsed: HitTimes | undefined;
    for (let left = Math.min(inspectedPerKey, this.#logs.size); left > 0; left--) {
      let next = this.#cursor.next();
      if (next.done) {
        this.#cursor = this.#logs.entries();
        next = this.#cursor.next();
        if (next.done) break;
      }
      const [key, log] = next.value;
      log.dropExpired(nowMs, this.windowMs);
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

/** Returns a store that counts in the memory of this process. */
export function createMemoryHitStore(options: SlidingWindowOptions): HitStore {
  const window = new SlidingWindow(options);
  return {
    windowMs: options.windowMs,
    hit: (hit) => window.hitAll(hit),
    opened: async () => {},
    status: () => ({ status: 'ready', store: 'memory' }),
    close: async () => {},
  };
}
