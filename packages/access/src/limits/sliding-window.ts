import type { Hit, HitState, HitStore, HitWindow, Verdict } from './hit-store.ts';
import type { HitLog } from './hit-times.ts';
import { KeyLogs, type KeyLogsSnapshot } from './key-logs.ts';

export interface SlidingWindowOptions {
  /** The window of hits that name none. */
  readonly windowMs: number;
  /** Milliseconds that should never go back. Only differences matter, and periods of the calendar. */
  readonly clock: () => number;
  /** Milliseconds to add to the clock for the time in UTC; by default 0. */
  readonly utcOffsetMs?: number;
  /** Keys of each window that are counted one by one; beyond this number the least used are evicted. */
  readonly keysMax?: number;
}

/** The state of all windows as plain data, for another process. */
export interface WindowSnapshot {
  readonly nowMs: number;
  readonly utcOffsetMs: number;
  readonly windows: readonly (readonly [HitWindow, KeyLogsSnapshot])[];
}

/**
 * Exact sliding windows, and periods of the calendar: no window holds more admitted hits of a key than the limit,
 * wherever it begins. A rejected hit is not recorded, so it prolongs nothing. The limit comes with each hit, so a new
 * configuration changes it without resetting the count. Memory is bounded (`KeyLogs`).
 */
export class SlidingWindow {
  readonly windowMs: number;
  readonly #clock: () => number;
  readonly #keysMax: number;
  #utcOffsetMs: number;
  /** The logs of `windowMs`. */
  readonly #own: KeyLogs;
  readonly #windows: Map<HitWindow, KeyLogs>;
  /** The logs of the current hit and of their windows: arrays reused for all hits. */
  readonly #hitLogs: HitLog[] = [];
  readonly #hitWindows: KeyLogs[] = [];
  #clockMs = Number.NEGATIVE_INFINITY;
  #nowMs = Number.NEGATIVE_INFINITY;

  constructor({ windowMs, clock, utcOffsetMs = 0, keysMax = 50_000 }: SlidingWindowOptions) {
    this.windowMs = windowMs;
    this.#clock = clock;
    this.#keysMax = keysMax;
    this.#utcOffsetMs = utcOffsetMs;
    this.#own = new KeyLogs({ window: windowMs, keysMax, utcOffsetMs });
    this.#windows = new Map([[windowMs, this.#own]]);
  }

  /** Number of keys with a log of their own in the default window. */
  get size(): number {
    return this.#own.size;
  }

  /** Admits and records a hit under one key, or rejects it and changes nothing. */
  hit(key: string, limit: number): HitState {
    return this.hitAll({ keys: [key], limits: [limit] })[0] as HitState;
  }

  /** Admits and records a hit under all of its keys, or changes nothing. */
  hitAll({ keys, limits, windows }: Hit): Verdict {
    const nowMs = this.#now();
    const logs = this.#hitLogs;
    const ofWindows = this.#hitWindows;
    const count = keys.length;
    let isAdmitted = true;
    let isNew = 0;
    for (let i = 0; i < count; i++) {
      const key = keys[i] as string;
      const limit = limits[i] as number;
      const ofWindow = windows === undefined ? this.#own : this.#logsOf(windows[i] as HitWindow);
      let log = ofWindow.get(key);
      if (log === undefined) {
        log = ofWindow.create(key, nowMs);
        isNew |= 1 << i;
      } else {
        log.dropExpired(nowMs, ofWindow.staysMs);
      }
      if (windows !== undefined) log = ofWindow.logFor(key, log, limit);
      if (log.count >= limit) isAdmitted = false;
      logs[i] = log;
      ofWindows[i] = ofWindow;
    }
    if (isAdmitted) {
      // Rounded up: recorded too early, two hits could be admitted less than a window apart.
      const timeMs = Math.ceil(nowMs);
      for (let i = 0; i < count; i++) {
        const recordedMs =
          windows === undefined ? timeMs : (ofWindows[i] as KeyLogs).timeOf(nowMs, limits[i] as number);
        (logs[i] as HitLog).push(recordedMs);
      }
      // Last, because adding one log drops logs without hits.
      if (isNew !== 0) {
        for (let i = 0; i < count; i++)
          if (isNew & (1 << i)) (ofWindows[i] as KeyLogs).add(keys[i] as string, logs[i] as HitLog, nowMs);
      }
    }
    const verdict = new Array<HitState>(count);
    for (let i = 0; i < count; i++) {
      verdict[i] = this.#stateOf(ofWindows[i] as KeyLogs, logs[i] as HitLog, limits[i] as number, isAdmitted);
    }
    return verdict;
  }

  /** Returns the state of a key without counting a hit; undefined for a key without hits in the default window. */
  peek(key: string, limit: number): HitState | undefined {
    const log = this.#own.get(key);
    const nowMs = this.#now();
    log?.dropExpired(nowMs, this.windowMs);
    return log === undefined || log.count === 0 ? undefined : this.#stateOf(this.#own, log, limit, false);
  }

  /** Returns everything that later decisions depend on: a window restored from it makes the same decisions. */
  snapshot(): WindowSnapshot {
    const windows = Array.from(this.#windows, ([window, logs]) => [window, logs.snapshot()] as const);
    return { nowMs: this.#nowMs, utcOffsetMs: this.#utcOffsetMs, windows };
  }

  restore({ nowMs, utcOffsetMs, windows }: WindowSnapshot): void {
    this.clear();
    this.#nowMs = nowMs;
    this.#utcOffsetMs = utcOffsetMs;
    for (const [window, snapshot] of windows) this.#logsOf(window).restore(snapshot);
  }

  clear(): void {
    this.#windows.clear();
    this.#own.clear();
    this.#windows.set(this.windowMs, this.#own);
  }

  #logsOf(window: HitWindow): KeyLogs {
    let found = this.#windows.get(window);
    if (found === undefined) {
      found = new KeyLogs({ window, keysMax: this.#keysMax, utcOffsetMs: this.#utcOffsetMs });
      this.#windows.set(window, found);
    }
    return found;
  }

  #stateOf(ofWindow: KeyLogs, log: HitLog, limit: number, isRecorded: boolean): HitState {
    const { count } = log;
    const { staysMs } = ofWindow;
    if (isRecorded || count < limit) {
      const resetMs = count === 0 ? 0 : log.at(0) + staysMs - this.#clockMs;
      return { isAdmitted: true, used: count, resetMs };
    }
    // After a limit was lowered, several hits may have to leave the window first.
    const resetMs = limit > 0 ? log.at(count - limit) + staysMs - this.#clockMs : ofWindow.wholeMs(this.#nowMs);
    return { isAdmitted: false, used: count, resetMs };
  }

  #now(): number {
    // While the clock is behind an earlier reading, that reading applies, so no hit expires twice.
    this.#clockMs = this.#clock();
    if (this.#clockMs > this.#nowMs) this.#nowMs = this.#clockMs;
    return this.#nowMs;
  }
}

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
