import { createHash, hkdfSync } from 'node:crypto';
import type { NewSecret, Webhook } from './webhook-store.ts';

/** How long the secret before a rotation signs, too. */
const overlapMs = 24 * 60 * 60_000;

/**
 * The signing secrets of webhooks. They are derived from a setting, so that the database and its backups contain none.
 */
export interface WebhookSecrets {
  /** Returns a secret as the receiver needs it, `whsec_` and base64, and what is stored about it. */
  create(key: string, version: number): NewSecret & { readonly secret: string };
  /**
   * Returns the keys that sign, the newest first: for a time after a rotation, two. Undefined when the setting is not
   * the one that the secret was derived from.
   */
  signingKeys(webhook: Pick<Webhook, 'key' | keyof NewSecret | 'rotatedAtMs'>, nowMs: number): Buffer[] | undefined;
}

export function createWebhookSecrets(webhookSecret: string): WebhookSecrets {
  const derive = (key: string, version: number) =>
    Buffer.from(hkdfSync('sha256', webhookSecret, '', `rostergate webhook ${key} ${version}`, 32));
  return {
    create(key, secretVersion) {
      const bytes = derive(key, secretVersion);
      return { secret: `whsec_${bytes.toString('base64')}`, secretVersion, secretDigest: digestOf(bytes) };
    },
    signingKeys({ key, secretVersion, secretDigest, rotatedAtMs }, nowMs) {
      const current = derive(key, secretVersion);
      if (digestOf(current) !== secretDigest) return undefined;
      const isOverlap = rotatedAtMs !== null && nowMs < rotatedAtMs + overlapMs;
      return isOverlap ? [current, derive(key, secretVersion - 1)] : [current];
    },
  };
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
