import type { DependencyStatus } from '@rostergate/server/lifecycle';
import { Problem } from '@rostergate/server/problem';
import { PauseTolerantTimer, type PauseTolerantTimerOptions } from './clock.ts';
import type { Hit, HitStore, Verdict } from './hit-store.ts';
import { LocalCount } from './local-count.ts';
import {
  batchHitsMax,
  createCounterProbe,
  probeHit,
  RemoteCountError,
  type RemoteCounter,
  reasonOf,
} from './remote-counter.ts';

/** The policy while the counter is unavailable: count in this process, admit every hit, or reject every hit. */
export type OnStoreFailure = 'local' | 'open' | 'closed';

export interface RemoteHitStoreOptions {
  readonly counter: RemoteCounter;
  readonly windowMs: number;
  readonly onFailure: OnStoreFailure;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  /** How long a hit may wait for its verdict before the counter counts as unavailable. */
  readonly deadlineMs?: number;
  /** How often an unavailable or idle counter is probed. */
  readonly probeMs?: number;
  /** Spreads the probes of many processes; from 0 to below 1. */
  readonly random?: () => number;
  /** Called when the counter becomes unavailable, and when it is available again. */
  readonly onChange?: (status: DependencyStatus) => void;
}

/** Hits that are sent together. */
class Batch {
  readonly hits: Hit[] = [];
  readonly waiting: { resolve(verdict: Verdict | Promise<Verdict>): void }[] = [];
  readonly deadline: PauseTolerantTimer;
  sentMs = 0;
  isSettled = false;

  constructor(options: PauseTolerantTimerOptions, onDeadline: (batch: Batch) => void) {
    this.deadline = new PauseTolerantTimer(options, () => onDeadline(this));
  }
}

/** How long a start waits for the counter before the server serves without it. */
const openMsMax = 500;
/** How long hits wait for a counter that responds to others, but is overloaded. */
const overloadMsMax = 250;

/**
 * Returns a store for a counter that can be unavailable. It starts to connect without waiting. The first hit of a turn
 * of the event loop is sent at once, the others of that turn together. When a batch has no response by the deadline and
 * no other batch got one, the counter is unavailable: pending hits are decided by `onFailure` then, and later ones at
 * once, while one probe at a time tests whether it is available again.
 */
export function createRemoteHitStore(options: RemoteHitStoreOptions): HitStore {
  const {
    counter,
    windowMs,
    onFailure,
    clock,
    deadlineMs = 40,
    probeMs = 500,
    random = Math.random,
    onChange,
  } = options;
  const probe = createCounterProbe({ clock, counter, deadlineMs });
  const local = new LocalCount({ windowMs, clock });
  const pending = new Set<Batch>();
  let unsent: Batch[] = [];
  let isTurnOpen = false;
  /** Why the counter is unavailable; undefined while it responds. */
  let fault: string | undefined;
  let lastResponseMs: number | undefined;
  let isClosed = false;
  let wake = () => {};
  let onOpened = () => {};
  const known = Promise.withResolvers<void>();
  const opened = new Promise<void>((resolve) => {
    // Keeps the process alive: a start may be waiting for nothing else yet.
    const timer = setTimeout(resolve, openMsMax);
    onOpened = () => {
      known.resolve();
      clearTimeout(timer);
      resolve();
    };
  });

  function hit(one: Hit): Verdict | Promise<Verdict> {
    if (fault !== undefined) return decideByFailurePolicy(one);
    return new Promise((resolve) => {
      const isFirst = !isTurnOpen;
      let batch = isFirst ? undefined : unsent.at(-1);
      if (batch === undefined || batch.hits.length === batchHitsMax) batch = new Batch({ clock }, onDeadline);
      batch.hits.push(one);
      batch.waiting.push({ resolve });
      if (isFirst) {
        isTurnOpen = true;
        setImmediate(endTurn);
        send(batch);
      } else if (batch.hits.length === 1) {
        unsent.push(batch);
      }
    });
  }

  function endTurn(): void {
    isTurnOpen = false;
    const batches = unsent;
    unsent = [];
    for (const batch of batches) send(batch);
  }

  function send(batch: Batch): void {
    batch.sentMs = clock();
    batch.deadline.set(deadlineMs);
    pending.add(batch);
    counter.count(batch.hits).then(
      (verdicts) => settle(batch, verdicts),
      (error: unknown) => {
        if (!batch.isSettled) markUnavailable(reasonOf(error));
      },
    );
  }

  function settle(batch: Batch, verdicts: readonly Verdict[]): void {
    if (batch.isSettled) return;
    finish(batch);
    lastResponseMs = clock();
    const { hits, waiting, sentMs } = batch;
    for (let i = 0; i < hits.length; i++) {
      const verdict = verdicts[i] as Verdict;
      if (onFailure === 'local') local.learn(hits[i] as Hit, verdict, sentMs);
      waiting[i]?.resolve(verdict);
    }
  }

  function onDeadline(batch: Batch): void {
    const nowMs = clock();
    const extraMs =
      lastResponseMs !== undefined && lastResponseMs > batch.sentMs ? lastResponseMs + deadlineMs - nowMs : 0;
    if (extraMs > 0 && nowMs - batch.sentMs < overloadMsMax) batch.deadline.set(extraMs);
    else markUnavailable(`No response within ${deadlineMs} ms.`);
  }

  function markUnavailable(reason: string): void {
    const isChange = fault === undefined;
    fault = reason;
    onOpened();
    const batches = [...pending, ...unsent];
    unsent = [];
    for (const batch of batches) {
      finish(batch);
      for (let i = 0; i < batch.hits.length; i++) {
        batch.waiting[i]?.resolve(decideByFailurePolicy(batch.hits[i] as Hit));
      }
    }
    if (!isChange || isClosed) return;
    onChange?.(status());
    wake();
  }

  function finish(batch: Batch): void {
    batch.isSettled = true;
    batch.deadline.clear();
    pending.delete(batch);
  }

  function decideByFailurePolicy(one: Hit): Verdict | Promise<Verdict> {
    if (onFailure === 'local') return local.hit(one);
    if (onFailure === 'open') return uncounted;
    const problem = new Problem('unavailable', 'Requests cannot be counted now. Send the request again in a moment.', {
      headers: { 'Retry-After': String(Math.ceil((probeMs * 2) / 1000)) },
      cause: new RemoteCountError(fault ?? 'closed'),
    });
    return Promise.reject(problem);
  }

  /** Probes the counter until the store is closed, while it is unavailable and while it is idle. */
  async function watch(): Promise<void> {
    while (!isClosed) {
      if (fault === undefined && lastResponseMs !== undefined) {
        if (clock() - lastResponseMs >= probeMs) await Promise.resolve(hit(probeHit)).catch(() => {});
        if (fault === undefined) await pause(probeMs);
        continue;
      }
      // The first response may be late, because the counter had to connect or to resume.
      const reason = (await probe()) && (await probe());
      if (isClosed) return;
      if (reason === undefined) {
        markAvailable();
      } else {
        markUnavailable(reason);
        await pause(probeMs * (0.5 + random()));
      }
    }
  }

  function markAvailable(): void {
    lastResponseMs = clock();
    onOpened();
    if (fault === undefined) return;
    fault = undefined;
    local.clear();
    onChange?.(status());
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (isClosed) wake();
    });
  }

  function status(): DependencyStatus {
    const store = counter.name;
    if (fault === undefined && lastResponseMs === undefined) {
      return { status: 'degraded', store, reason: 'No connection yet.' };
    }
    if (fault === undefined) return { status: 'ready', store };
    return {
      status: onFailure === 'closed' ? 'unavailable' : 'degraded',
      store,
      reason: fault,
      meanwhile: meanwhile[onFailure],
    };
  }

  void watch();
  return {
    windowMs,
    hit,
    opened: () => opened,
    known: () => known.promise,
    status,
    async close() {
      isClosed = true;
      markUnavailable('The store is closed.');
      wake();
      await counter.close();
    },
  };
}

const uncounted: Verdict = Object.freeze([]);

const meanwhile = {
  local: 'Each process counts its own requests.',
  open: 'Every request is admitted.',
  closed: 'Every request is rejected.',
} as const satisfies Record<OnStoreFailure, string>;
