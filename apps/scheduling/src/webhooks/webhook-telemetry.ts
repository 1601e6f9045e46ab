import { describeCause, type Telemetry } from '@rostergate/server/telemetry';
import { Counter, Gauge } from 'prom-client';
import type { DelivererDependencies } from './deliverer.ts';

/** Returns what counts and logs deliveries. Log lines contain no addresses of receivers, which may contain secrets. */
export function createWebhookTelemetry({
  registry,
  log,
}: Pick<Telemetry, 'registry' | 'log'>): Pick<DelivererDependencies, 'onAttempt' | 'onStates' | 'onError'> {
  const registers = [registry];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver changes to webhooks, by result: delivered, failed, or disabled after the attempt.',
    labelNames: ['result'],
    registers,
  });
  // Shown from the start, so that alerts notice the first one.
  for (const result of ['delivered', 'failed', 'disabled']) attempts.inc({ result }, 0);
  const webhooks = new Gauge({
    name: 'webhooks',
    help: 'Registered webhooks by state: active, failing, disabled.',
    labelNames: ['state'],
    registers,
  });
  const lag = new Gauge({
    name: 'webhook_lag_seconds',
    help: 'Age of the oldest change that an active webhook has not delivered.',
    registers,
  });
  return {
    onAttempt({ webhook, result, outcome, changes, failures, nextAttemptMs, disabledReason }) {
      attempts.inc({ result: disabledReason === null ? result : 'disabled' });
      const facts = { webhook: webhook.key, company: webhook.companyKey, outcome };
      if (result === 'delivered') log.debug({ ...facts, changes }, 'webhook delivered');
      else if (disabledReason === null) {
        log.warn({ ...facts, failures, next_attempt: new Date(nextAttemptMs).toISOString() }, 'webhook not delivered');
      } else log.error({ ...facts, failures, reason: disabledReason }, 'webhook disabled');
    },
    onStates({ lagMs, ...states }) {
      for (const [state, count] of Object.entries(states)) webhooks.set({ state }, count);
      lag.set(lagMs / 1_000);
    },
    onError: (error) => log.warn({ err: describeCause(error) }, 'webhooks could not be read or recorded'),
  };
}
