import type { CallSignal } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import { callerGone, DeadlineQueue, type Due } from '@rostergate/runtime/upstream';
import { UpstreamLimit } from '../upstream/upstream-problem.ts';
import { createFairQueue } from './fair-queue.ts';
import { UpstreamHold } from './upstream-hold.ts';

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

export interface Visitor {
  /** Whoever shares one waits in one line; lines take turns. */
  readonly lane: string;
  readonly signal: CallSignal | undefined;
  /** By the gate's clock: until then it is worth waiting. */
  readonly deadlineMs: number;
}

/** To be left exactly when nothing of the exchange is left; leaving twice does no harm. */
export interface Place {
  /** The answer has begun; from here on the reader sets the pace. */
  begin(): void;
  leave(): void;
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

/** How many answers that have begun one lane may have on their way for each place. */
const streamsPerPlaceMax = 4;

export function createAccountGate(options: AccountGateOptions): AccountGate {
  const { clock, onRefused, onWaited, onLimited, onHeld } = options;
  let { concurrencyMax, queueMax } = options;
  const queue = createFairQueue<Waiter>();
  const deadlines = new DeadlineQueue(clock);
  let working = 0;
  let streaming = 0;
  const streamingByLane = new Map<string, number>();
  const hold = new UpstreamHold();
  let holdTimer: NodeJS.Timeout | undefined;
  /** Of late, weighing the last the most. */
  let meanStayMs = 0;

  /** Slow readers never take more than half of the places. */
  function hasPlace(): boolean {
    return working + Math.min(streaming, concurrencyMax >> 1) < Math.min(hold.window, concurrencyMax);
  }

  /** Streams beyond half of the places take none from others, but connections and memory. */
  function mayGo(lane: string): boolean {
    return (streamingByLane.get(lane) ?? 0) < streamsPerPlaceMax * concurrencyMax;
  }

  function addStreaming(lane: string, change: 1 | -1): void {
    streaming += change;
    const count = (streamingByLane.get(lane) ?? 0) + change;
    if (count === 0) streamingByLane.delete(lane);
    else streamingByLane.set(lane, count);
  }

  class Stay implements Place {
    readonly #lane: string;
    readonly #enteredMs: number;
    #state: 'working' | 'streaming' | 'left' = 'working';

    constructor(lane: string, enteredMs: number) {
      this.#lane = lane;
      this.#enteredMs = enteredMs;
      working++;
    }

    begin(): void {
      if (this.#state !== 'working') return;
      this.#state = 'streaming';
      working--;
      addStreaming(this.#lane, 1);
      onAnswered(this.#enteredMs);
    }

    leave(): void {
      const state = this.#state;
      if (state === 'left') return;
      this.#state = 'left';
      if (state === 'streaming') {
        addStreaming(this.#lane, -1);
        admit();
      } else {
        working--;
        onAnswered(this.#enteredMs);
      }
    }
  }

  function onAnswered(enteredMs: number): void {
    const nowMs = clock();
    meanStayMs += (nowMs - enteredMs - meanStayMs) / 8;
    hold.answer(enteredMs, concurrencyMax);
    admit(nowMs);
  }

  function admit(nowMs = clock()): void {
    if (queue.size === 0 || nowMs < hold.untilMs) return;
    while (hasPlace()) {
      const next = queue.shift(mayGo);
      if (next === undefined) return;
      // Those before it may have been told the same just now, and their places are free.
      if (next.dueMs <= nowMs + 1) {
        next.turnAway(refuse('waited_too_long'));
        continue;
      }
      onWaited?.(nowMs - next.sinceMs);
      next.enter(new Stay(next.lane, nowMs));
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
    const seconds = Math.min(60, Math.max(1, Math.ceil((queue.size * meanStayMs) / concurrencyMax / 1_000)));
    const why = refusal === 'queue_full' ? 'Too many requests wait' : 'Your request has waited too long';
    return new Problem('unavailable', `${why} for the upstream; yours was not sent. Wait ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }

  class Waiter implements Due {
    readonly lane: string;
    readonly dueMs: number;
    readonly sinceMs: number;
    before: Due | undefined;
    after: Due | undefined;
    readonly #signal: CallSignal | undefined;
    readonly #resolve: (place: Place) => void;
    readonly #reject: (error: Error) => void;

    constructor(visitor: Visitor, sinceMs: number, resolve: (place: Place) => void, reject: (error: Error) => void) {
      this.lane = visitor.lane;
      this.dueMs = visitor.deadlineMs;
      this.sinceMs = sinceMs;
      this.#signal = visitor.signal;
      this.#resolve = resolve;
      this.#reject = reject;
      this.#signal?.addEventListener('abort', this.#giveUp);
      deadlines.add(this);
      queue.push(this.lane, this);
    }

    /** It has left the queue. */
    enter(place: Place): void {
      this.#leave();
      this.#resolve(place);
    }

    turnAway(error: Error): void {
      queue.remove(this.lane, this);
      this.#leave();
      this.#reject(error);
    }

    expire(): void {
      this.turnAway(refuse('waited_too_long'));
    }

    readonly #giveUp = (): void => this.turnAway(callerGone(false));

    #leave(): void {
      deadlines.remove(this);
      this.#signal?.removeEventListener('abort', this.#giveUp);
    }
  }

  return {
    enter(visitor) {
      const nowMs = clock();
      const isOpen = nowMs >= hold.untilMs && hasPlace() && mayGo(visitor.lane);
      if (queue.size === 0 && isOpen) return new Stay(visitor.lane, nowMs);
      if (visitor.signal?.aborted === true) throw callerGone(false);
      if (visitor.deadlineMs <= hold.untilMs) throw refuse('held');
      if (queue.size >= queueMax) {
        const displaced = queue.size === 0 ? undefined : queue.longestBut(visitor.lane);
        if (displaced === undefined) throw refuse('queue_full');
        displaced.turnAway(refuse('queue_full'));
      }
      const entered = new Promise<Place>((resolve, reject) => new Waiter(visitor, nowMs, resolve, reject));
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
      hold.resize(concurrencyMax);
      ({ concurrencyMax, queueMax } = bounds);
      admit();
    },
    get working() {
      return working;
    },
    get streaming() {
      return streaming;
    },
    get queued() {
      return queue.size;
    },
    get heldMs() {
      return Math.max(0, hold.untilMs - clock());
    },
  };
}
