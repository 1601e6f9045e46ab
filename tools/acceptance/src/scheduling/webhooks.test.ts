import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  isSignedWith,
  type ReceivedMessage,
  startReceiver,
  type TestReceiver,
} from '../../../workspace/webhook-receiver.ts';
import type { AtEnd } from '../at-end.ts';
import { createDatabase, type OwnDatabase } from '../database.ts';
import { runScheduling, type SchedulingProcess, startScheduling } from '../scheduling-process.ts';
import { companyKey } from '../staff/callers.ts';
import { whenTestEnds } from '../when-test-ends.ts';
import { makeOwnFolder } from './commands/own-folder.ts';

const webhookSecret = 'canary-of-the-webhook-secret';
const settings = {
  ROSTERGATE_SCHEDULING_WEBHOOK_SECRET: webhookSecret,
  ROSTERGATE_SCHEDULING_WEBHOOK_PRIVATE_RECEIVERS: '127.0.0.1',
};

/** One server for all tests, with a webhook. */
let database: OwnDatabase;
let server: SchedulingProcess;
let receiver: TestReceiver;
let webhook: string;
let secret: string;
let exitCode: number | null | undefined;

beforeAll(async () => {
  database = await createDatabase();
  receiver = await startReceiver();
  server = await startScheduling({ database, env: { ...settings, ROSTERGATE_SCHEDULING_DRAIN_MS: '300' } });
  const args = ['add', receiver.url, '--company', companyKey, '--json'];
  ({ webhook, secret } = JSON.parse((await run(args, {}, afterAll)).stdout));
});
afterAll(async () => {
  if (exitCode === undefined) await server.stop();
  await receiver.stop();
  await database.drop();
});

/** Runs `webhooks` with the settings of the server. */
const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}, atEnd: AtEnd = whenTestEnds) =>
  runScheduling(['webhooks', ...args], { cwd: server.folder, env: { ...database.env, ...settings, ...more }, atEnd });

async function addPerson(StaffId: string): Promise<string> {
  const { body } = await server.callAs('admin', '/v2/staffmember', { method: 'POST', json: { StaffId } });
  return body.StaffKey;
}

/** Returns the next message after those that a receiver has, which `work` causes. */
async function messageAfter(work: () => Promise<unknown>, { messages } = receiver): Promise<ReceivedMessage> {
  const { length } = messages;
  await work();
  await expect.poll(() => messages.length).toBe(length + 1);
  return messages[length] as ReceivedMessage;
}

async function startAnother(): Promise<TestReceiver> {
  const another = await startReceiver();
  onTestFinished(another.stop);
  return another;
}

test('command webhooks add: prints the secret once, and a running server delivers what it and other processes change', async () => {
  const another = await startAnother();
  const added = await run(['add', another.url, '--company', companyKey]);
  const secret = added.stdout.trim();
  expect([added.exitCode, secret]).toEqual([0, expect.stringMatching(/^whsec_[\w+/]{43}=$/)]);
  const person = await addPerson('N-webhook');
  // The server notices the new webhook at its next look.
  await expect.poll(() => another.messages.length).toBe(1);
  const [message] = another.messages as [ReceivedMessage];
  expect([message.data.changed, isSignedWith(secret, message)]).toEqual([[person], true]);
  expect(message.text).not.toContain('N-webhook');
  const { body } = await server.callAs('admin', `/v2/${message.data.query}`);
  expect(body).toMatchObject([{ StaffKey: person, StaffId: 'N-webhook' }]);

  await writeFile(join(server.folder, 'roster.csv'), 'StaffId,City\nN-webhook,Bern\nN-imported,Chur\n');
  const env = { ...database.env };
  const imported = await messageAfter(
    () => runScheduling(['import', 'roster.csv', '--company', companyKey], { cwd: server.folder, env }),
    another,
  );
  expect(imported.data.changed).toHaveLength(2);
  // The next test decides what this receiver responds, and must not meet these changes.
  const seen = () => receiver.messages.flatMap(({ data }) => data.changed);
  await expect.poll(seen).toEqual(expect.arrayContaining(imported.data.changed));
  const { text } = await server.call('/metrics', { headers: { Accept: 'text/plain' } });
  expect(text).toMatch(/^webhook_attempts_total\{result="delivered"\} [1-9]/m);
  const shown = JSON.stringify(server.log) + added.stderr;
  expect([shown.includes(secret), shown.includes(webhookSecret), shown.includes(another.url)]).toEqual(
    Array.from({ length: 3 }, () => false),
  );
});

test('command webhooks send-test: sends a signed test message, and reports another status than 2xx', async () => {
  receiver.respondWith(204, 500);
  const tried = await run(['send-test', webhook]);
  expect([tried.exitCode, tried.stdout]).toEqual([0, 'The receiver accepted the test message: status 204.\n']);
  const message = receiver.messages.at(-1) as ReceivedMessage;
  expect(message).toMatchObject({ type: 'webhook.test', data: { company_key: companyKey } });
  expect(isSignedWith(secret, message)).toBe(true);
  const failed = await run(['send-test', webhook]);
  expect([failed.exitCode, failed.stderr]).toEqual([3, expect.stringContaining('status 500')]);
});

test('command webhooks rotate: prints a new secret, and both sign', async () => {
  const { stdout } = await run(['rotate', webhook]);
  const message = await messageAfter(() => addPerson('N-rotated'));
  expect([secret, stdout.trim()].map((one) => isSignedWith(one, message))).toEqual([true, true]);
  expect(stdout.trim()).not.toBe(secret);
});

test('command webhooks disable: ends the deliveries of a running server', async () => {
  const { stdout } = await run(['disable', webhook, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ webhook, state: 'disabled (by a command)' });
  const another = await startAnother();
  expect((await run(['add', another.url, '--company', companyKey])).exitCode).toBe(0);
  const { length } = receiver.messages;
  await messageAfter(() => addPerson('N-disabled'), another);
  expect(receiver.messages).toHaveLength(length);
});

test('command webhooks list: shows the state and the outcome, and no secret', async () => {
  const { stdout } = await run(['list', '--company', companyKey]);
  const line = stdout.split('\n').find((text) => text.startsWith(`${webhook}\t`));
  expect(line?.split('\t').slice(1)).toEqual([
    ...[companyKey, receiver.url, 'disabled (by a command)'],
    ...[expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/), 'status 204'],
  ]);
  expect(stdout).not.toContain('whsec_');
});

test('command webhooks enable: a running server delivers what has changed since', async () => {
  const person = await addPerson('N-since');
  const message = await messageAfter(() => run(['enable', webhook]));
  expect(message.data.changed).toContain(person);
});

test('command webhooks reset: a running server lets the receiver read everyone again', async () => {
  let printed = '';
  const message = await messageAfter(async () => {
    const { stdout } = await run(['reset', webhook, '--json']);
    printed = stdout;
  });
  expect(JSON.parse(printed)).toMatchObject({ webhook, state: 'active', delivered_until: null });
  expect(message).toMatchObject({ type: 'staff.reset', data: { company_key: companyKey } });
});

test('command webhooks remove: removes it, and another command does not find it', async () => {
  const added = await run(['add', 'http://127.0.0.1:1/', '--company', companyKey, '--json']);
  const { webhook: key } = JSON.parse(added.stdout);
  expect((await run(['remove', key])).stdout).toBe(`Removed ${key}.\n`);
  const { exitCode, stderr } = await run(['enable', key]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`There is no webhook ${key}.`)]);
});

test('setting webhook_private_receivers: by default no private address is accepted, and an invalid entry is a fault', async () => {
  const another = await startAnother();
  const { port } = new URL(another.url);
  const { run } = await makeOwnFolder();
  const env = { ROSTERGATE_SCHEDULING_WEBHOOK_SECRET: webhookSecret };
  expect((await run(['accounts', 'add', 'a@example.org', '--company', 'c1', '--generate'])).exitCode).toBe(0);
  const add = (origin: string, more = {}) =>
    run(['webhooks', 'add', `${origin}:${port}/`, '--company', 'c1'], '', { ...env, ...more });
  for (const [origin, named] of [
    ['https://[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['https://localhost', 'of localhost'],
  ] as const) {
    const { exitCode, stdout, stderr } = await add(origin);
    expect([origin, exitCode, stdout, stderr]).toEqual([origin, 1, '', expect.stringContaining(named)]);
  }
  expect(another.state.connections).toBe(0);
  const wrong = { ROSTERGATE_SCHEDULING_WEBHOOK_PRIVATE_RECEIVERS: '10.0.0.0/33' };
  const { exitCode, stderr } = await add('https://localhost', wrong);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('"10.0.0.0/33" is neither')]);
});

test('setting webhook_secret: is required to add a webhook, has at least 24 characters, and another value sends nothing', async () => {
  const another = await startAnother();
  const add = ['add', another.url, '--company', companyKey];
  const missing = await run(add, { ROSTERGATE_SCHEDULING_WEBHOOK_SECRET: '' });
  expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('webhook_secret is not set')]);
  const short = await run(add, { ROSTERGATE_SCHEDULING_WEBHOOK_SECRET: 'canary-too-short' });
  expect([short.exitCode, short.stderr]).toEqual([1, expect.stringContaining('ROSTERGATE_SCHEDULING_WEBHOOK_SECRET')]);
  expect(short.stderr).not.toContain('canary');

  const other = { ROSTERGATE_SCHEDULING_WEBHOOK_SECRET: 'another-secret-of-a-command' };
  expect((await run(add, other)).exitCode).toBe(0);
  await addPerson('N-secret');
  const { level, failures } = await server.logged(
    ({ msg, outcome }) => msg === 'webhook not delivered' && outcome === 'webhook_secret is missing or differs',
  );
  expect([level, failures, another.messages]).toEqual(['warn', 1, []]);
});

test('a signal ends an attempt in progress after drain_ms', async () => {
  receiver.state.respond = () => {};
  await messageAfter(() => addPerson('N-waiting'));
  exitCode = await server.stop();
  expect(exitCode).toBe(0);
});
