import {
  type Hit,
  type HitState,
  type HitStore,
  isAdmittedBy,
  SlidingWindow,
  type SlidingWindowOptions,
  type Verdict,
} from '../limits/index.ts';
import type { EndedLease, Lease } from './lease.ts';
import { type LeaseOffer, offerLease } from './offer-lease.ts';

export interface RoomLenderOptions extends SlidingWindowOptions {
  /** How many may borrow. */
  readonly workers: number;
  readonly wait: (ms: number) => Promise<void>;
}

/** A worker, as the lender sees it. */
export interface Borrower {
  /** Asks for its lease of this key, used or not. */
  recall(key: string): void;
}

interface Loan {
  readonly id: number;
  readonly by: Borrower;
  readonly room: number;
  readonly endMs: number;
  /** It was called back in vain. */
  isLate: boolean;
}

/** How long a hit waits for room that was called back. */
const recallMs = 250;

/**
 * Counts for several workers, and lends to those that send many hits of a key a part of the room that is left, which
 * they fill without asking. What is lent counts as used until it is given back with the times of its hits, so no window
 * ever holds more than the limit; and nobody is refused before what is lent has been called back. What a worker that
 * dies has borrowed counts as used.
 */
export class RoomLender implements HitStore {
  readonly windowMs: number;
  readonly #clock: () => number;
  readonly #wait: (ms: number) => Promise<void>;
  readonly #share: number;
  readonly #window: SlidingWindow;
  readonly #loans = new Map<string, Loan[]>();
  readonly #recalls = new Map<string, PromiseWithResolvers<void>>();
  /** Hits of a worker may still be counted, and what it said be read, when it has ended. */
  readonly #forgotten = new WeakSet<Borrower>();
  #lastId = 0;
  #isClosed = false;

  constructor(options: RoomLenderOptions) {
    this.windowMs = options.windowMs;
    this.#clock = options.clock;
    this.#wait = options.wait;
    this.#share = 1 / options.workers;
    this.#window = new SlidingWindow(options);
  }

  hit(hit: Hit): Verdict | Promise<Verdict> {
    const verdict = this.#decide(hit);
    if (isAdmittedBy(verdict) || this.#loans.size === 0) return verdict;
    return this.#toRecall(hit, verdict).length === 0 ? verdict : this.#decideAfterRecall(hit, verdict);
  }

  opened = async () => {};
  status = () => ({ status: 'ready', store: 'memory' }) as const;

  /** Forgets all that was counted and lent, and lends nothing any more: another place counts, or none. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#window.clear();
    this.#loans.clear();
    for (const { resolve } of this.#recalls.values()) resolve();
    this.#recalls.clear();
  }

  /** Lends what these hits of one worker are worth: what it lacks of the keys of a hit, unless one has no room to lend. */
  lend(by: Borrower, hits: readonly Hit[]): readonly Lease[] {
    const leases: Lease[] = [];
    if (this.#isClosed || this.#forgotten.has(by)) return leases;
    for (const { keys, limits } of hits) {
      const offers: LeaseOffer[] = [];
      const isServed = keys.every((key, i) => {
        if (this.#hasBorrowed(by, key)) return true;
        const offer = this.#offer(key, limits[i] as number);
        if (offer !== undefined) offers.push(offer);
        return offer !== undefined;
      });
      if (isServed) for (const offer of offers) leases.push(this.#grant(by, offer));
    }
    return leases;
  }

  /**
   * Records what a worker's leases were used for; the rest of their room is free again. What is not lent any more has
   * been counted, or is older than the window.
   */
  takeBack(by: Borrower, ended: readonly EndedLease[]): void {
    const nowMs = this.#clock();
    for (const { id, key, uses } of ended) {
      if (!this.#loans.get(key)?.some((loan) => loan.id === id && loan.by === by)) continue;
      const times: number[] = [];
      for (let i = 0; i < uses.length; i += 2) {
        // Rounded up, as all that is recorded.
        const timeMs = Math.ceil(nowMs - (uses[i] as number));
        for (let n = uses[i + 1] as number; n > 0; n--) times.push(timeMs);
      }
      this.#settle(key, by, times);
    }
  }

  /** Takes all that a worker which has ended had borrowed for used. */
  forget(by: Borrower): void {
    this.#forgotten.add(by);
    for (const [key, loans] of this.#loans) {
      const lost = loans.find((loan) => loan.by === by);
      if (lost === undefined) continue;
      const timeMs = Math.ceil(Math.min(lost.endMs, this.#clock()));
      this.#settle(key, by, new Array<number>(lost.room).fill(timeMs));
    }
  }

  #settle(key: string, by: Borrower, times: readonly number[]): void {
    this.#window.record(key, times);
    this.#keep(key, ({ by: other }) => other !== by);
    if (this.#canRecall(key)) return;
    this.#recalls.get(key)?.resolve();
    this.#recalls.delete(key);
  }

  #keep(key: string, isKept: (loan: Loan) => boolean): void {
    const kept = this.#loans.get(key)?.filter(isKept) ?? [];
    if (kept.length === 0) this.#loans.delete(key);
    else this.#loans.set(key, kept);
  }

  #decide({ keys, limits }: Hit): Verdict {
    if (this.#loans.size === 0) return this.#window.hitAll({ keys, limits });
    const lent = keys.map((key) => this.#lentOf(key));
    const verdict = this.#window.hitAll({ keys, limits: limits.map((limit, i) => limit - (lent[i] as number)) });
    return verdict.map((state, i) => ({ ...state, used: state.used + (lent[i] as number) }));
  }

  async #decideAfterRecall(hit: Hit, first: Verdict): Promise<Verdict> {
    for (let verdict = first; ; verdict = this.#decide(hit)) {
      const full = this.#toRecall(hit, verdict);
      if (full.length === 0) return verdict;
      await Promise.all(full.map((key) => this.#recall(key)));
    }
  }

  /** The keys that refuse a hit and may have room yet. */
  #toRecall({ keys }: Hit, verdict: Verdict): readonly string[] {
    return keys.filter((key, i) => !(verdict[i] as HitState).isAdmitted && this.#canRecall(key));
  }

  #canRecall(key: string): boolean {
    return this.#loans.get(key)?.some(({ isLate }) => !isLate) === true;
  }

  #recall(key: string): Promise<void> {
    let recall = this.#recalls.get(key);
    if (recall === undefined) {
      recall = Promise.withResolvers<void>();
      this.#recalls.set(key, recall);
      const asked = (this.#loans.get(key) ?? []).filter(({ isLate }) => !isLate);
      for (const { by } of asked) by.recall(key);
      void this.#wait(recallMs).then(() => {
        if (this.#recalls.get(key) !== recall) return;
        for (const loan of asked) loan.isLate = true;
        this.#recalls.delete(key);
        recall?.resolve();
      });
    }
    return recall.promise;
  }

  #lentOf(key: string): number {
    this.#dropOld(key);
    return this.#loans.get(key)?.reduce((sum, { room }) => sum + room, 0) ?? 0;
  }

  /** After a whole window nothing that a lease admitted counts any more, even if nobody says what that was. */
  #dropOld(key: string): void {
    const goneMs = this.#clock() - this.windowMs;
    if (this.#loans.get(key)?.some(({ endMs }) => endMs <= goneMs)) this.#keep(key, ({ endMs }) => endMs > goneMs);
  }

  #hasBorrowed(by: Borrower, key: string): boolean {
    this.#dropOld(key);
    return this.#loans.get(key)?.some((loan) => loan.by === by) === true;
  }

  #offer(key: string, limit: number): LeaseOffer | undefined {
    const log = this.#window.logOf(key);
    if (log === undefined || this.#recalls.has(key)) return undefined;
    const lent = this.#lentOf(key);
    return offerLease({ key, limit, log, lent, share: this.#share, nowMs: this.#clock(), windowMs: this.windowMs });
  }

  #grant(by: Borrower, offer: LeaseOffer): Lease {
    const id = ++this.#lastId;
    const loan = { id, by, room: offer.room, endMs: this.#clock() + offer.lifeMs, isLate: false };
    this.#loans.set(offer.key, [...(this.#loans.get(offer.key) ?? []), loan]);
    return { id, ...offer };
  }
}
