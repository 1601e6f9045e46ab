import { Problem } from '@rostergate/runtime/problem';
import { callerGone, DeadlineQueue } from '@rostergate/runtime/upstream';
import { UpstreamLimit } from '../upstream/upstream-problem.ts';
import { AccountPlaces, type Place } from './account-places.ts';
import { createFairQueue } from './fair-queue.ts';
import { UpstreamHold } from './upstream-hold.ts';
import { type Visitor, Waiter, type WaitingRoom } from './waiter.ts';

/** Lets the requests of one service account to the upstream: a few at a time, the others in their turn. */
export interface AccountGate {
  /**
   * A place at the upstream, at once where one is free.
   * @throws Problem 503 `unavailable` with Retry-After when too many wait, or no place came free in time.
   */
  enter(visitor: Visitor): Place | Promise<Place>;
  /**
   * The upstream limits the account: nobody enters for so long. Where it did not say how long, each time that nothing
   * came of the last wait is twice as long as that.
   */
  hold(askedMs: number | undefined): void;
  /** From now on; who is in or waits stays. */
  resize(bounds: GateBounds): void;
  readonly working: number;
  /** Answers that have begun and are still on their way. */
  readonly streaming: number;
  readonly queued: number;
  /** How long nobody enters; 0 when the gate is open. */
  readonly heldMs: number;
}

export interface GateBounds {
  readonly concurrencyMax: number;
  readonly queueMax: number;
}

export type GateRefusal = 'queue_full' | 'held' | 'waited_too_long';

export interface AccountGateOptions extends GateBounds {
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  readonly onRefused?: ((refusal: GateRefusal) => void) | undefined;
  /** Called for who had to wait, when the wait has ended in a place. */
  readonly onWaited?: ((waitedMs: number) => void) | undefined;
  /** Called each time that the upstream says that it limits the account. */
  readonly onLimited?: (() => void) | undefined;
  /** Called when that closes the gate, or keeps it closed for longer. */
  readonly onHeld?: ((heldMs: number) => void) | undefined;
}

export function createAccountGate(options: AccountGateOptions): AccountGate {
  const { clock, onRefused, onWaited, onLimited, onHeld } = options;
  let { queueMax } = options;
  const places = new AccountPlaces(options.concurrencyMax, { onAnswered, onStreamed: () => admit() });
  const queue = createFairQueue<Waiter>();
  const room: WaitingRoom = { queue, deadlines: new DeadlineQueue(clock), tooLate: () => refuse('waited_too_long') };
  const mayGo = (lane: string) => places.mayGo(lane);
  const hold = new UpstreamHold();
  let holdTimer: NodeJS.Timeout | undefined;
  /** Of late, weighing the last the most. */
  let meanStayMs = 0;

  function onAnswered(enteredMs: number): void {
    const nowMs = clock();
    meanStayMs += (nowMs - enteredMs - meanStayMs) / 8;
    hold.answer(enteredMs, places.concurrencyMax);
    admit(nowMs);
  }

  function admit(nowMs = clock()): void {
    if (queue.size === 0 || nowMs < hold.untilMs) return;
    while (places.areFree(hold.window)) {
      const next = queue.shift(mayGo);
      if (next === undefined) return;
      // Those before it may have been told the same just now, and their places are free.
      if (next.dueMs <= nowMs + 1) {
        next.turnAway(refuse('waited_too_long'));
        continue;
      }
      onWaited?.(nowMs - next.sinceMs);
      next.enter(places.take(next.lane, nowMs));
    }
  }

  /** A timer may come a little early by the clock. */
  function openLater(): void {
    clearTimeout(holdTimer);
    const leftMs = hold.untilMs - clock();
    if (leftMs <= 0) admit();
    else holdTimer = setTimeout(openLater, Math.ceil(leftMs)).unref();
  }

  function refuse(refusal: GateRefusal): Problem {
    onRefused?.(refusal);
    if (refusal === 'held') return new UpstreamLimit(hold.untilMs - clock());
    const seconds = Math.min(60, Math.max(1, Math.ceil((queue.size * meanStayMs) / places.concurrencyMax / 1_000)));
    const why = refusal === 'queue_full' ? 'Too many requests wait' : 'Your request has waited too long';
    return new Problem('unavailable', `${why} for the upstream; yours was not sent. Wait ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }

  return {
    enter(visitor) {
      const nowMs = clock();
      const isOpen = nowMs >= hold.untilMs && places.areFree(hold.window) && mayGo(visitor.lane);
      if (queue.size === 0 && isOpen) return places.take(visitor.lane, nowMs);
      if (visitor.signal?.aborted === true) throw callerGone(false);
      if (visitor.deadlineMs <= hold.untilMs) throw refuse('held');
      if (queue.size >= queueMax) {
        const displaced = queue.size === 0 ? undefined : queue.longestBut(visitor.lane);
        if (displaced === undefined) throw refuse('queue_full');
        displaced.turnAway(refuse('queue_full'));
      }
      const entered = new Promise<Place>((resolve, reject) => new Waiter(room, visitor, nowMs, resolve, reject));
      // Those before it may all wait for their own lane.
      if (isOpen) admit();
      return entered;
    },
    hold(askedMs) {
      onLimited?.();
      const begun = hold.begin(clock(), askedMs);
      if (begun === undefined) return;
      if (begun.isNews) onHeld?.(begun.holdMs);
      openLater();
      for (const waiter of queue.all()) if (waiter.dueMs <= hold.untilMs) waiter.turnAway(refuse('held'));
    },
    resize(bounds) {
      hold.resize(places.concurrencyMax);
      places.concurrencyMax = bounds.concurrencyMax;
      queueMax = bounds.queueMax;
      admit();
    },
    get working() {
      return places.working;
    },
    get streaming() {
      return places.streaming;
    },
    get queued() {
      return queue.size;
    },
    get heldMs() {
      return Math.max(0, hold.untilMs - clock());
    },
  };
}
