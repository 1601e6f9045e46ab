import type { CallSignal } from '@rostergate/runtime/contract';
import { callerGone, type DeadlineQueue, type Due } from '@rostergate/runtime/upstream';
import type { Place } from './account-places.ts';
import type { FairQueue } from './fair-queue.ts';

export interface Visitor {
  /** Whoever shares one waits in one line; lines take turns. */
  readonly lane: string;
  readonly signal: CallSignal | undefined;
  /** By the gate's clock: until then it is worth waiting. */
  readonly deadlineMs: number;
}

export interface WaitingRoom {
  readonly queue: FairQueue<Waiter>;
  readonly deadlines: DeadlineQueue;
  /** What is told to who has waited until the deadline. */
  readonly tooLate: () => Error;
}

/** A visitor until there is a place, the deadline has passed, or the caller is gone. */
export class Waiter implements Due {
  readonly lane: string;
  readonly dueMs: number;
  readonly sinceMs: number;
  before: Due | undefined;
  after: Due | undefined;
  readonly #room: WaitingRoom;
  readonly #signal: CallSignal | undefined;
  readonly #resolve: (place: Place) => void;
  readonly #reject: (error: Error) => void;

  constructor(
    room: WaitingRoom,
    visitor: Visitor,
    sinceMs: number,
    resolve: (place: Place) => void,
    reject: (error: Error) => void,
  ) {
    this.#room = room;
    this.lane = visitor.lane;
    this.dueMs = visitor.deadlineMs;
    this.sinceMs = sinceMs;
    this.#signal = visitor.signal;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal?.addEventListener('abort', this.#giveUp);
    room.deadlines.add(this);
    room.queue.push(this.lane, this);
  }

  /** It has left the queue. */
  enter(place: Place): void {
    this.#leave();
    this.#resolve(place);
  }

  turnAway(error: Error): void {
    this.#room.queue.remove(this.lane, this);
    this.#leave();
    this.#reject(error);
  }

  expire(): void {
    this.turnAway(this.#room.tooLate());
  }

  readonly #giveUp = (): void => this.turnAway(callerGone(false));

  #leave(): void {
    this.#room.deadlines.remove(this);
    this.#signal?.removeEventListener('abort', this.#giveUp);
  }
}
