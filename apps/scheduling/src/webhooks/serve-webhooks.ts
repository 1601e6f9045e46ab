import type { Telemetry } from '@rostergate/server/telemetry';
import type { Settings } from '../settings.ts';
import type { OpenStore } from '../store/staff-store.ts';
import { createDeliverer } from './deliverer.ts';
import { createPostMessage } from './post-message.ts';
import { createReceiverRules } from './receiver-rules.ts';
import { type RunningDeliverer, startDeliverer } from './start-deliverer.ts';
import { createWebhookSecrets } from './webhook-secrets.ts';
import { createWebhookTelemetry } from './webhook-telemetry.ts';

/** How long an attempt may take. */
export const attemptMs = 10_000;

interface ServeWebhooksDependencies extends Pick<OpenStore, 'store' | 'webhooks'> {
  readonly telemetry: Telemetry;
  /** Milliseconds since the epoch by the system clock. */
  readonly clock: () => number;
  /** Milliseconds that no change of the system clock moves. */
  readonly steadyClock: () => number;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
}

/** Delivers to webhooks until it is stopped. */
export function serveWebhooks(settings: Settings, dependencies: ServeWebhooksDependencies): RunningDeliverer {
  const { store, webhooks, telemetry, clock, steadyClock, random } = dependencies;
  const observers = createWebhookTelemetry(telemetry);
  const deliverer = createDeliverer({
    ...{ store: webhooks, clock, steadyClock, random, ...observers },
    secrets: settings.webhook_secret === undefined ? undefined : createWebhookSecrets(settings.webhook_secret),
    post: createPostMessage({ rules: createReceiverRules(settings.webhook_private_receivers), timeoutMs: attemptMs }),
  });
  const running = startDeliverer(deliverer, observers.onError);
  store.followWrites(running.hurry);
  return running;
}
