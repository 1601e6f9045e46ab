import { EvictedHits, type EvictedSnapshot } from './evicted-hits.ts';
import { HitLog } from './hit-log.ts';
import type { Hit, HitState, Verdict } from './hit-store.ts';

export interface SlidingWindowOptions {
  readonly windowMs: number;
  /** Milliseconds; should never go back. Only differences matter. */
  readonly clock: () => number;
  /** How many keys are followed one by one; beyond it the least used are folded together. */
  readonly keysMax?: number;
}

/** The state of a window, for another process. */
export interface WindowSnapshot {
  readonly nowMs: number;
  readonly logs: readonly (readonly [key: string, times: readonly number[]])[];
  readonly evicted: EvictedSnapshot;
}

/**
 * An exact sliding window: of each key, no `windowMs` ever hold more admitted hits than the limit, wherever they
 * begin. A refused hit is not recorded and so prolongs nothing. The limit comes with each hit, so that a new
 * configuration changes it without losing the count.
 *
 * Memory is bounded: at most `keysMax` keys have a log of their own. When another one comes, a few logs in turn are
 * looked at; an idle one goes, else the least used of them is folded into a table of upper bounds (`EvictedHits`).
 * A key that comes back begins with that bound, so eviction can cost a caller, never give one more than the limit.
 */
export class SlidingWindow {
  readonly windowMs: number;
  readonly #clock: () => number;
  readonly #keysMax: number;
  readonly #logs = new Map<string, HitLog>();
  readonly #evicted: EvictedHits;
  /** The logs of the hit that is being decided: one array for all hits. */
  readonly #found: HitLog[] = [];
  /** The logs that were looked at least recently come first: each look moves a log to the end of the map. */
  #hand = this.#logs.entries();
  #clockMs = Number.NEGATIVE_INFINITY;
  #nowMs = Number.NEGATIVE_INFINITY;

  constructor({ windowMs, clock, keysMax = 50_000 }: SlidingWindowOptions) {
    this.windowMs = windowMs;
    this.#clock = clock;
    this.#keysMax = keysMax;
    this.#evicted = new EvictedHits(windowMs);
  }

  /** How many keys are followed. */
  get size(): number {
    return this.#logs.size;
  }

  /** Admits and records a hit under one key, or refuses it and leaves everything as it is. */
  hit(key: string, limit: number): HitState {
    const nowMs = this.#now();
    let log = this.#logs.get(key);
    const isNew = log === undefined;
    if (log === undefined) log = this.#revive(key, nowMs);
    else log.dropExpired(nowMs, this.windowMs);
    if (log.count >= limit) return this.#stateOf(log, limit, false);
    // Rounded up: recorded too early, two hits could be admitted less than a window apart.
    log.push(Math.ceil(nowMs));
    if (isNew) this.#follow(key, log, nowMs);
    return this.#stateOf(log, limit, true);
  }

  /** Admits and records a hit under all of its keys, or leaves everything as it is. */
  hitAll({ keys, limits }: Hit): Verdict {
    if (keys.length === 1) return [this.hit(keys[0] as string, limits[0] as number)];
    const nowMs = this.#now();
    const logs = this.#found;
    const count = keys.length;
    let isAdmitted = true;
    let isNew = 0;
    for (let i = 0; i < count; i++) {
      let log = this.#logs.get(keys[i] as string);
      if (log === undefined) {
        log = this.#revive(keys[i] as string, nowMs);
        isNew |= 1 << i;
      } else {
        log.dropExpired(nowMs, this.windowMs);
      }
      if (log.count >= (limits[i] as number)) isAdmitted = false;
      logs[i] = log;
    }
    if (isAdmitted) {
      const timeMs = Math.ceil(nowMs);
      for (let i = 0; i < count; i++) (logs[i] as HitLog).push(timeMs);
      // Only now: to make room for one, another one that has no hit yet would be let go.
      if (isNew !== 0) {
        for (let i = 0; i < count; i++) if (isNew & (1 << i)) this.#follow(keys[i] as string, logs[i] as HitLog, nowMs);
      }
    }
    const verdict = new Array<HitState>(count);
    for (let i = 0; i < count; i++) verdict[i] = this.#stateOf(logs[i] as HitLog, limits[i] as number, isAdmitted);
    return verdict;
  }

  /** What a hit would find, without making one; undefined for a key that has no hits that count. */
  peek(key: string, limit: number): HitState | undefined {
    const log = this.#logs.get(key);
    const nowMs = this.#now();
    log?.dropExpired(nowMs, this.windowMs);
    return log === undefined || log.count === 0 ? undefined : this.#stateOf(log, limit, false);
  }

  /** Everything that later decisions depend on, as plain data: a window made of it decides the same hits alike. */
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
      const log = new HitLog();
      for (const time of times) log.push(time);
      this.#logs.set(key, log);
    }
    this.#evicted.load(evicted);
  }

  clear(): void {
    this.#logs.clear();
    this.#hand = this.#logs.entries();
    this.#evicted.clear();
  }

  #stateOf(log: HitLog, limit: number, isRecorded: boolean): HitState {
    const { count } = log;
    if (isRecorded || count < limit) {
      const resetMs = count === 0 ? 0 : log.at(0) + this.windowMs - this.#clockMs;
      return { isAdmitted: true, used: count, resetMs };
    }
    // After a limit was lowered more than one hit may have to leave first.
    const resetMs = limit > 0 ? log.at(count - limit) + this.windowMs - this.#clockMs : this.windowMs;
    return { isAdmitted: false, used: count, resetMs };
  }

  #now(): number {
    // A clock that is set back must not free hits twice: time stands still until it has caught up.
    this.#clockMs = this.#clock();
    if (this.#clockMs > this.#nowMs) this.#nowMs = this.#clockMs;
    return this.#nowMs;
  }

  /** A log for a key that has none, with the hits it may have had before it was evicted. */
  #revive(key: string, nowMs: number): HitLog {
    const log = new HitLog();
    this.#evicted.restore(key, nowMs, log);
    return log;
  }

  #follow(key: string, log: HitLog, nowMs: number): void {
    this.#makeRoom(nowMs);
    this.#logs.set(key, log);
  }

  /** Each new key pays for a look at a few old ones, so idle keys go without a timer or a long pause. */
  #makeRoom(nowMs: number): void {
    let victimKey: string | undefined;
    let victim: HitLog | undefined;
    for (let looks = Math.min(lookCount, this.#logs.size); looks > 0; looks--) {
      let next = this.#hand.next();
      if (next.done) {
        this.#hand = this.#logs.entries();
        next = this.#hand.next();
        if (next.done) break;
      }
      const [key, log] = next.value;
      log.dropExpired(nowMs, this.windowMs);
      this.#logs.delete(key);
      if (log.count === 0) continue;
      this.#logs.set(key, log);
      if (victim === undefined || log.count < victim.count) {
        victimKey = key;
        victim = log;
      }
    }
    if (this.#logs.size < this.#keysMax || victim === undefined || victimKey === undefined) return;
    this.#logs.delete(victimKey);
    this.#evicted.keep(victimKey, victim);
  }
}

const lookCount = 8;
