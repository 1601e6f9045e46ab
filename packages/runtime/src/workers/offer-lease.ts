import type { HitLog } from '../limits/index.ts';
import { type Lease, leaseMs } from './lease.ts';

/** What is known of the key that room is wanted of. */
export interface LeaseRequest {
  readonly key: string;
  readonly limit: number;
  /** The hits that count. */
  readonly log: HitLog;
  /** Room that others have. */
  readonly lent: number;
  /** The part of all who may borrow that who asks is. */
  readonly share: number;
  readonly nowMs: number;
  readonly windowMs: number;
}

/** A lease that nobody has taken yet. */
export type LeaseOffer = Omit<Lease, 'id'>;

/** One part in so many of the room that is left may be lent in all: the rest serves whoever asks. */
const partOfRoom = 8;
/** Less is not worth a lease: who asks less often is counted hit by hit, and headers tell of every one. */
const roomMin = 8;
const roomMax = 1_000;
/** How many moments at which hits leave are told with a lease. */
const leavingMax = 32;

/** As much room as was needed in the time of a lease just now; undefined where that is little, or too little is left. */
export function offerLease({ key, limit, log, lent, share, nowMs, windowMs }: LeaseRequest): LeaseOffer | undefined {
  const used = log.count + lent;
  const part = Math.floor(((limit - used) * share) / partOfRoom);
  const room = Math.min(log.countAfter(nowMs - leaseMs), part, roomMax);
  if (room < roomMin) return undefined;
  const leaving = leavingOf(log, nowMs - windowMs);
  // Beyond the last of those moments its worker could not say what is used.
  return { key, limit, room, lifeMs: Math.min(leaseMs, leaving.at(-2) as number), used, leaving };
}

/** The next moments at which hits leave the window that begins at `startMs`, the first that no lease lives to see included. */
function leavingOf(log: HitLog, startMs: number): readonly number[] {
  const leaving: number[] = [];
  for (let i = 0; i < log.count && leaving.length < 2 * leavingMax; ) {
    const timeMs = log.at(i);
    const first = i;
    while (i < log.count && log.at(i) === timeMs) i++;
    const inMs = Math.ceil(timeMs - startMs);
    leaving.push(inMs, i - first);
    if (inMs > leaseMs) break;
  }
  return leaving;
}
