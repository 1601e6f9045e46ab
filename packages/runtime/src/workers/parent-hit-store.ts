import type { DependencyStatus } from '../lifecycle/index.ts';
import type { Hit, HitStore, Verdict } from '../limits/index.ts';
import { BorrowedRoom } from './borrowed-room.ts';
import { type Calls, fromPlainError } from './calls.ts';
import type { CountReply, CountRequest, LateCounts } from './count-for-worker.ts';

export interface ParentHitStoreOptions {
  readonly windowMs: number;
  readonly status: () => DependencyStatus;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

export interface ParentHitStore extends HitStore {
  /** Gives back what was lent of a key. */
  recall(key: string): void;
  /** Takes what became of hits that had to wait. */
  late(counts: LateCounts): void;
}

/**
 * Counts in the process that started this one, so that several count as one: by what that has lent, else by asking it.
 * Hits of one turn of the event loop travel together. There is nothing to fall back on: without that process this one
 * ends.
 */
export function createParentHitStore(
  calls: Pick<Calls, 'call' | 'tell'>,
  { windowMs, status, clock, wait }: ParentHitStoreOptions,
): ParentHitStore {
  const borrowed = new BorrowedRoom(clock);
  const asked = new Map<number, Asked>();
  let gathering: Asked | undefined;
  let lastId = 0;
  /** When to look next for leases that have ended. */
  let lookMs = Number.POSITIVE_INFINITY;

  async function send(): Promise<void> {
    const { hits, waiting } = gathering as Asked;
    const id = ++lastId;
    asked.set(id, gathering as Asked);
    gathering = undefined;
    const askedMs = clock();
    try {
      const request: CountRequest = { id, hits, ended: borrowed.takeEnded() };
      const { counted, leases } = await calls.call<CountReply>('count', request);
      borrowed.accept(leases, askedMs);
      if (leases.length > 0) void watch();
      take({ id, counted });
    } catch (error) {
      asked.delete(id);
      for (const { reject } of waiting) reject(error);
    }
  }

  function take({ id, counted }: LateCounts): void {
    const request = asked.get(id);
    if (request === undefined) return;
    counted.forEach((one, i) => {
      if (one === null) return;
      const { resolve, reject } = request.waiting[i] as PromiseWithResolvers<Verdict>;
      if ('message' in one) reject(fromPlainError(one));
      else resolve(one);
      request.left--;
    });
    if (request.left === 0) asked.delete(id);
  }

  function travel(hit: Hit): Promise<Verdict> {
    borrowed.endFull(hit);
    if (gathering === undefined) {
      gathering = { hits: [], waiting: [], left: 0 };
      setImmediate(send);
    }
    const waiting = Promise.withResolvers<Verdict>();
    gathering.hits.push({ keys: hit.keys, limits: hit.limits });
    gathering.waiting.push(waiting);
    gathering.left++;
    return waiting.promise;
  }

  function giveBack(): void {
    const ended = borrowed.takeEnded();
    if (ended.length > 0) calls.tell('giveBack', ended);
  }

  async function watch(): Promise<void> {
    const { endMs } = borrowed;
    if (endMs >= lookMs) return;
    lookMs = endMs;
    await wait(Math.max(0, Math.ceil(endMs - clock())));
    borrowed.endOld();
    giveBack();
    // Another one looks where a lease has come since that ends before those that were known.
    if (lookMs === endMs) lookMs = Number.POSITIVE_INFINITY;
    void watch();
  }

  return {
    windowMs,
    hit: (hit) => borrowed.hit(hit) ?? travel(hit),
    recall(key) {
      borrowed.end([key]);
      giveBack();
    },
    late: take,
    opened: async () => {},
    status,
    async close() {
      borrowed.endAll();
      giveBack();
    },
  };
}

interface Asked {
  readonly hits: Hit[];
  readonly waiting: PromiseWithResolvers<Verdict>[];
  /** How many of them wait still. */
  left: number;
}
