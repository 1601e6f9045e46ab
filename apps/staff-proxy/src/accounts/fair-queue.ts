import type { CallSignal } from '@rostergate/server';
import { requestCancelled } from '@rostergate/upstream';

/** A queue of lanes that take turns: however long one lane is, it delays the head of another by one item at most. */
export interface FairQueue<T> {
  readonly size: number;
  push(lane: string, item: T): void;
  /** Removes and returns the next item in turn; lanes that may not go are skipped and stay first. */
  shift(mayGo?: (lane: string) => boolean): T | undefined;
  /** Removes an item; does nothing when it is no longer in the queue. */
  remove(lane: string, item: T): void;
  /**
   * Returns the item to displace for a new one in this lane: the last of the longest lane, if that is longer by more
   * than one; undefined otherwise.
   */
  longestBut(lane: string): T | undefined;
  /** Returns a copy of all items. */
  all(): T[];
}

export function createFairQueue<T extends object | string>(): FairQueue<T> {
  // In turn: the first lane is the next. Empty lanes are deleted.
  const lanes = new Map<string, Lane<T>>();
  let size = 0;

  return {
    get size() {
      return size;
    },
    push(name, item) {
      let lane = lanes.get(name);
      if (lane === undefined) {
        lane = new Lane();
        lanes.set(name, lane);
      }
      lane.push(item);
      size++;
    },
    shift(mayGo = () => true) {
      for (const [name, lane] of lanes) {
        if (!mayGo(name)) continue;
        size--;
        const item = lane.shift();
        if (lane.size === 0) lanes.delete(name);
        else if (lanes.size > 1) {
          lanes.delete(name);
          lanes.set(name, lane);
        }
        return item;
      }
      return undefined;
    },
    remove(name, item) {
      const lane = lanes.get(name);
      if (lane?.remove(item) !== true) return;
      size--;
      if (lane.size === 0) lanes.delete(name);
    },
    longestBut(name) {
      const own = lanes.get(name)?.size ?? 0;
      let longest: Lane<T> | undefined;
      for (const lane of lanes.values()) if (longest === undefined || lane.size > longest.size) longest = lane;
      return longest !== undefined && longest.size > own + 1 ? longest.all().at(-1) : undefined;
    },
    all: () => [...lanes.values()].flatMap((lane) => lane.all()),
  };
}

/** First in, first out. Removal leaves a gap instead of moving items. */
class Lane<T extends object | string> {
  #items: (T | undefined)[] = [];
  #first = 0;
  size = 0;

  push(item: T): void {
    this.#items.push(item);
    this.size++;
  }

  shift(): T | undefined {
    const items = this.#items;
    while (this.#first < items.length && items[this.#first] === undefined) this.#first++;
    const item = items[this.#first];
    items[this.#first++] = undefined;
    this.size--;
    if (this.#first >= gapsMax || this.size === 0) {
      items.splice(0, this.#first);
      this.#first = 0;
    }
    return item;
  }

  remove(item: T): boolean {
    const at = this.#items.indexOf(item, this.#first);
    if (at < 0) return false;
    this.#items[at] = undefined;
    this.size--;
    return true;
  }

  all(): T[] {
    return this.#items.filter((item) => item !== undefined);
  }
}

const gapsMax = 256;

/** A request that wants to enter. */
export interface Entrant {
  /** Requests of one lane are served in order; lanes take turns. */
  readonly lane: string;
  readonly signal: CallSignal | undefined;
  /** When the request stops waiting, by the gate's clock. */
  readonly deadlineMs: number;
}

export interface WaiterQueue<T> {
  readonly queue: FairQueue<Waiter<T>>;
  /** Returns the error for a request that waited until its deadline. */
  readonly tooLate: () => Error;
}

/** A queued request, until it is admitted, its deadline passes or its caller disconnects. */
export class Waiter<T> {
  readonly lane: string;
  readonly deadlineMs: number;
  readonly sinceMs: number;
  readonly #waiting: WaiterQueue<T>;
  readonly #signal: CallSignal | undefined;
  readonly #resolve: (slot: T) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;

  constructor(
    waiting: WaiterQueue<T>,
    entrant: Entrant,
    sinceMs: number,
    resolve: (slot: T) => void,
    reject: (error: Error) => void,
  ) {
    this.#waiting = waiting;
    this.lane = entrant.lane;
    this.deadlineMs = entrant.deadlineMs;
    this.sinceMs = sinceMs;
    this.#signal = entrant.signal;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal?.addEventListener('abort', this.#giveUp);
    // The socket of the caller keeps the process alive.
    this.#timer = setTimeout(this.#expire, Math.max(0, Math.ceil(this.deadlineMs - sinceMs))).unref();
    waiting.queue.push(this.lane, this);
  }

  /** Call after the queue has returned this waiter. */
  admit(slot: T): void {
    this.#stopWaiting();
    this.#resolve(slot);
  }

  reject(error: Error): void {
    this.#waiting.queue.remove(this.lane, this);
    this.#stopWaiting();
    this.#reject(error);
  }

  readonly #expire = (): void => this.reject(this.#waiting.tooLate());

  readonly #giveUp = (): void => this.reject(requestCancelled(false));

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#giveUp);
  }
}
