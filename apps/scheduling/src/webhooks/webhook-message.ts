import { createHash, createHmac } from 'node:crypto';
import type { Webhook, WebhookChanges } from './webhook-store.ts';

/** A message in the form of Standard Webhooks. Its body contains keys of people and no other data of them. */
export interface WebhookMessage {
  /** The same for each attempt to deliver the same part of the changes. */
  readonly id: string;
  readonly body: string;
}

/** Changes in one message, at most. */
export const changesMax = 100;

/** Node accepts 16 KB of request head, and proxies add to it. */
const queryLengthMax = 12_000;

/** Returns the message about changes, or that the receiver has to read the whole company again. */
export function createChangesMessage(
  { key, companyKey, after }: Pick<Webhook, 'key' | 'companyKey' | 'after'>,
  { changes, next, isComplete }: Omit<WebhookChanges, 'hasMore'>,
): WebhookMessage {
  // From the position before to the one after: a message with later changes has another id.
  const part = JSON.stringify([key, after.stamp, after.staffKey, next.stamp, next.staffKey, isComplete]);
  const id = `msg_${createHash('sha256').update(part).digest('base64url').slice(0, 27)}`;
  const list = `staffmember?companyKey=${encodeURIComponent(companyKey)}`;
  const timestamp = `${next.stamp || '1970-01-01T00:00:00'}Z`;
  if (!isComplete) {
    return {
      id,
      body: JSON.stringify({ type: 'staff.reset', timestamp, data: { company_key: companyKey, query: list } }),
    };
  }
  const keysOf = (isDeleted: boolean) =>
    changes.filter(({ row }) => (row === null) === isDeleted).map(({ key }) => key);
  const changed = keysOf(false);
  const texts = changed.map((text) => `'${text.replaceAll("'", "''")}'`).join(',');
  const query = `${list}&$filter=${encodeURIComponent(`StaffKey in (${texts})`)}`;
  const isUsable = changed.length > 0 && query.length <= queryLengthMax;
  const data = { ...{ company_key: companyKey, changed, deleted: keysOf(true) }, query: isUsable ? query : null };
  return { id, body: JSON.stringify({ type: 'staff.changed', timestamp, data }) };
}

/** Returns the message of `webhooks send-test`. */
export function createTestMessage({ key, companyKey }: Pick<Webhook, 'key' | 'companyKey'>, nowMs: number) {
  const timestamp = new Date(nowMs).toISOString();
  const id = `msg_test_${createHash('sha256').update(`${key} ${nowMs}`).digest('base64url').slice(0, 22)}`;
  return { id, body: JSON.stringify({ type: 'webhook.test', timestamp, data: { company_key: companyKey } }) };
}

/** Returns the header fields of an attempt, signed with each key. */
export function signMessage(
  { id, body }: WebhookMessage,
  keys: readonly Buffer[],
  nowMs: number,
): Readonly<Record<string, string>> {
  const seconds = Math.floor(nowMs / 1_000);
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  );
  return {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
