import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openSqliteStore } from '../../../../apps/scheduling/src/store/sqlite-store.ts';
import { createWebhookSecrets } from '../../../../apps/scheduling/src/webhooks/webhook-secrets.ts';
import { startReceiver } from '../../../workspace/webhook-receiver.ts';
import type { AtEnd } from '../at-end.ts';
import { createFile } from '../database.ts';
import { serverPrograms } from '../server-programs.ts';
import { openStaffServers } from './staff-servers.ts';

const run = promisify(execFile);
const webhookSecret = 'webhook-secret-of-the-promises';
/** Not the address of the other server. */
const permitted = '127.0.0.2';

/**
 * Registers receivers of webhooks that are the other server, in several spellings: by the command, which must reject each, and in
 * the database, as if their names had other addresses then. A permitted receiver redirects there. Returns what was tried, and
 * the faults.
 */
export async function tryForgedReceivers(
  elsewhere: string,
  atEnd: AtEnd,
): Promise<{ readonly tried: number; readonly faults: readonly string[] }> {
  const [, port] = elsewhere.split(':');
  const receiver = await startReceiver(permitted);
  atEnd(receiver.stop);
  receiver.state.respond = (_, response) => response.writeHead(307, { Location: `http://${elsewhere}/taken` }).end();
  const database = await createFile();
  atEnd(database.drop);
  const settings = {
    ROSTERGATE_SCHEDULING_WEBHOOK_SECRET: webhookSecret,
    ROSTERGATE_SCHEDULING_WEBHOOK_PRIVATE_RECEIVERS: permitted,
  };
  const servers = await openStaffServers(database.env, atEnd);
  const { companyKey } = servers;
  const server = await servers.start(settings);
  const headers = await servers.logIn(server);
  const faults: string[] = [];

  const stored = [`https://127.0.0.1:${port}/`, `https://[::1]:${port}/`, `https://localhost:${port}/`, receiver.url];
  const { store, webhooks } = await openSqliteStore({
    file: database.env.ROSTERGATE_SCHEDULING_DATABASE_FILE as string,
  });
  const secrets = createWebhookSecrets(webhookSecret);
  for (const [n, url] of stored.entries()) {
    const key = `wh_${n}`;
    const { secret: _, ...digest } = secrets.create(key, 1);
    await webhooks.add({ key, companyKey, url, ...digest });
  }
  await store.close();
  const rejected = [
    `http://127.0.0.1:${port}/`,
    `https://0x7f.1:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    `https://localhost:${port}/`,
  ];
  for (const url of rejected) {
    const args = [
      '--conditions=source',
      serverPrograms.scheduling.file,
      'webhooks',
      'add',
      url,
      '--company',
      companyKey,
    ];
    const env = { ...process.env, ...database.env, ...settings };
    const exitCode = await run(process.execPath, args, { env }).then(
      () => 0,
      ({ code }) => code,
    );
    if (exitCode !== 1) faults.push(`webhooks add ${url} ended with ${exitCode}`);
  }

  const body = JSON.stringify({ StaffId: 'N-forged' });
  await fetch(`${server.url}/v2/staffmember`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
  for (const [n, url] of stored.entries()) {
    const { outcome } = await server.logged(({ webhook }) => webhook === `wh_${n}`);
    const wanted = url === receiver.url ? 'status 307' : 'address not permitted';
    if (outcome !== wanted) faults.push(`the delivery to ${url} has the outcome ${String(outcome)}`);
  }
  return { tried: rejected.length + stored.length, faults };
}
