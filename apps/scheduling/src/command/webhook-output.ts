import { type Column, formatTable, type Output } from '@rostergate/config/command';
import { resetYear, type Webhook } from '../webhooks/webhook-store.ts';

/** Returns webhooks as `webhooks list` prints them. */
export const formatWebhooks = (webhooks: readonly Webhook[], out: Output): string =>
  formatTable(columns, webhooks.map(toRow), out);

const columns: readonly Column[] = [
  { title: 'WEBHOOK', isWhole: true },
  { title: 'COMPANY' },
  { title: 'URL' },
  { title: 'STATE', style: (state) => (state === 'active' ? 'green' : 'red') },
  { title: 'LAST ATTEMPT' },
  { title: 'OUTCOME' },
];

function toRow(webhook: Webhook): string[] {
  const { key, companyKey, url, lastAttemptMs, lastOutcome } = webhook;
  const last = lastAttemptMs === null ? '–' : timeOf(lastAttemptMs).slice(0, 16).replace('T', ' ');
  return [key, companyKey, url, stateOf(webhook), last, lastOutcome ?? '–'];
}

/** Returns a webhook as `--json` prints it. */
export function toJson(webhook: Webhook) {
  const { key, companyKey, url, after, failures, nextAttemptMs, lastAttemptMs, lastOutcome } = webhook;
  const isUndelivered = after.stamp === '' || after.stamp.startsWith(resetYear);
  return {
    ...{ webhook: key, company_key: companyKey, url, state: stateOf(webhook), failures },
    next_attempt: failures === 0 || webhook.disabledReason !== null ? null : timeOf(nextAttemptMs),
    last_attempt: lastAttemptMs === null ? null : timeOf(lastAttemptMs),
    ...{ last_outcome: lastOutcome, delivered_until: isUndelivered ? null : `${after.stamp}Z` },
  };
}

const timeOf = (ms: number) => new Date(ms).toISOString();

function stateOf({ disabledReason, failures }: Webhook): string {
  if (disabledReason !== null) return `disabled (${disabledReasons[disabledReason]})`;
  return failures > 0 ? 'failing' : 'active';
}

const disabledReasons = { command: 'by a command', gone: 'status 410', failures: 'too many failures' };
