import { Problem } from '@rostergate/server/problem';
import { requestCancelled } from '@rostergate/upstream';
import { UpstreamLimit } from '../upstream/upstream-problem.ts';
import { createFairQueue, type Entrant, Waiter, type WaiterQueue } from './fair-queue.ts';

/** Admits the requests of one service account to the upstream: a limited number at a time, the others in turn. */
export interface AccountGate {
  /**
   * Returns a slot at the upstream, at once where one is free.
   * @throws Problem 503 `unavailable` with Retry-After when the queue is full or no slot comes free by the deadline.
   */
  enter(entrant: Entrant): Slot | Promise<Slot>;
  /** Admits no request for `askedMs`, as the upstream limits the account; without it, for twice the last unanswered hold. */
  hold(askedMs: number | undefined): void;
  /** Applies new bounds; requests that are in or wait are unaffected. */
  resize(bounds: GateBounds): void;
  readonly working: number;
  /** Responses that have begun and are still being sent. */
  readonly streaming: number;
  readonly queued: number;
  /** How long the gate stays closed; 0 when it is open. */
  readonly heldMs: number;
}

/** A request's share of the upstream. Release it when the exchange is over; a second release does nothing. */
export interface Slot {
  /** The response has begun; from here on its reader sets the pace. */
  startStreaming(): void;
  release(): void;
}

export interface GateBounds {
  readonly concurrencyMax: number;
  readonly queueMax: number;
}

export type GateRejection = 'queue_full' | 'held' | 'waited_too_long';

export interface AccountGateOptions extends GateBounds {
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly onRejected?: ((rejection: GateRejection) => void) | undefined;
  /** Called with the time that an admitted request has waited in the queue. */
  readonly onWaited?: ((waitedMs: number) => void) | undefined;
  /** Called for each response that says that the upstream limits the account. */
  readonly onLimited?: (() => void) | undefined;
  /** Called when such a response closes the gate, or extends the hold. */
  readonly onHeld?: ((heldMs: number) => void) | undefined;
}

export function createAccountGate(options: AccountGateOptions): AccountGate {
  const { clock, onRejected, onWaited, onLimited, onHeld } = options;
  let { queueMax } = options;
  const slots = new Slots(options.concurrencyMax, { onAnswered, onStreamed: () => admit() });
  const queue = createFairQueue<Waiter<Slot>>();
  const waiting: WaiterQueue<Slot> = { queue, tooLate: () => reject('waited_too_long') };
  const mayGo = (lane: string) => slots.mayGo(lane);
  const hold = new UpstreamHold();
  let holdTimer: NodeJS.Timeout | undefined;
  /** Moving average that weighs the latest the most. */
  let meanStayMs = 0;

  function onAnswered(enteredMs: number): void {
    const nowMs = clock();
    meanStayMs += (nowMs - enteredMs - meanStayMs) / 8;
    hold.answer(enteredMs, slots.concurrencyMax);
    admit(nowMs);
  }

  function admit(nowMs = clock()): void {
    if (queue.size === 0 || nowMs < hold.untilMs) return;
    while (slots.areFree(hold.window)) {
      const next = queue.shift(mayGo);
      if (next === undefined) return;
      // Requests with the same deadline may have expired just now and freed their slots.
      if (next.deadlineMs <= nowMs + 1) {
        next.reject(reject('waited_too_long'));
        continue;
      }
      onWaited?.(nowMs - next.sinceMs);
      next.admit(slots.take(next.lane, nowMs));
    }
  }

  /** A timer may fire slightly early by the clock. */
  function openLater(): void {
    clearTimeout(holdTimer);
    const leftMs = hold.untilMs - clock();
    if (leftMs <= 0) admit();
    else holdTimer = setTimeout(openLater, Math.ceil(leftMs)).unref();
  }

  function reject(rejection: GateRejection): Problem {
    onRejected?.(rejection);
    if (rejection === 'held') return new UpstreamLimit(hold.untilMs - clock());
    const seconds = Math.min(60, Math.max(1, Math.ceil((queue.size * meanStayMs) / slots.concurrencyMax / 1_000)));
    const why = rejection === 'queue_full' ? 'Too many requests wait' : 'Your request has waited too long';
    return new Problem('unavailable', `${why} for the upstream; yours was not sent. Wait ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }

  return {
    enter(entrant) {
      const nowMs = clock();
      const isOpen = nowMs >= hold.untilMs && slots.areFree(hold.window) && mayGo(entrant.lane);
      if (queue.size === 0 && isOpen) return slots.take(entrant.lane, nowMs);
      if (entrant.signal?.aborted === true) throw requestCancelled(false);
      if (entrant.deadlineMs <= hold.untilMs) throw reject('held');
      if (queue.size >= queueMax) {
        const displaced = queue.size === 0 ? undefined : queue.longestBut(entrant.lane);
        if (displaced === undefined) throw reject('queue_full');
        displaced.reject(reject('queue_full'));
      }
      const entered = new Promise<Slot>((resolve, fail) => new Waiter(waiting, entrant, nowMs, resolve, fail));
      // All earlier requests may be blocked by their own lanes.
      if (isOpen) admit();
      return entered;
    },
    hold(askedMs) {
      onLimited?.();
      const begun = hold.begin(clock(), askedMs);
      if (begun === undefined) return;
      if (begun.isNews) onHeld?.(begun.holdMs);
      openLater();
      for (const waiter of queue.all()) if (waiter.deadlineMs <= hold.untilMs) waiter.reject(reject('held'));
    },
    resize(bounds) {
      hold.resize(slots.concurrencyMax);
      slots.concurrencyMax = bounds.concurrencyMax;
      queueMax = bounds.queueMax;
      admit();
    },
    get working() {
      return slots.working;
    },
    get streaming() {
      return slots.streaming;
    },
    get queued() {
      return queue.size;
    },
    get heldMs() {
      return Math.max(0, hold.untilMs - clock());
    },
  };
}

interface SlotEvents {
  /** The response to a request that entered then has begun, or never will. */
  readonly onAnswered: (enteredMs: number) => void;
  /** A response has been sent to its end. */
  readonly onStreamed: () => void;
}

/** How many responses one lane may stream at a time, for each slot of the account. */
const streamsPerSlotMax = 4;

/** Counts the requests of an account that are at the upstream. */
class Slots {
  concurrencyMax: number;
  working = 0;
  streaming = 0;
  readonly #streamingByLane = new Map<string, number>();
  readonly #events: SlotEvents;

  constructor(concurrencyMax: number, events: SlotEvents) {
    this.concurrencyMax = concurrencyMax;
    this.#events = events;
  }

  /** Slow readers occupy at most half of the slots, and nothing of the window, which would stay closed until they end. */
  areFree(windowMax: number): boolean {
    const { working, streaming, concurrencyMax } = this;
    return working < windowMax && working + Math.min(streaming, concurrencyMax >> 1) < concurrencyMax;
  }

  /** Streams beyond half of the slots occupy none, but they cost connections and memory. */
  mayGo(lane: string): boolean {
    return (this.#streamingByLane.get(lane) ?? 0) < streamsPerSlotMax * this.concurrencyMax;
  }

  take(lane: string, enteredMs: number): Slot {
    let state: 'working' | 'streaming' | 'released' = 'working';
    this.working++;
    return {
      startStreaming: () => {
        if (state !== 'working') return;
        state = 'streaming';
        this.working--;
        this.#addStreaming(lane, 1);
        this.#events.onAnswered(enteredMs);
      },
      release: () => {
        const before = state;
        state = 'released';
        if (before === 'working') {
          this.working--;
          this.#events.onAnswered(enteredMs);
        } else if (before === 'streaming') {
          this.#addStreaming(lane, -1);
          this.#events.onStreamed();
        }
      },
    };
  }

  #addStreaming(lane: string, change: 1 | -1): void {
    this.streaming += change;
    const count = (this.#streamingByLane.get(lane) ?? 0) + change;
    if (count === 0) this.#streamingByLane.delete(lane);
    else this.#streamingByLane.set(lane, count);
  }
}

const defaultHoldMs = 1_000;
const defaultHoldMsMax = 30_000;
/** `Retry-After: 0` does not allow a busy loop. */
const holdMsMin = 250;
/** A shorter extension comes from requests that were in flight, and is not reported. */
const reportedMsMin = holdMsMin;
/** A longer `Retry-After` is cut to this. */
const holdMsMax = 3_600_000;

/** How long the gate is closed because the upstream limits the account, and how many requests may enter afterwards. */
class UpstreamHold {
  /** By the gate's clock. */
  untilMs = Number.NEGATIVE_INFINITY;
  /** After a hold one request goes first, and each response admits one more. */
  window = Number.POSITIVE_INFINITY;
  /** Holds since the last response. */
  #strikes = 0;

  /**
   * Starts or extends the hold.
   * @returns its length and whether to report it; undefined when the current hold lasts as long
   */
  begin(nowMs: number, askedMs: number | undefined): { readonly holdMs: number; readonly isNews: boolean } | undefined {
    // All requests that were in flight when it began cause one hold.
    if (nowMs < this.untilMs && askedMs === undefined) return undefined;
    const unaskedMs = Math.min(defaultHoldMsMax, defaultHoldMs * 2 ** this.#strikes);
    if (nowMs >= this.untilMs) this.#strikes++;
    const holdMs = Math.min(holdMsMax, Math.max(holdMsMin, askedMs ?? unaskedMs));
    const longerMs = nowMs + holdMs - Math.max(nowMs, this.untilMs);
    if (longerMs <= 0) return undefined;
    this.untilMs = nowMs + holdMs;
    this.window = 1;
    return { holdMs, isNews: longerMs >= reportedMsMin };
  }

  /** Widens the window for a response to a request that entered after the hold. */
  answer(enteredMs: number, concurrencyMax: number): void {
    if (enteredMs < this.untilMs) return;
    this.#strikes = 0;
    if (this.window < concurrencyMax) this.window++;
  }

  /** A window that was fully open stays so when more are admitted. */
  resize(concurrencyMaxBefore: number): void {
    if (this.window >= concurrencyMaxBefore) this.window = Number.POSITIVE_INFINITY;
  }
}
