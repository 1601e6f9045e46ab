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

export function createFairQueue<T>(): FairQueue<T> {
  // In turn: the first lane is the next. An empty one is forgotten.
  const lanes = new Map<string, Set<T>>();
  let size = 0;

  function remove(name: string, item: T): void {
    const lane = lanes.get(name);
    if (lane?.delete(item) !== true) return;
    size--;
    if (lane.size === 0) lanes.delete(name);
  }

  return {
    get size() {
      return size;
    },
    push(name, item) {
      const lane = lanes.get(name);
      if (lane === undefined) lanes.set(name, new Set([item]));
      else lane.add(item);
      size++;
    },
    shift(mayGo = () => true) {
      for (const [name, lane] of lanes) {
        if (!mayGo(name)) continue;
        const item = lane.values().next().value as T;
        remove(name, item);
        if (lanes.delete(name)) lanes.set(name, lane);
        return item;
      }
      return undefined;
    },
    remove,
    longestBut(name) {
      const own = lanes.get(name)?.size ?? 0;
      let longest: Set<T> | undefined;
      for (const lane of lanes.values()) if (longest === undefined || lane.size > longest.size) longest = lane;
      return longest !== undefined && longest.size > own + 1 ? [...longest].at(-1) : undefined;
    },
    all: () => [...lanes.values()].flatMap((lane) => [...lane]),
  };
}
