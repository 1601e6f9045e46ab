import type { ChangePlace } from '../store/changed-staff-finder.ts';
import type { PostMessage, PostOutcome } from './post-message.ts';
import { failuresMax, retryDelayMs } from './retry-plan.ts';
import { changesMax, createChangesMessage, signMessage } from './webhook-message.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';
import type { AttemptRecord, DisabledReason, Webhook, WebhookStore } from './webhook-store.ts';

export interface DeliveryDependencies {
  readonly store: Pick<WebhookStore, 'claim' | 'readChanges' | 'record' | 'release'>;
  /** Undefined when the setting is missing. */
  readonly secrets: WebhookSecrets | undefined;
  readonly post: PostMessage;
  /** Milliseconds since the epoch by the system clock, which receivers compare with theirs. */
  readonly clock: () => number;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
}

/** An attempt to deliver. */
export interface Attempt {
  readonly webhook: Webhook;
  readonly result: 'delivered' | 'failed';
  /** The status of the response, or why there is none. */
  readonly outcome: string;
  readonly changes: number;
  /** Failed attempts in succession. */
  readonly failures: number;
  readonly nextAttemptMs: number;
  readonly disabledReason: DisabledReason | null;
  /** Whether more changes can be delivered at once. */
  readonly hasMore: boolean;
}

/**
 * Delivers the next changes of a webhook that `listed` shows, and moves its position when the receiver has accepted them.
 * Returns undefined when there was no attempt: another process has the webhook, there is nothing to deliver, or this
 * process stops.
 */
export async function deliverNext(
  listed: Webhook,
  { store, secrets, post, clock, random }: DeliveryDependencies,
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  const webhook = await store.claim(listed.key, listed.leaseNumber);
  if (webhook === undefined) return undefined;
  const found = await store.readChanges(webhook, changesMax);
  if (found.isComplete && found.changes.length === 0) {
    await store.release(webhook);
    return undefined;
  }
  const keys = secrets?.signingKeys(webhook, clock());
  const outcome: PostOutcome =
    keys === undefined
      ? { kind: 'failed', reason: secretDiffers }
      : await send(createChangesMessage(webhook, found), keys);
  if (outcome.kind === 'aborted') {
    await store.release(webhook);
    return undefined;
  }
  const record = recordOf(webhook, outcome, { next: found.next, nowMs: clock(), random });
  if (!(await store.record(webhook, record))) return undefined;
  const isDelivered = record.after !== undefined;
  return {
    ...{ webhook, result: isDelivered ? 'delivered' : 'failed', changes: found.changes.length },
    ...{ outcome: record.outcome, failures: record.failures, nextAttemptMs: record.nextAttemptMs },
    ...{ disabledReason: record.disabledReason, hasMore: isDelivered && found.hasMore },
  };

  function send(message: ReturnType<typeof createChangesMessage>, signingKeys: readonly Buffer[]) {
    const headers = signMessage(message, signingKeys, clock());
    return post({ url: (webhook as Webhook).url, headers, body: message.body, signal });
  }
}

/** The reason when `webhook_secret` is not the one that the secret was derived from. */
export const secretDiffers = 'webhook_secret is missing or differs';

interface RecordContext {
  readonly next: ChangePlace;
  readonly nowMs: number;
  readonly random: () => number;
}

function recordOf(
  { failures: before }: Webhook,
  outcome: Exclude<PostOutcome, { kind: 'aborted' }>,
  { next, nowMs, random }: RecordContext,
): AttemptRecord {
  const text = describeOutcome(outcome);
  if (isAccepted(outcome)) {
    return { outcome: text, atMs: nowMs, after: next, failures: 0, nextAttemptMs: 0, disabledReason: null };
  }
  const failures = before + 1;
  const isGone = outcome.kind === 'response' && outcome.status === 410;
  const disabledReason = isGone ? 'gone' : failures >= failuresMax ? 'failures' : null;
  const nextAttemptMs = nowMs + retryDelayMs(failures, random);
  return { outcome: text, atMs: nowMs, failures, nextAttemptMs, disabledReason };
}

/** Returns whether the receiver has accepted a message. */
export const isAccepted = (outcome: PostOutcome): boolean =>
  outcome.kind === 'response' && outcome.status >= 200 && outcome.status < 300;

export const describeOutcome = (outcome: Exclude<PostOutcome, { kind: 'aborted' }>): string =>
  outcome.kind === 'response' ? `status ${outcome.status}` : outcome.reason;
