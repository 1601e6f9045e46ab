import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenStore } from '../src/store/staff-store.ts';
import type { AttemptRecord, Webhook } from '../src/webhooks/webhook-store.ts';
import { openTestStore } from './open-test-store.ts';

const companyKey = 'c1';
const scope = { companyKey, isAdmin: true, account: 'a', requestId: 'r', operation: 'test' };
const secret = { secretVersion: 1, secretDigest: 'digest' };
const newWebhook = (key: string) => ({ key, companyKey, url: 'https://hooks.example/', ...secret });
const failed: AttemptRecord = {
  ...{ outcome: 'status 500', atMs: 1_000.5, failures: 1, nextAttemptMs: Date.parse('2100-01-01T00:00:00Z') + 0.5 },
  disabledReason: null,
};

let opened: OpenStore;
beforeAll(async () => {
  opened = await openTestStore();
  await opened.accounts.add({ email: 'a@c1.example', companyKey, isAdmin: true, password: 'x' as never });
});
afterAll(() => opened.store.close());

const add = async (key: string): Promise<Webhook> => {
  const added = await opened.webhooks.add(newWebhook(key));
  if (added === undefined) throw new Error('There are too many.');
  return added;
};
const addPerson = async (StaffId: string) => (await opened.store.createStaff(scope, { StaffId })).staffKey;

describe('the store of webhooks', () => {
  it('has at most five of a company, also when they are added at once', async () => {
    const keys = Array.from({ length: 8 }, (_, i) => `wh_${i}`);
    const added = await Promise.all(keys.map((key) => opened.webhooks.add(newWebhook(key))));
    expect(added.filter((webhook) => webhook !== undefined)).toHaveLength(5);
    const removed = await Promise.all(keys.map((key) => opened.webhooks.remove(key)));
    expect(removed.filter(Boolean)).toHaveLength(5);
    expect(await opened.webhooks.list()).toEqual([]);
  });

  it('leases a webhook to one of several that claim it, and to none while it is disabled', async () => {
    const { key, leaseNumber } = await add('wh_lease');
    const claims = await Promise.all(Array.from({ length: 6 }, () => opened.webhooks.claim(key, leaseNumber)));
    const [leased, ...others] = claims.filter((claim) => claim !== undefined);
    expect([leased?.isLeased, leased?.leaseNumber, others]).toEqual([true, leaseNumber + 1, []]);
    await opened.webhooks.setDisabled(key, true);
    expect(await opened.webhooks.claim(key, leaseNumber + 1)).toBeUndefined();
    await opened.webhooks.remove(key);
  });

  it('records an attempt of the holder of the lease only', async () => {
    const { key, leaseNumber, after } = await add('wh_record');
    const first = (await opened.webhooks.claim(key, leaseNumber)) as Webhook;
    const second = (await opened.webhooks.claim(key, first.leaseNumber)) as Webhook;
    const delivered = { ...failed, failures: 0, nextAttemptMs: 0, after: { stamp: '2999-01-01T00:00:00' } };
    expect(await opened.webhooks.record(first, delivered)).toBe(false);
    await opened.webhooks.release(first);
    expect(await opened.webhooks.find(key)).toMatchObject({ after, isLeased: true, lastOutcome: null });
    expect(await opened.webhooks.record(second, failed)).toBe(true);
    const nextAttemptMs = Math.trunc(failed.nextAttemptMs);
    const stored = { after, isLeased: false, failures: 1, nextAttemptMs, lastAttemptMs: 1_000 };
    expect(await opened.webhooks.find(key)).toMatchObject(stored);
    await opened.webhooks.remove(key);
  });

  it('leaves a webhook disabled that a command has disabled during an attempt', async () => {
    const { key, leaseNumber } = await add('wh_disabled');
    const leased = (await opened.webhooks.claim(key, leaseNumber)) as Webhook;
    await opened.webhooks.setDisabled(key, true);
    expect(await opened.webhooks.record(leased, failed)).toBe(true);
    expect(await opened.webhooks.find(key)).toMatchObject({ disabledReason: 'command', isLeased: false });
    const enabled = await opened.webhooks.setDisabled(key, false);
    expect(enabled).toMatchObject({ disabledReason: null, failures: 0, nextAttemptMs: 0 });
    await opened.webhooks.remove(key);
  });

  it('has each change after the registration in one part, however they are divided', async () => {
    await addPerson('N-before');
    const added = await add('wh_parts');
    expect(await opened.webhooks.findPending(added)).toBeUndefined();
    const keys: string[] = [];
    for (let i = 0; i < 7; i++) keys.push(await addPerson(`N-${i}`));
    const parts: string[][] = [];
    for (let webhook = added; (await opened.webhooks.findPending(webhook)) !== undefined; ) {
      const { changes, next, hasMore, isComplete } = await opened.webhooks.readChanges(webhook, 3);
      parts.push(changes.map(({ key }) => key));
      expect([isComplete, hasMore]).toEqual([true, parts.length < 3]);
      const leased = (await opened.webhooks.claim(webhook.key, webhook.leaseNumber)) as Webhook;
      await opened.webhooks.record(leased, { ...failed, failures: 0, nextAttemptMs: 0, after: next });
      webhook = (await opened.webhooks.find(webhook.key)) as Webhook;
      if (parts.length > 3) break;
    }
    expect(parts).toEqual([keys.slice(0, 3), keys.slice(3, 6), keys.slice(6)]);
    await opened.webhooks.remove('wh_parts');
  });
});
