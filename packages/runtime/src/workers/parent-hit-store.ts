import type { DependencyStatus } from '../lifecycle/index.ts';
import type { Hit, HitStore, Verdict } from '../limits/index.ts';
import { BorrowedRoom } from './borrowed-room.ts';
import { type Calls, fromPlainError, type PlainError, toPlainError } from './calls.ts';
import { type EndedLease, type Lease, leaseMs } from './lease.ts';
import type { Borrower, RoomLender } from './room-lender.ts';

/** What a worker asks: to count these hits, after what it gives back. */
export interface CountRequest {
  readonly hits: readonly Hit[];
  readonly ended: readonly EndedLease[];
}

/** What became of each hit, its verdict or why there is none, and room for the next ones. */
export interface CountReply {
  readonly counted: readonly (Verdict | PlainError)[];
  readonly leases: readonly Lease[];
}

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
  let gathering: { readonly hits: Hit[]; readonly waiting: PromiseWithResolvers<Verdict>[] } | undefined;
  let isWatching = false;

  async function send(): Promise<void> {
    const { hits, waiting } = gathering as NonNullable<typeof gathering>;
    gathering = undefined;
    const askedMs = clock();
    try {
      const request: CountRequest = { hits, ended: borrowed.takeEnded() };
      const { counted, leases } = await calls.call<CountReply>('count', request);
      borrowed.accept(leases, askedMs);
      if (leases.length > 0 && !isWatching) void watch();
      waiting.forEach(({ resolve, reject }, i) => {
        const one = counted[i] as Verdict | PlainError;
        if ('message' in one) reject(fromPlainError(one));
        else resolve(one);
      });
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  function travel({ keys, limits }: Hit): Promise<Verdict> {
    borrowed.end(keys);
    if (gathering === undefined) {
      gathering = { hits: [], waiting: [] };
      setImmediate(send);
    }
    const waiting = Promise.withResolvers<Verdict>();
    gathering.hits.push({ keys, limits });
    gathering.waiting.push(waiting);
    return waiting.promise;
  }

  function giveBack(): void {
    const ended = borrowed.takeEnded();
    if (ended.length > 0) calls.tell('giveBack', ended);
  }

  async function watch(): Promise<void> {
    isWatching = true;
    while (!borrowed.isEmpty) {
      await wait(leaseMs);
      borrowed.endOld();
      giveBack();
    }
    isWatching = false;
  }

  return {
    windowMs,
    hit: (hit) => borrowed.hit(hit) ?? travel(hit),
    recall(key) {
      borrowed.end([key]);
      giveBack();
    },
    opened: async () => {},
    status,
    async close() {
      borrowed.endAll();
      giveBack();
    },
  };
}

/** The other end: counts what a worker asks, each hit for itself, and lends it what it will need. */
export async function countForWorker(
  { hits, ended }: CountRequest,
  store: HitStore,
  lender: RoomLender,
  borrower: Borrower,
): Promise<CountReply> {
  lender.takeBack(borrower, ended);
  const counted = hits.map((hit) => {
    try {
      const verdict = store.hit(hit);
      return verdict instanceof Promise ? verdict.catch(toPlainError) : verdict;
    } catch (error) {
      return toPlainError(error);
    }
  });
  const settled = await Promise.all(counted);
  // Last, so that no word that calls a lease back can overtake it.
  return { counted: settled, leases: lender.lend(borrower, hits) };
}
