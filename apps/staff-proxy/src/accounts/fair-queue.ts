/** A queue of several lanes that take turns: however long one is, the next of another waits for one of its at most. */
export interface FairQueue<T> {
  readonly size: number;
  push(lane: string, item: T): void;
  /** The next in turn; lanes that may not go are passed over and keep their turn. */
  shift(mayGo?: (lane: string) => boolean): T | undefined;
  /** Takes one out that gives up; does nothing when it is no longer in. */
  remove(lane: string, item: T): void;
  /**
   * Who is to go so that one more may come into this lane: the last of the longest lane, as long as that is longer by
   * more than the one; undefined when the newcomer's own is as long as any.
   */
  longestBut(lane: string): T | undefined;
  /** All, as they are now. */
  all(): T[];
}

export function createFairQueue<T extends object | string>(): FairQueue<T> {
  // In turn: the first lane is the next. An empty one is forgotten.
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

/** First come, first gone; nobody is moved when one goes, and who gives up leaves a gap. */
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
