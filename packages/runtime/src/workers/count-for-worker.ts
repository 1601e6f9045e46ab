import type { Hit, HitStore, Verdict } from '../limits/index.ts';
import { type PlainError, toPlainError } from './calls.ts';
import type { EndedLease, Lease } from './lease.ts';
import type { Borrower, RoomLender } from './room-lender.ts';

/** What a worker asks: to count these hits, after what it gives back. */
export interface CountRequest {
  /** No other request of the worker has it. */
  readonly id: number;
  readonly hits: readonly Hit[];
  readonly ended: readonly EndedLease[];
}

/** What became of a hit: its verdict or why there is none; null while that is not known. */
export type Counted = Verdict | PlainError | null;

/** What became of each hit so far, and room for the next ones. */
export interface CountReply {
  readonly counted: readonly Counted[];
  readonly leases: readonly Lease[];
}

/** What became of hits that were not decided yet when their request was answered. */
export interface LateCounts {
  readonly id: number;
  readonly counted: readonly Counted[];
}

/** A worker, as the process sees it that counts for it. */
export interface CountingWorker extends Borrower {
  late(counts: LateCounts): void;
}

/**
 * Counts what a worker asks, each hit for itself, and lends it what it will need where hits are counted by one who lends.
 * Answers as soon as any hit is decided; what became of those that have to wait goes to `worker.late`.
 */
export function countForWorker(
  { id, hits, ended }: CountRequest,
  store: HitStore,
  lender: RoomLender | undefined,
  worker: CountingWorker,
): Promise<CountReply> {
  lender?.takeBack(worker, ended);
  const reply = Promise.withResolvers<CountReply>();
  let isAnswered = false;
  let decided: Counted[] | undefined;

  function tell(): void {
    const counted = decided as Counted[];
    decided = undefined;
    if (isAnswered) worker.late({ id, counted });
    // Lent last, so that no word that calls a lease back can overtake it.
    else reply.resolve({ counted, leases: lender?.lend(worker, hits) ?? [] });
    isAnswered = true;
  }
  function take(i: number, one: Verdict | PlainError): void {
    if (decided === undefined) {
      decided = new Array<Counted>(hits.length).fill(null);
      // All that one event decides goes together.
      process.nextTick(tell);
    }
    decided[i] = one;
  }

  hits.forEach((hit, i) => {
    try {
      const verdict = store.hit(hit);
      if (!(verdict instanceof Promise)) take(i, verdict);
      else verdict.catch(toPlainError).then((one) => take(i, one));
    } catch (error) {
      take(i, toPlainError(error));
    }
  });
  return reply.promise;
}
