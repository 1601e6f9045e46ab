import type { ChangePlace, FoundChange } from '../store/changed-staff-finder.ts';

/** Webhooks of a company, at most. */
export const webhooksMax = 5;

/** The year of a position beyond all changes: the next message lets the receiver read everyone again. */
export const resetYear = '9999';

/**
 * Why a webhook is disabled: by a command, because the receiver responded 410, or because too many attempts in
 * succession have failed.
 */
export type DisabledReason = 'command' | 'gone' | 'failures';

export interface Webhook {
  readonly key: string;
  readonly companyKey: string;
  readonly url: string;
  readonly secretVersion: number;
  readonly secretDigest: string;
  /** When the secret was replaced; null unless it was. */
  readonly rotatedAtMs: number | null;
  /** Everything up to this place of the changes is delivered. */
  readonly after: ChangePlace;
  /** Failed attempts in succession. */
  readonly failures: number;
  /** No attempt before this time. */
  readonly nextAttemptMs: number;
  readonly disabledReason: DisabledReason | null;
  /** What came of the last attempt: a status, or a reason. */
  readonly lastOutcome: string | null;
  readonly lastAttemptMs: number | null;
  readonly leaseNumber: number;
  /** Whether a process is delivering, or has ended while it was. */
  readonly isLeased: boolean;
}

/** Changes after the position of a webhook. */
export interface WebhookChanges {
  readonly changes: readonly FoundChange[];
  /** The position when they are delivered. */
  readonly next: ChangePlace;
  /** Whether others follow. */
  readonly hasMore: boolean;
  /** False when removals since the position are no longer stored. */
  readonly isComplete: boolean;
}

export interface NewSecret {
  readonly secretVersion: number;
  readonly secretDigest: string;
}

export interface NewWebhook extends NewSecret {
  readonly key: string;
  readonly companyKey: string;
  readonly url: string;
}

export interface AttemptRecord {
  readonly outcome: string;
  readonly atMs: number;
  /** The new position, after a delivery. */
  readonly after?: ChangePlace;
  readonly failures: number;
  readonly nextAttemptMs: number;
  readonly disabledReason: DisabledReason | null;
}

/** Webhooks and their positions, in the same database as the changes. Every change by a command has an audit entry. */
export interface WebhookStore {
  /** Adds a webhook at the end of the changes; undefined when the company has `webhooksMax` already. */
  add(webhook: NewWebhook): Promise<Webhook | undefined>;
  /** Returns the webhooks in the order of company and key. */
  list(companyKey?: string): Promise<readonly Webhook[]>;
  find(key: string): Promise<Webhook | undefined>;
  /** Returns whether there was one. */
  remove(key: string): Promise<boolean>;
  /** Enables it at the position where it stopped, or disables it. Undefined when there is none. */
  setDisabled(key: string, isDisabled: boolean): Promise<Webhook | undefined>;
  /** Moves it beyond all changes: the receiver has to read everyone again. Undefined when there is none. */
  reset(key: string): Promise<Webhook | undefined>;
  /** Replaces the secret. Undefined when there is none, or when its secret has another version than the one before. */
  rotate(key: string, secret: NewSecret, rotatedAtMs: number): Promise<Webhook | undefined>;
  /** Returns the time of the first change that is not delivered; undefined when there is none. */
  findPending(webhook: Webhook): Promise<string | undefined>;
  /** Returns at most `top` changes after the position. */
  readChanges(webhook: Webhook, top: number): Promise<WebhookChanges>;
  /** Leases a webhook to this process, unless another one has leased it since `leaseNumber`. */
  claim(key: string, leaseNumber: number): Promise<Webhook | undefined>;
  /** Records an attempt and ends the lease. Returns false, and changes nothing, when the lease is lost. */
  record(leased: Webhook, attempt: AttemptRecord): Promise<boolean>;
  /** Ends the lease without an attempt. */
  release(leased: Webhook): Promise<void>;
}
