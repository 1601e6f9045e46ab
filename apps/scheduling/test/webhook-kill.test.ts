import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isSignedWith, startReceiver } from '../../../tools/workspace/webhook-receiver.ts';
import { openStore } from '../src/store/open-store.ts';
import { createDeliverer, leaseMs } from '../src/webhooks/deliverer.ts';
import { createPostMessage } from '../src/webhooks/post-message.ts';
import { createReceiverRules } from '../src/webhooks/receiver-rules.ts';
import { createWebhookSecrets } from '../src/webhooks/webhook-secrets.ts';
import { createTestDatabase } from './test-database.ts';

const webhookSecret = 'canary-of-the-webhook-secret';
const holder = join(import.meta.dirname, 'webhook-holder.ts');

/** Creates a database that several processes can open, and returns its settings. */
async function createSharedDatabase() {
  if (process.env.TEST_WITH === 'postgres') {
    const { url, drop } = await createTestDatabase();
    return { settings: { database_file: '', database_url: url }, drop };
  }
  const folder = await mkdtemp(join(tmpdir(), 'scheduling-webhooks-'));
  const drop = () => rm(folder, { recursive: true });
  return { settings: { database_file: join(folder, 'staff.sqlite'), database_url: undefined }, drop };
}

it('webhooks lose nothing when the process that delivers is killed', async () => {
  const { settings, drop } = await createSharedDatabase();
  const limits = { database_connections_max: 4, statement_timeout_ms: 5_000 };
  const { store, accounts, webhooks } = await openStore({ ...limits, ...settings }, { clock: Date.now });
  const receiver = await startReceiver();
  const companyKey = 'killed';
  await accounts.add({ email: 'a@killed.example', companyKey, isAdmin: true, password: 'x' as never });
  const { secret, ...stored } = createWebhookSecrets(webhookSecret).create('wh_killed', 1);
  await webhooks.add({ key: 'wh_killed', companyKey, url: receiver.url, ...stored });
  const scope = { companyKey, isAdmin: true, account: 'a', requestId: 'r', operation: 'test' };
  const added: string[] = [];
  const add = async (StaffId: string) => added.push((await store.createStaff(scope, { StaffId })).staffKey);
  await add('N-1');

  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
  receiver.state.respond = () => isAsked();
  const args = ['--conditions=source', holder, JSON.stringify(settings), webhookSecret];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  await asked;
  child.kill('SIGKILL');
  await once(child, 'exit');
  await add('N-2');

  const time = { nowMs: Date.now() };
  receiver.respondWith();
  const deliverer = createDeliverer({
    store: webhooks,
    secrets: createWebhookSecrets(webhookSecret),
    post: createPostMessage({ rules: createReceiverRules(['127.0.0.1']), timeoutMs: 60_000 }),
    clock: () => time.nowMs,
    steadyClock: () => time.nowMs,
    random: () => 0.5,
    onAttempt() {},
    onStates() {},
    onError(error) {
      throw error;
    },
  });
  const deliver = async () => {
    await deliverer.look();
    await deliverer.idle();
  };
  await deliver();
  // The lease of the killed process is not over yet.
  expect(receiver.messages).toHaveLength(1);
  time.nowMs += leaseMs;
  await deliver();
  expect(receiver.messages.map(({ data }) => data.changed)).toEqual([added.slice(0, 1), added]);
  expect(receiver.messages.every((message) => isSignedWith(secret, message))).toBe(true);
  await receiver.stop();
  await store.close();
  await drop();
});
