import type { DependencyStatus } from '../lifecycle/index.ts';
import { Problem } from '../problem/index.ts';
import { createCounterProbe, probeHit, reasonOf } from './counter-probe.ts';
import { FairTimer, type FairTimerOptions } from './fair-timer.ts';
import type { Hit, HitStore, Verdict } from './hit-store.ts';
import { LocalCount } from './local-count.ts';
import { batchHitsMax, RemoteCountError, type RemoteCounter } from './remote-counter.ts';

/** What to do while the counter is away: count in this process, let every hit pass, or refuse every hit. */
export type OnStoreFailure = 'local' | 'open' | 'closed';

export interface RemoteHitStoreOptions {
  readonly counter: RemoteCounter;
  readonly windowMs: number;
  readonly onFailure: OnStoreFailure;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  /** How long a hit may wait for its verdict before the counter is taken to be away. */
  readonly deadlineMs?: number;
  /** How often a counter that is away is tried again, and one that has nothing to do is asked whether it is there. */
  readonly probeMs?: number;
  /** Spreads the tries of many processes; 0 to below 1. */
  readonly random?: () => number;
  /** Called when the counter goes away and when it is back. */
  readonly onChange?: (status: DependencyStatus) => void;
}

/** Hits of one turn of the event loop, which travel together. */
class Batch {
  readonly hits: Hit[] = [];
  readonly waiting: { resolve(verdict: Verdict | Promise<Verdict>): void }[] = [];
  readonly deadline: FairTimer;
  sentMs = 0;
  isSettled = false;

  constructor(options: FairTimerOptions, onDeadline: (batch: Batch) => void) {
    this.deadline = new FairTimer(options, () => onDeadline(this));
  }
}

/** A server that starts without the counter serves all the same. */
const openPatienceMs = 500;
/** So long may hits wait for a counter that does answer, but has too much to do. */
const overloadMsMax = 250;

/**
 * Makes a store of a counter that can be away. It begins to connect at once and never waits for that. The first hit of
 * a turn of the event loop goes out at once, all others of that turn together. When a batch has no answer by the
 * deadline, and no other has either, the counter counts as away: what waits is decided by `onFailure` then, and what
 * comes later at once. One probe at a time finds out when it is back.
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
  const underWay = new Set<Batch>();
  let gathering: Batch[] = [];
  let isTurnUnderWay = false;
  /** Why the counter is away; undefined while it answers. */
  let fault: string | undefined;
  let heardMs: number | undefined;
  let isClosed = false;
  let wake = () => {};
  let hasOpened = () => {};
  const opened = new Promise<void>((resolve) => {
    // Keeps the process alive: somebody may be waiting for it, and for nothing else yet.
    const timer = setTimeout(resolve, openPatienceMs);
    hasOpened = () => {
      clearTimeout(timer);
      resolve();
    };
  });

  function hit(one: Hit): Verdict | Promise<Verdict> {
    if (fault !== undefined) return decideAlone(one);
    return new Promise((resolve) => {
      const isFirst = !isTurnUnderWay;
      let batch = isFirst ? undefined : gathering.at(-1);
      if (batch === undefined || batch.hits.length === batchHitsMax) batch = new Batch({ clock }, onDeadline);
      batch.hits.push(one);
      batch.waiting.push({ resolve });
      if (isFirst) {
        isTurnUnderWay = true;
        setImmediate(endTurn);
        send(batch);
      } else if (batch.hits.length === 1) {
        gathering.push(batch);
      }
    });
  }

  function endTurn(): void {
    isTurnUnderWay = false;
    const batches = gathering;
    gathering = [];
    for (const batch of batches) send(batch);
  }

  function send(batch: Batch): void {
    batch.sentMs = clock();
    batch.deadline.set(deadlineMs);
    underWay.add(batch);
    counter.count(batch.hits).then(
      (verdicts) => settle(batch, verdicts),
      (error: unknown) => {
        if (!batch.isSettled) goAway(reasonOf(error));
      },
    );
  }

  function settle(batch: Batch, verdicts: readonly Verdict[]): void {
    if (batch.isSettled) return;
    finish(batch);
    heardMs = clock();
    const { hits, waiting, sentMs } = batch;
    for (let i = 0; i < hits.length; i++) {
      const verdict = verdicts[i] as Verdict;
      if (onFailure === 'local') local.learn(hits[i] as Hit, verdict, sentMs);
      waiting[i]?.resolve(verdict);
    }
  }

  function onDeadline(batch: Batch): void {
    const nowMs = clock();
    const aliveMs = heardMs !== undefined && heardMs > batch.sentMs ? heardMs + deadlineMs - nowMs : 0;
    if (aliveMs > 0 && nowMs - batch.sentMs < overloadMsMax) batch.deadline.set(aliveMs);
    else goAway(`No answer within ${deadlineMs} ms.`);
  }

  function goAway(reason: string): void {
    const isNews = fault === undefined;
    fault = reason;
    hasOpened();
    const batches = [...underWay, ...gathering];
    gathering = [];
    for (const batch of batches) {
      finish(batch);
      for (let i = 0; i < batch.hits.length; i++) batch.waiting[i]?.resolve(decideAlone(batch.hits[i] as Hit));
    }
    if (!isNews || isClosed) return;
    onChange?.(status());
    wake();
  }

  function finish(batch: Batch): void {
    batch.isSettled = true;
    batch.deadline.clear();
    underWay.delete(batch);
  }

  function decideAlone(one: Hit): Verdict | Promise<Verdict> {
    if (onFailure === 'local') return local.hit(one);
    if (onFailure === 'open') return nobodyCounts;
    const problem = new Problem('unavailable', 'Requests cannot be counted now. Send the request again in a moment.', {
      headers: { 'Retry-After': String(Math.ceil((probeMs * 2) / 1000)) },
      cause: new RemoteCountError(fault ?? 'closed'),
    });
    return Promise.reject(problem);
  }

  /** Keeps asking: while the counter is away whether it is back, while it has nothing to do whether it is there. */
  async function watch(): Promise<void> {
    while (!isClosed) {
      if (fault === undefined && heardMs !== undefined) {
        if (clock() - heardMs >= probeMs) await Promise.resolve(hit(probeHit)).catch(() => {});
        if (fault === undefined) await pause(probeMs);
        continue;
      }
      // The first answer may be late, having had to connect or to wake up.
      const reason = (await probe()) && (await probe());
      if (isClosed) return;
      if (reason === undefined) {
        comeBack();
      } else {
        goAway(reason);
        await pause(probeMs * (0.5 + random()));
      }
    }
  }

  function comeBack(): void {
    heardMs = clock();
    hasOpened();
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
    if (fault === undefined && heardMs === undefined) return { status: 'degraded', store, reason: 'Not reached yet.' };
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
    status,
    async close() {
      isClosed = true;
      goAway('The server has let go of it.');
      wake();
      await counter.close();
    },
  };
}

const nobodyCounts: Verdict = Object.freeze([]);

const meanwhile = {
  local: 'Each process counts for itself.',
  open: 'Every request passes.',
  closed: 'Every request is refused.',
} as const satisfies Record<OnStoreFailure, string>;
