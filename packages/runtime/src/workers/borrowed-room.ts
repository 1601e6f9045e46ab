import type { Hit, HitState, Verdict } from '../limits/index.ts';
import type { EndedLease, Lease } from './lease.ts';

/** What a worker may admit by itself: its leases by their keys, and those that are to be given back. */
export class BorrowedRoom {
  readonly #clock: () => number;
  readonly #leases = new Map<string, HeldLease>();
  #ended: EndedLease[] = [];

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** When the first of the leases ends; infinite where there is none. */
  get endMs(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { endMs } of this.#leases.values()) if (endMs < first) first = endMs;
    return first;
  }

  /** Admits a hit that has room under all of its keys. Refuses none: only who lends knows whether there is more. */
  hit({ keys, limits }: Hit): Verdict | undefined {
    if (this.#leases.size === 0) return undefined;
    const nowMs = this.#clock();
    const count = keys.length;
    for (let i = 0; i < count; i++) {
      const lease = this.#leases.get(keys[i] as string);
      if (lease === undefined || !lease.hasRoom(limits[i] as number, nowMs)) return undefined;
    }
    const verdict = new Array<HitState>(count);
    for (let i = 0; i < count; i++) verdict[i] = (this.#leases.get(keys[i] as string) as HeldLease).use(nowMs);
    return verdict;
  }

  /** Takes leases that were asked for at `askedMs`. */
  accept(leases: readonly Lease[], askedMs: number): void {
    const nowMs = this.#clock();
    for (const lease of leases) this.#leases.set(lease.key, new HeldLease(lease, askedMs, nowMs));
  }

  /** Ends the leases of these keys. */
  end(keys: readonly string[]): void {
    if (this.#leases.size === 0) return;
    const nowMs = this.#clock();
    for (const key of keys) {
      const lease = this.#leases.get(key);
      if (lease === undefined) continue;
      this.#leases.delete(key);
      this.#ended.push({ id: lease.id, key, uses: lease.usesAt(nowMs) });
    }
  }

  /** Ends those leases of a hit's keys that cannot admit it. */
  endFull({ keys, limits }: Hit): void {
    if (this.#leases.size === 0) return;
    const nowMs = this.#clock();
    this.end(keys.filter((key, i) => this.#leases.get(key)?.hasRoom(limits[i] as number, nowMs) === false));
  }

  /** Ends the leases whose time has come. */
  endOld(): void {
    const nowMs = this.#clock();
    this.end([...this.#leases].filter(([, { endMs }]) => endMs <= nowMs).map(([key]) => key));
  }

  endAll(): void {
    this.end([...this.#leases.keys()]);
  }

  /** What has ended since it was last asked for. */
  takeEnded(): readonly EndedLease[] {
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }
}

class HeldLease {
  readonly id: number;
  readonly endMs: number;
  readonly #askedMs: number;
  readonly #limit: number;
  #room: number;
  #used: number;
  /** When it heard of those that leave: never before they do. */
  readonly #heardMs: number;
  readonly #leaving: readonly number[];
  #next = 0;
  /** Milliseconds since it was asked for, rounded up, and how many hits. */
  readonly #uses: number[] = [];

  constructor({ id, limit, room, lifeMs, used, leaving }: Lease, askedMs: number, nowMs: number) {
    this.id = id;
    this.endMs = askedMs + lifeMs;
    this.#askedMs = askedMs;
    this.#limit = limit;
    this.#room = room;
    this.#used = used;
    this.#heardMs = nowMs;
    this.#leaving = leaving;
  }

  hasRoom(limit: number, nowMs: number): boolean {
    return this.#room > 0 && limit === this.#limit && nowMs < this.endMs;
  }

  use(nowMs: number): HitState {
    this.#room--;
    this.#used++;
    const sinceMs = Math.ceil(nowMs - this.#askedMs);
    const last = this.#uses.length - 2;
    if (last >= 0 && this.#uses[last] === sinceMs) (this.#uses[last + 1] as number)++;
    else this.#uses.push(sinceMs, 1);
    while (this.#heardMs + (this.#leaving[this.#next] as number) <= nowMs) {
      this.#used -= this.#leaving[this.#next + 1] as number;
      this.#next += 2;
    }
    return {
      isAdmitted: true,
      used: this.#used,
      resetMs: this.#heardMs + (this.#leaving[this.#next] as number) - nowMs,
    };
  }

  /** How long before `nowMs` it was used, rounded down: what is taken for later than it was is counted for longer. */
  usesAt(nowMs: number): readonly number[] {
    return this.#uses.map((value, i) => (i % 2 === 1 ? value : Math.max(0, Math.floor(nowMs - this.#askedMs - value))));
  }
}
