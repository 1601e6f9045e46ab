import { canonicalDateTime } from '@rostergate/odata';
import { type Kysely, sql, type UpdateObject } from 'kysely';
import { createAuditRow } from '../store/audit.ts';
import { type ChangePlace, createChangesFinder } from '../store/changed-staff-finder.ts';
import { Pace } from '../store/pace.ts';
import { readNewestStamp } from '../store/person-version.ts';
import { createReadEngine, type ReadEngine } from '../store/read-engine.ts';
import { isComplete } from '../store/removed-staff.ts';
import type { SqlFlavour } from '../store/sql-flavour.ts';
import type { Row, Tables, TransactCompany } from '../store/tables.ts';
import { type AttemptRecord, resetYear, type Webhook, type WebhookStore, webhooksMax } from './webhook-store.ts';

export interface WebhookStoreOptions {
  readonly writes: Kysely<Tables>;
  /** The connection for reads: it never waits for a writer. */
  readonly reads: Kysely<Tables>;
  readonly engine: ReadEngine;
  readonly flavour: SqlFlavour;
  readonly transact: TransactCompany;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export function createWebhookStore(options: WebhookStoreOptions): WebhookStore {
  const { writes, reads, engine, flavour, transact, clock } = options;
  const findChanges = createChangesFinder(engine, flavour);
  const chosen = () => reads.selectFrom('webhooks').selectAll().orderBy('CompanyKey').orderBy('WebhookKey');

  function window({ companyKey, after }: Webhook, until: string, top: number) {
    return findChanges(companyKey, { after, until, top }, new Pace({ budgetMs: Number.POSITIVE_INFINITY }));
  }

  const readClock = () => canonicalDateTime(new Date(clock()).toISOString()) as string;

  async function find(key: string): Promise<Webhook | undefined> {
    const row = await chosen().where('WebhookKey', '=', key).executeTakeFirst();
    return row && webhookOf(row);
  }

  /** Changes a webhook, with an audit entry. */
  async function change(key: string, by: Actor, values: UpdateObject<Tables, 'webhooks'>, secretVersion?: number) {
    const known = await find(key);
    if (known === undefined) return undefined;
    return transact(known.companyKey, async (trx) => {
      let update = trx.updateTable('webhooks').set(values).where('WebhookKey', '=', key);
      if (secretVersion !== undefined) update = update.where('SecretVersion', '=', secretVersion);
      const row = await update.returningAll().executeTakeFirst();
      if (row !== undefined) await writeAudit(trx, known, by);
      return row && webhookOf(row);
    });
  }

  interface Actor {
    readonly account: string;
    readonly operation: string;
    readonly changed: readonly string[];
  }

  async function writeAudit(trx: Kysely<Tables>, { key, companyKey }: AuditedWebhook, by: Actor): Promise<void> {
    const now = readClock();
    const scope = { companyKey, isAdmin: true, account: by.account, operation: by.operation, requestId: '' };
    await trx
      .insertInto('audit')
      .values(createAuditRow(scope, { now, staffKey: key, changed: by.changed }))
      .execute();
  }

  return {
    find,
    add: ({ key, companyKey, url, secretVersion, secretDigest }) =>
      transact(companyKey, async (trx) => {
        const others = await trx
          .selectFrom('webhooks')
          .select('WebhookKey')
          .where('CompanyKey', '=', companyKey)
          .execute();
        if (others.length >= webhooksMax) return undefined;
        // Under the company's lock, so that every later write comes after the position.
        const newest = (await readNewestStamp(createReadEngine(trx), flavour, companyKey)) ?? '';
        const row = await trx
          .insertInto('webhooks')
          .values({
            ...{ WebhookKey: key, CompanyKey: companyKey, Url: url, AfterTimeUtc: newest, AfterStaffKey: null },
            ...{ SecretVersion: secretVersion, SecretDigest: secretDigest, RotatedAtMs: null },
            ...{ ...untried, DisabledReason: null, LastOutcome: null, LastAttemptMs: null },
            ...{ LeaseNumber: 0, IsLeased: flavour.flag(false) },
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const changed = ['Url', 'Secret'];
        await writeAudit(trx, { key, companyKey }, { account: command, operation: 'webhooks add', changed });
        return webhookOf(row);
      }),
    async list(companyKey) {
      const query = companyKey === undefined ? chosen() : chosen().where('CompanyKey', '=', companyKey);
      return (await query.execute()).map(webhookOf);
    },
    async remove(key) {
      const known = await find(key);
      if (known === undefined) return false;
      return transact(known.companyKey, async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('webhooks')
          .where('WebhookKey', '=', key)
          .executeTakeFirstOrThrow();
        if (Number(numDeletedRows) === 0) return false;
        await writeAudit(trx, known, { account: command, operation: 'webhooks remove', changed: ['Removed'] });
        return true;
      });
    },
    setDisabled: (key, isDisabled) =>
      change(
        key,
        { account: command, operation: `webhooks ${isDisabled ? 'disable' : 'enable'}`, changed: ['Disabled'] },
        isDisabled ? { DisabledReason: 'command' } : { ...untried, DisabledReason: null },
      ),
    rotate: (key, { secretVersion, secretDigest }, rotatedAtMs) =>
      change(
        key,
        { account: command, operation: 'webhooks rotate', changed: ['Secret'] },
        { SecretVersion: secretVersion, SecretDigest: secretDigest, RotatedAtMs: Math.trunc(rotatedAtMs) },
        secretVersion - 1,
      ),
    reset: (key) =>
      change(
        key,
        { account: command, operation: 'webhooks reset', changed: ['Position'] },
        {
          // Each reset has a time of its own, and so its message another id.
          ...{ ...untried, AfterTimeUtc: `${resetYear}${readClock().slice(4)}`, AfterStaffKey: null },
          // An attempt in progress must not move the position.
          LeaseNumber: sql<number>`${sql.ref('LeaseNumber')} + 1`,
        },
      ),
    async findPending(webhook) {
      const newest = (await readNewestStamp(engine, flavour, webhook.companyKey)) ?? '';
      const { stamp, staffKey } = webhook.after;
      if (staffKey === undefined && newest === stamp) return undefined;
      // After a reset.
      if (newest < stamp) return newest;
      const { changes } = await window(webhook, newest, 1);
      return changes[0]?.at ?? newest;
    },
    async readChanges(webhook, top) {
      const newest = (await readNewestStamp(engine, flavour, webhook.companyKey)) ?? '';
      const { changes, next } = await window(webhook, newest, top);
      // Read last, so that a removal which is forgotten meanwhile is noticed.
      const isStored = await isComplete(engine, flavour, webhook.companyKey, webhook.after);
      if (webhook.after.stamp > newest || !isStored) {
        return { changes: [], next: { stamp: newest }, hasMore: false, isComplete: false };
      }
      return { changes, next: next ?? { stamp: newest }, hasMore: next !== undefined, isComplete: true };
    },
    async claim(key, leaseNumber) {
      const row = await writes
        .updateTable('webhooks')
        .set((eb) => ({ LeaseNumber: eb('LeaseNumber', '+', 1), IsLeased: flavour.flag(true) }))
        .where('WebhookKey', '=', key)
        .where('LeaseNumber', '=', leaseNumber)
        .where('DisabledReason', 'is', null)
        .returningAll()
        .executeTakeFirst();
      return row && webhookOf(row);
    },
    record: (leased, attempt) =>
      writes.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('webhooks')
          .set({ ...columnsOf(attempt), IsLeased: flavour.flag(false) })
          .where('WebhookKey', '=', leased.key)
          .where('LeaseNumber', '=', leased.leaseNumber)
          .executeTakeFirstOrThrow();
        if (Number(numUpdatedRows) === 0) return false;
        const by = { account: 'server', operation: 'webhooks disable', changed: ['Disabled'] };
        if (attempt.disabledReason !== null) await writeAudit(trx, leased, by);
        return true;
      }),
    async release({ key, leaseNumber }) {
      await writes
        .updateTable('webhooks')
        .set({ IsLeased: flavour.flag(false) })
        .where('WebhookKey', '=', key)
        .where('LeaseNumber', '=', leaseNumber)
        .execute();
    },
  };
}

type AuditedWebhook = Pick<Webhook, 'key' | 'companyKey'>;

/** The account of the audit entries of commands. */
const command = 'webhooks';

const untried = { Failures: 0, NextAttemptMs: 0 };

function columnsOf({ outcome, atMs, after, failures, nextAttemptMs, disabledReason }: AttemptRecord) {
  return {
    ...{ LastOutcome: outcome, LastAttemptMs: Math.trunc(atMs) },
    ...{ Failures: failures, NextAttemptMs: Math.trunc(nextAttemptMs) },
    // A command may have disabled it in the meantime.
    ...(disabledReason !== null && { DisabledReason: disabledReason }),
    ...(after !== undefined && { AfterTimeUtc: after.stamp, AfterStaffKey: after.staffKey ?? null }),
  };
}

function webhookOf(row: Row<'webhooks'>): Webhook {
  const after: ChangePlace = { stamp: row.AfterTimeUtc, staffKey: row.AfterStaffKey ?? undefined };
  return {
    ...{ key: row.WebhookKey, companyKey: row.CompanyKey, url: row.Url, after },
    ...{ secretVersion: Number(row.SecretVersion), secretDigest: row.SecretDigest },
    rotatedAtMs: row.RotatedAtMs === null ? null : Number(row.RotatedAtMs),
    ...{ failures: Number(row.Failures), nextAttemptMs: Number(row.NextAttemptMs) },
    ...{ disabledReason: row.DisabledReason, lastOutcome: row.LastOutcome },
    lastAttemptMs: row.LastAttemptMs === null ? null : Number(row.LastAttemptMs),
    ...{ leaseNumber: Number(row.LeaseNumber), isLeased: Boolean(row.IsLeased) },
  };
}
