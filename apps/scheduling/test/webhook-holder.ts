import { openStore } from '../src/store/open-store.ts';
import { createDeliverer } from '../src/webhooks/deliverer.ts';
import { createPostMessage } from '../src/webhooks/post-message.ts';
import { createReceiverRules } from '../src/webhooks/receiver-rules.ts';
import { createWebhookSecrets } from '../src/webhooks/webhook-secrets.ts';

/** A separate process: delivers to the webhooks of a database until it is killed. */
const [database = '{}', webhookSecret = ''] = process.argv.slice(2);
const common = { database_connections_max: 2, statement_timeout_ms: 5_000 };
const { webhooks } = await openStore({ ...common, ...JSON.parse(database) }, { clock: Date.now });
const deliverer = createDeliverer({
  store: webhooks,
  secrets: createWebhookSecrets(webhookSecret),
  post: createPostMessage({ rules: createReceiverRules(['127.0.0.1']), timeoutMs: 600_000 }),
  clock: Date.now,
  steadyClock: () => performance.now(),
  random: Math.random,
  onAttempt() {},
  onStates() {},
  onError(error) {
    throw error;
  },
});
await deliverer.look();
await deliverer.idle();
