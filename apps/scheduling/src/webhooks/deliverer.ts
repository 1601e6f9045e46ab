import { type Attempt, type DeliveryDependencies, deliverNext } from './deliver-next.ts';
import { delayMsMax } from './retry-plan.ts';
import type { Webhook, WebhookStore } from './webhook-store.ts';

/** Attempts at once, in this process. */
const attemptsMax = 16;

/**
 * How long a lease may stay unchanged until another process takes it: longer than an attempt with its statements takes.
 * Each process measures it with its own clock, so clocks of machines need not agree.
 */
export const leaseMs = 30_000;

/** What a look at the webhooks has found. */
export interface WebhookStates {
  /** Active ones whose last attempt did not fail. */
  readonly active: number;
  /** Active ones whose last attempt has failed. */
  readonly failing: number;
  readonly disabled: number;
  /** Age of the oldest change that is not delivered, over all webhooks. */
  readonly lagMs: number;
}

export interface DelivererDependencies extends DeliveryDependencies {
  readonly store: WebhookStore;
  /** Milliseconds that no change of the system clock moves, for leases. */
  readonly steadyClock: () => number;
  readonly onAttempt: (attempt: Attempt) => void;
  readonly onStates: (states: WebhookStates) => void;
  /** A statement has failed. The webhook is tried again at the next look. */
  readonly onError: (error: unknown) => void;
}

export interface Deliverer {
  /** Starts to deliver what is due, and returns when it is known what that is. */
  look(): Promise<void>;
  /** Resolves when no delivery is in progress. */
  idle(): Promise<void>;
  /** Returns whether the company had a webhook at the last look. */
  serves(companyKey: string): boolean;
  /** Returns whether changes waited for a free place at the last look. */
  hasWaiting(): boolean;
  /** Starts no other attempt, and ends those in progress when the signal aborts. */
  stop(cut: AbortSignal): Promise<void>;
}

/** Returns the deliverer of one process. Of several on one database, one delivers each message. */
export function createDeliverer(dependencies: DelivererDependencies): Deliverer {
  const { store, clock, steadyClock, onAttempt, onStates, onError } = dependencies;
  const running = new Map<string, Promise<void>>();
  const ending = new AbortController();
  let leases = new Map<string, { readonly leaseNumber: number; readonly sinceMs: number }>();
  let companies: ReadonlySet<string> = new Set();
  let waiting: readonly Webhook[] = [];
  let isStopped = false;

  /** Stores since when each lease is unchanged. */
  function observe(webhooks: readonly Webhook[]): void {
    const nowMs = steadyClock();
    leases = new Map(
      webhooks.map(({ key, leaseNumber }) => {
        const seen = leases.get(key);
        return [key, seen?.leaseNumber === leaseNumber ? seen : { leaseNumber, sinceMs: nowMs }];
      }),
    );
  }

  function isLeasedNow({ key, isLeased }: Webhook): boolean {
    const nowMs = steadyClock();
    return isLeased && nowMs - (leases.get(key)?.sinceMs ?? nowMs) < leaseMs;
  }

  function isDue({ nextAttemptMs }: Webhook, nowMs: number): boolean {
    // A time beyond the longest delay comes from a clock that was set back since.
    return nextAttemptMs <= nowMs || nextAttemptMs > nowMs + 2 * delayMsMax;
  }

  async function deliver(listed: Webhook): Promise<void> {
    try {
      for (let webhook: Webhook | undefined = listed; webhook !== undefined && !isStopped; ) {
        const attempt = await deliverNext(webhook, dependencies, ending.signal);
        if (attempt !== undefined) onAttempt(attempt);
        webhook = attempt?.hasMore ? await store.find(listed.key) : undefined;
      }
    } catch (error) {
      onError(error);
    }
  }

  return {
    async look() {
      const nowMs = clock();
      const all = await store.list();
      const webhooks = all.filter(({ disabledReason }) => disabledReason === null);
      observe(webhooks);
      companies = new Set(webhooks.map(({ companyKey }) => companyKey));
      let lagMs = 0;
      const due: Webhook[] = [];
      for (const webhook of webhooks) {
        const since = await store.findPending(webhook);
        if (since === undefined) continue;
        lagMs = Math.max(lagMs, nowMs - (Date.parse(`${since}Z`) || nowMs));
        if (isDue(webhook, nowMs) && !isLeasedNow(webhook)) due.push(webhook);
      }
      const failing = webhooks.filter(({ failures }) => failures > 0).length;
      onStates({ active: webhooks.length - failing, failing, disabled: all.length - webhooks.length, lagMs });
      if (isStopped) return;
      // Those that waited before come first, so that none waits for ever.
      const waited = new Set(waiting.map(({ key }) => key));
      const inOrder = due
        .filter(({ key }) => !running.has(key))
        .sort((a, b) => +waited.has(b.key) - +waited.has(a.key));
      const free = Math.max(0, attemptsMax - running.size);
      waiting = inOrder.slice(free);
      for (const webhook of inOrder.slice(0, free)) {
        const work = deliver(webhook).finally(() => running.delete(webhook.key));
        running.set(webhook.key, work);
      }
    },
    async idle() {
      await Promise.all(running.values());
    },
    serves: (companyKey) => companies.has(companyKey),
    hasWaiting: () => waiting.length > 0,
    async stop(cut) {
      isStopped = true;
      const abort = () => ending.abort();
      if (cut.aborted) abort();
      else cut.addEventListener('abort', abort, { once: true });
      await Promise.all(running.values());
      cut.removeEventListener('abort', abort);
    },
  };
}
