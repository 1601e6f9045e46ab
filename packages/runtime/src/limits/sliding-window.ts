import { EvictedHits } from './evicted-hits.ts';
import { HitLog } from './hit-log.ts';

export interface SlidingWindowOptions {
  readonly windowMs: number;
  /** Milliseconds; should never go back. Only differences matter. */
  readonly clock: () => number;
  /** How many keys are followed one by one; beyond it the least used are folded together. */
  readonly keysMax?: number;
}

/** What one hit, or a look, found. */
export interface WindowState {
  readonly isAdmitted: boolean;
  /** Hits that count now, the one just admitted included. */
  readonly used: number;
  /** When the next hit is free again: for a refused one, when it would be admitted. */
  readonly resetAtMs: number;
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
  readonly clock: () => number;
  readonly #keysMax: number;
  readonly #logs = new Map<string, HitLog>();
  readonly #evicted: EvictedHits;
  #hand = this.#logs.entries();
  #nowMs = Number.NEGATIVE_INFINITY;

  constructor({ windowMs, clock, keysMax = 50_000 }: SlidingWindowOptions) {
    this.windowMs = windowMs;
    this.clock = clock;
    this.#keysMax = keysMax;
    this.#evicted = new EvictedHits(windowMs);
  }

  /** How many keys are followed. */
  get size(): number {
    return this.#logs.size;
  }

  /** Admits and records a hit, or refuses it and leaves everything as it is. */
  hit(key: string, limit: number): WindowState {
    const nowMs = this.#now();
    const log = this.#logs.get(key) ?? this.#follow(key, nowMs);
    log.dropExpired(nowMs, this.windowMs);
    if (log.count >= limit) return this.#refusal(log, limit, nowMs);
    // Rounded up: recorded too early, two hits could be admitted less than a window apart.
    log.push(Math.ceil(nowMs));
    return { isAdmitted: true, used: log.count, resetAtMs: log.at(0) + this.windowMs };
  }

  /** What a hit would find, without making one; undefined for a key that has no hits that count. */
  peek(key: string, limit: number): WindowState | undefined {
    const log = this.#logs.get(key);
    const nowMs = this.#now();
    log?.dropExpired(nowMs, this.windowMs);
    if (log === undefined || log.count === 0) return undefined;
    if (log.count >= limit) return this.#refusal(log, limit, nowMs);
    return { isAdmitted: true, used: log.count, resetAtMs: log.at(0) + this.windowMs };
  }

  /** Takes back the newest hit of a key. */
  undo(key: string): void {
    this.#logs.get(key)?.pop();
  }

  forget(key: string): void {
    this.#logs.delete(key);
  }

  clear(): void {
    this.#logs.clear();
    this.#evicted.clear();
  }

  #refusal(log: HitLog, limit: number, nowMs: number): WindowState {
    // After a limit was lowered more than one hit may have to leave first.
    const resetAtMs = (limit > 0 ? log.at(log.count - limit) : nowMs) + this.windowMs;
    return { isAdmitted: false, used: log.count, resetAtMs };
  }

  #now(): number {
    // A clock that is set back must not free hits twice: time stands still until it has caught up.
    const nowMs = this.clock();
    if (nowMs > this.#nowMs) this.#nowMs = nowMs;
    return this.#nowMs;
  }

  #follow(key: string, nowMs: number): HitLog {
    this.#makeRoom(nowMs);
    const log = new HitLog();
    this.#evicted.restore(key, nowMs, log);
    this.#logs.set(key, log);
    return log;
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
      if (log.count === 0) {
        this.#logs.delete(key);
      } else if (victim === undefined || log.count < victim.count) {
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
