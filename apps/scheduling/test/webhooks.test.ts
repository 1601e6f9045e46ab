import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  isSignedWith,
  type ReceivedMessage,
  startReceiver,
  type TestReceiver,
} from '../../../tools/workspace/webhook-receiver.ts';
import { findCompanyFiles } from '../src/company-files/find-company-files.ts';
import type { OpenStore } from '../src/store/staff-store.ts';
import type { Attempt } from '../src/webhooks/deliver-next.ts';
import { createDeliverer, leaseMs } from '../src/webhooks/deliverer.ts';
import { createPostMessage, type PostMessage, type PostMessageOptions } from '../src/webhooks/post-message.ts';
import { createReceiverRules } from '../src/webhooks/receiver-rules.ts';
import { failuresMax } from '../src/webhooks/retry-plan.ts';
import { createWebhookSecrets } from '../src/webhooks/webhook-secrets.ts';
import { openTestStore } from './open-test-store.ts';
import { companyKey, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
let opened: OpenStore;
beforeAll(async () => {
  app = await startApp({}, async () => {
    opened = await openTestStore();
    return opened;
  });
});
afterAll(() => app.stop());

const atEnd: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of atEnd.splice(0).reverse()) await end();
});

const secrets = createWebhookSecrets('canary-of-the-webhook-secret');
const local = createReceiverRules(['127.0.0.0/8', 'localhost']);
let keys = 0;

async function newReceiver(host?: string): Promise<TestReceiver> {
  const receiver = await startReceiver(host);
  atEnd.push(receiver.stop);
  return receiver;
}

/** Registers a webhook from now on, removed at the end of the test. */
async function register(url: string, of = companyKey) {
  const key = `wh_${++keys}`;
  const { secret, ...stored } = secrets.create(key, 1);
  expect(await opened.webhooks.add({ key, companyKey: of, url, ...stored })).toMatchObject({ key, url });
  atEnd.push(() => opened.webhooks.remove(key));
  const find = async () => {
    const webhook = await opened.webhooks.find(key);
    if (webhook === undefined) throw new Error(`There is no webhook ${key}.`);
    return webhook;
  };
  return { key, secret, find };
}

interface DelivererOptions extends Partial<PostMessageOptions> {
  readonly post?: PostMessage;
  readonly webhookSecret?: string;
}

/** A deliverer like that of a server, without its timers, with a clock of its own. */
function startDeliverer({ post, webhookSecret, rules = local, timeoutMs = 60_000, ...more }: DelivererOptions = {}) {
  const time = { nowMs: Date.now(), steadyMs: 0 };
  const attempts: Attempt[] = [];
  const states: object[] = [];
  const deliverer = createDeliverer({
    store: opened.webhooks,
    secrets: webhookSecret === undefined ? secrets : createWebhookSecrets(webhookSecret),
    post: post ?? createPostMessage({ rules, timeoutMs, ...more }),
    clock: () => time.nowMs,
    steadyClock: () => time.steadyMs,
    random: () => 0.5,
    onAttempt: (attempt) => attempts.push(attempt),
    onStates: (found) => states.push(found),
    onError: (error) => {
      throw error;
    },
  });
  return {
    ...deliverer,
    attempts,
    states,
    outcomes: () => attempts.map(({ outcome }) => outcome),
    pass(ms: number) {
      time.nowMs += ms;
      time.steadyMs += ms;
    },
    /** Sets the system clock. */
    step(ms: number) {
      time.nowMs += ms;
    },
    /** Looks until nothing is left to do. */
    async deliver() {
      await deliverer.look();
      await deliverer.idle();
    },
  };
}

const keyOf = (path: string) => decodeURIComponent(path.split('/').at(-1) as string);
const changedIn = (messages: readonly ReceivedMessage[]): string[] => messages.flatMap(({ data }) => data.changed);

/** Imports people of a company; all others are removed. */
async function keepOnly(people: readonly object[], of: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'scheduling-webhooks-'));
  await writeFile(join(folder, 'staff.json'), JSON.stringify(people));
  const scope = { companyKey: of, isAdmin: true, account: 'import', requestId: 'r', operation: 'import' };
  const files = await findCompanyFiles(folder);
  const given = { scope, files, isReplacing: true, isDryRun: false, faultsMax: 20, onProgress: () => {} };
  expect((await opened.store.importCompany(given)).faults).toEqual([]);
  await rm(folder, { recursive: true });
}

describe('webhooks', () => {
  it('deliver signed keys of changed and deactivated people, and of changed tags and skills, with a query', async () => {
    const receiver = await newReceiver();
    const { secret, find } = await register(receiver.url);
    const deliverer = startDeliverer();
    await deliverer.deliver();
    expect(receiver.messages).toEqual([]);
    const [added, tagged] = [await app.newPerson('N-added'), await app.newPerson('N-tagged')];
    const skilled = await app.somePerson();
    await app.put(added, { IsActive: false });
    await app.post(`${tagged}/tag`, { category: 'Specialty', name: 'Cardiology' });
    const { body: whole } = await app.asAdmin(`${skilled}?$expand=Skillset`);
    expect((await app.remove(`${skilled}/skillset/${whole.Skillset[0].TaskKey}`)).status).toBe(200);
    await deliverer.deliver();

    const [message, ...others] = receiver.messages as [ReceivedMessage];
    expect(others).toEqual([]);
    expect(Object.keys(JSON.parse(message.text))).toEqual(['type', 'timestamp', 'data']);
    const people = [keyOf(added), keyOf(tagged), keyOf(skilled)];
    expect(message).toMatchObject({
      type: 'staff.changed',
      data: { company_key: companyKey, changed: people, deleted: [] },
    });
    expect([isSignedWith(secret, message), isSignedWith('whsec_b3RoZXI=', message)]).toEqual([true, false]);
    const found = await app.asAdmin(`/v2/${message.data.query}&$select=StaffKey,IsActive`);
    expect(found.body.map(({ StaffKey }: { StaffKey: string }) => StaffKey).toSorted()).toEqual(people.toSorted());
    expect(found.body.find(({ StaffKey }: { StaffKey: string }) => StaffKey === people[0]).IsActive).toBe(false);
    expect(await find()).toMatchObject({ lastOutcome: 'status 204', failures: 0, isLeased: false });
    await deliverer.deliver();
    expect(receiver.messages).toHaveLength(1);
  });

  it('deliver an import of many people in order, at most 100 in a message, and those that it removes', async () => {
    await opened.accounts.add({ email: 'a@many.example', companyKey: 'many', isAdmin: true, password: 'x' as never });
    const peopleOf = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ StaffId: `N-${i}`, StaffKey: `it's ${String(i).padStart(3, '0')}` }));
    await keepOnly(peopleOf(3), 'many');
    const receiver = await newReceiver();
    await register(receiver.url, 'many');
    const deliverer = startDeliverer();
    await keepOnly(peopleOf(251).slice(1), 'many');
    await deliverer.deliver();
    expect(receiver.messages.map(({ data }) => data.changed.length + data.deleted.length)).toEqual([100, 100, 49]);
    expect(receiver.messages.flatMap(({ data }) => data.deleted)).toEqual(["it's 000"]);
    const changed = changedIn(receiver.messages);
    expect(changed).toEqual(
      peopleOf(251)
        .slice(3)
        .map(({ StaffKey }) => StaffKey),
    );
    expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(3);
    expect(receiver.messages[2]?.data.query).toContain("'it''s%20250'");
  });

  it('deliver everything in order after failures, later each time, and count what waits', async () => {
    const receiver = await newReceiver();
    const { find } = await register(receiver.url);
    const deliverer = startDeliverer();
    receiver.respondWith(500, 503, 200);
    const first = keyOf(await app.newPerson('N-first'));
    deliverer.pass(20_000);
    await deliverer.deliver();
    expect(await find()).toMatchObject({ failures: 1, lastOutcome: 'status 500' });
    const second = keyOf(await app.newPerson('N-second'));
    await deliverer.deliver();
    expect(receiver.messages).toHaveLength(1);
    expect(deliverer.states.at(-1)).toMatchObject({ active: 0, failing: 1, disabled: 0 });
    expect((deliverer.states.at(-1) as { lagMs: number }).lagMs).toBeGreaterThan(6_000);
    deliverer.pass(5_000);
    await deliverer.deliver();
    expect(await find()).toMatchObject({ failures: 2, lastOutcome: 'status 503' });
    deliverer.pass(14_000);
    await deliverer.deliver();
    expect(receiver.messages).toHaveLength(2);
    deliverer.pass(1_000);
    await deliverer.deliver();
    expect(receiver.messages.map(({ data }) => data.changed)).toEqual([[first], [first, second], [first, second]]);
    // A repeated message has the same id, one with more changes another.
    expect(receiver.messages[1]?.id).toBe(receiver.messages[2]?.id);
    expect(receiver.messages[0]?.id).not.toBe(receiver.messages[1]?.id);
    expect(await find()).toMatchObject({ failures: 0, lastOutcome: 'status 200' });
    await deliverer.look();
    expect(deliverer.states.at(-1)).toEqual({ active: 1, failing: 0, disabled: 0, lagMs: 0 });
  });

  it('end an attempt at its deadline, while other webhooks are delivered', async () => {
    const [hanging, other] = [await newReceiver(), await newReceiver()];
    hanging.state.respond = () => {};
    const { find } = await register(hanging.url);
    await register(other.url);
    const deliverer = startDeliverer({ timeoutMs: 3_000 });
    const person = keyOf(await app.newPerson('N-hanging'));
    await deliverer.deliver();
    expect(await find()).toMatchObject({ lastOutcome: 'no response within 3000 ms', failures: 1, isLeased: false });
    expect(changedIn(other.messages)).toEqual([person]);
    hanging.respondWith(204);
    deliverer.pass(5_000);
    await deliverer.deliver();
    expect(changedIn(hanging.messages)).toEqual([person, person]);
  });

  it('do not follow a redirect, and do not read the body of the response', async () => {
    const [receiver, elsewhere] = [await newReceiver(), await newReceiver()];
    const { find } = await register(receiver.url);
    const deliverer = startDeliverer();
    receiver.state.respond = (_, response) => response.writeHead(307, { Location: elsewhere.url }).end();
    await app.newPerson('N-redirected');
    await deliverer.deliver();
    expect([await find(), elsewhere.state.connections]).toMatchObject([{ lastOutcome: 'status 307' }, 0]);
    let isEnded = false;
    receiver.state.respond = (_, response) => {
      response.writeHead(200).write('x');
      const endless = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.on('close', () => {
        isEnded = true;
        clearInterval(endless);
      });
    };
    deliverer.pass(5_000);
    await deliverer.deliver();
    expect(await find()).toMatchObject({ lastOutcome: 'status 200' });
    await expect.poll(() => isEnded).toBe(true);
  });

  it('are not sent to addresses that are not permitted, in any spelling', async () => {
    const receiver = await newReceiver();
    const { port } = new URL(receiver.url);
    const rules = createReceiverRules([]);
    const post = createPostMessage({ rules, timeoutMs: 60_000 });
    const written = ['http://127.0.0.1', 'https://127.0.0.1', 'https://[::ffff:127.0.0.1]', 'https://2130706433'];
    for (const origin of [...written, 'https://localhost', 'http://localhost']) {
      const outcome = await post({ url: `${origin}:${port}/`, headers: {}, body: '{}' });
      expect([origin, outcome]).toEqual([origin, { kind: 'failed', reason: 'address not permitted' }]);
    }
    // Registered when the name had another address.
    const { find } = await register(`https://hooks.example:${port}/`);
    await app.newPerson('N-private');
    const resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    await startDeliverer({ rules, resolve }).deliver();
    expect(await find()).toMatchObject({ lastOutcome: 'address not permitted', failures: 1 });
    const nowhere = startDeliverer({ rules, resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    nowhere.pass(6_000);
    await nowhere.deliver();
    expect(await find()).toMatchObject({ lastOutcome: 'name not found', failures: 2 });
    expect(receiver.state.connections).toBe(0);
  });

  it('are sent to the address that was checked, also when the name has another one later', async () => {
    const receiver = await newReceiver('127.0.0.2');
    const { port } = new URL(receiver.url);
    let lookups = 0;
    const resolve = async () => [{ address: lookups++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
    const post = createPostMessage({ rules: local, timeoutMs: 60_000, resolve });
    const outcome = await post({ url: `http://localhost:${port}/`, headers: {}, body: '{}' });
    expect([outcome, lookups]).toEqual([{ kind: 'response', status: 204 }, 1]);
    expect(receiver.messages[0]?.headers.host).toBe(`localhost:${port}`);
  });

  it('are disabled by 410, and deliver from their position when they are enabled again', async () => {
    const receiver = await newReceiver();
    const { key, find } = await register(receiver.url);
    const deliverer = startDeliverer();
    receiver.respondWith(410);
    const first = keyOf(await app.newPerson('N-gone'));
    await deliverer.deliver();
    const second = keyOf(await app.newPerson('N-later'));
    deliverer.pass(60_000);
    await deliverer.deliver();
    expect(receiver.messages).toHaveLength(1);
    expect(await find()).toMatchObject({ disabledReason: 'gone' });
    expect(deliverer.states.at(-1)).toEqual({ active: 0, failing: 0, disabled: 1, lagMs: 0 });
    await opened.webhooks.setDisabled(key, false);
    await deliverer.deliver();
    expect(receiver.messages[1]?.data.changed).toEqual([first, second]);
    const audit = await opened.store.listAudit(companyKey, { staffKey: key, limit: 9 });
    expect(audit.map(({ account, operation }) => [account, operation])).toEqual([
      ['webhooks', 'webhooks enable'],
      ['server', 'webhooks disable'],
      ['webhooks', 'webhooks add'],
    ]);
  });

  it('are disabled after three days of failures', async () => {
    const { find } = await register('http://127.0.0.1:1/');
    const deliverer = startDeliverer();
    await app.newPerson('N-unreachable');
    let passedMs = 0;
    for (let attempts = 0; (await find()).disabledReason === null && attempts < 50; attempts++) {
      await deliverer.deliver();
      const { nextAttemptMs, lastAttemptMs, disabledReason } = await find();
      if (disabledReason === null) passedMs += nextAttemptMs - (lastAttemptMs ?? 0);
      deliverer.pass(nextAttemptMs - (lastAttemptMs ?? 0));
    }
    expect(await find()).toMatchObject({ failures: failuresMax, disabledReason: 'failures' });
    expect((await find()).lastOutcome).toBe('connection failed (ECONNREFUSED)');
    expect(passedMs / 86_400_000).toBeCloseTo(3, 0);
    expect(deliverer.attempts.at(-1)?.disabledReason).toBe('failures');
  });

  it('are delivered once by several servers, and by another one when a server has died', async () => {
    const receiver = await newReceiver();
    const { find } = await register(receiver.url);
    const [one, other] = [startDeliverer(), startDeliverer()];
    const first = keyOf(await app.newPerson('N-several'));
    await Promise.all([one.deliver(), other.deliver()]);
    expect(changedIn(receiver.messages)).toEqual([first]);

    // Its response never comes, as for a process that was killed.
    let resume: (status: number) => void = () => {};
    const died = startDeliverer({
      post: () => new Promise((resolve) => (resume = (status) => resolve({ kind: 'response', status }))),
    });
    const second = keyOf(await app.newPerson('N-died'));
    await died.look();
    await expect.poll(async () => (await find()).isLeased).toBe(true);
    await other.deliver();
    other.pass(leaseMs - 1);
    other.step(3_600_000);
    await other.deliver();
    expect(changedIn(receiver.messages)).toEqual([first]);
    other.pass(1);
    await other.deliver();
    expect(changedIn(receiver.messages)).toEqual([first, second]);
    const { after } = await find();
    // The one that was away changes nothing when it comes back.
    resume(410);
    await died.idle();
    expect([await find(), died.attempts]).toMatchObject([{ after, disabledReason: null, failures: 0 }, []]);
  });

  it('keep their position when the server stops during an attempt', async () => {
    const receiver = await newReceiver();
    const { find } = await register(receiver.url);
    const stopping = startDeliverer();
    let isAsked: () => void = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    receiver.state.respond = () => isAsked();
    const person = keyOf(await app.newPerson('N-stopping'));
    await stopping.look();
    await asked;
    const cut = new AbortController();
    const stopped = stopping.stop(cut.signal);
    let isStopped = false;
    void stopped.then(() => (isStopped = true));
    await nextTurn();
    expect(isStopped).toBe(false);
    cut.abort();
    await stopped;
    expect(await find()).toMatchObject({ failures: 0, isLeased: false, lastOutcome: null });
    receiver.respondWith();
    await startDeliverer().deliver();
    expect(changedIn(receiver.messages)).toEqual([person, person]);
  });

  it('sign with the secret before a rotation, too, for a day', async () => {
    const receiver = await newReceiver();
    const { key, secret: before } = await register(receiver.url);
    const deliverer = startDeliverer();
    const { secret: after, ...stored } = secrets.create(key, 2);
    await opened.webhooks.rotate(key, stored, Date.now());
    const signedWith = async (id: string) => {
      await app.newPerson(id);
      await deliverer.deliver();
      const message = receiver.messages.at(-1) as ReceivedMessage;
      return [before, after].map((secret) => isSignedWith(secret, message));
    };
    expect(await signedWith('N-overlap')).toEqual([true, true]);
    deliverer.pass(25 * 60 * 60_000);
    expect(await signedWith('N-day')).toEqual([false, true]);
    expect(await opened.webhooks.rotate(key, stored, Date.now())).toBeUndefined();
  });

  it('are not sent with a wrong signature when webhook_secret has another value', async () => {
    const receiver = await newReceiver();
    const { find } = await register(receiver.url);
    await app.newPerson('N-secret');
    await startDeliverer({ webhookSecret: 'another-secret-of-the-server' }).deliver();
    expect(await find()).toMatchObject({ lastOutcome: 'webhook_secret is missing or differs', failures: 1 });
    expect(receiver.messages).toEqual([]);
  });

  it('report a reset when removals since their position are no longer stored', async () => {
    await opened.accounts.add({ email: 'a@moved.example', companyKey: 'moved', isAdmin: true, password: 'x' as never });
    const receiver = await newReceiver();
    await register(receiver.url, 'moved');
    await keepOnly([{ StaffId: 'N-moved', StaffKey: 'key-moved' }], 'moved');
    const deliverer = startDeliverer();
    await deliverer.deliver();
    const query = 'staffmember?companyKey=moved';
    expect(receiver.messages).toMatchObject([{ type: 'staff.reset', data: { company_key: 'moved', query } }]);
    await deliverer.deliver();
    expect(receiver.messages).toHaveLength(1);
  });

  it('report a reset each time an operator asks for it, with an id of its own, and continue after it', async () => {
    const receiver = await newReceiver();
    const { key, find } = await register(receiver.url);
    const deliverer = startDeliverer();
    for (const id of ['N-reset', 'N-reset-again']) {
      await app.newPerson(id);
      await opened.webhooks.reset(key);
      await deliverer.deliver();
      expect(await find()).toMatchObject({ lastOutcome: 'status 204', failures: 0, isLeased: false });
    }
    const person = keyOf(await app.newPerson('N-after-reset'));
    await deliverer.deliver();
    expect(receiver.messages.map(({ type }) => type)).toEqual(['staff.reset', 'staff.reset', 'staff.changed']);
    expect(changedIn(receiver.messages.slice(2))).toEqual([person]);
    expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(3);
  });

  it('report a reset that is asked for during an attempt, although people have changed since', async () => {
    const receiver = await newReceiver();
    const { key, find } = await register(receiver.url);
    let resume: (status: number) => void = () => {};
    const before = startDeliverer({
      post: () => new Promise((resolve) => (resume = (status) => resolve({ kind: 'response', status }))),
    });
    await app.newPerson('N-in-progress');
    await before.look();
    await expect.poll(async () => (await find()).isLeased).toBe(true);
    await opened.webhooks.reset(key);
    await app.newPerson('N-since-reset');
    resume(204);
    await before.idle();
    const deliverer = startDeliverer();
    await deliverer.deliver();
    deliverer.pass(leaseMs);
    await deliverer.deliver();
    expect(receiver.messages.map(({ type }) => type)).toEqual(['staff.reset']);
    expect(await opened.webhooks.reset('wh_none')).toBeUndefined();
  });

  it('are at most five in a company', async () => {
    for (let i = 0; i < 5; i++) await register(`https://hooks.example/${i}`);
    const { secret: _, ...stored } = secrets.create('wh_6th', 1);
    const sixth = { key: 'wh_6th', companyKey, url: 'https://hooks.example/', ...stored };
    expect(await opened.webhooks.add(sixth)).toBeUndefined();
    expect((await opened.webhooks.list(companyKey)).map(({ url }) => url)).toHaveLength(5);
    expect(await opened.webhooks.list('other-company')).toEqual([]);
  });
});
