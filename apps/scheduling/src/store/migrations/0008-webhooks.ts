import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql-flavour.ts';

/** Creates the table of the webhooks and of their positions in the changes. Frozen. */
export async function createWebhooks(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { text, instant, integer, flag, tableEnd } = types;
  await db.schema
    .createTable('webhooks')
    .modifyEnd(tableEnd)
    .addColumn('WebhookKey', text, (c) => c.primaryKey())
    .addColumn('CompanyKey', text, (c) => c.notNull().references('companies.CompanyKey'))
    .addColumn('Url', text, (c) => c.notNull())
    .addColumn('SecretVersion', integer, (c) => c.notNull())
    .addColumn('SecretDigest', text, (c) => c.notNull())
    .addColumn('RotatedAtMs', integer)
    .addColumn('AfterTimeUtc', instant, (c) => c.notNull())
    .addColumn('AfterStaffKey', text)
    .addColumn('Failures', integer, (c) => c.notNull())
    .addColumn('NextAttemptMs', integer, (c) => c.notNull())
    .addColumn('DisabledReason', text)
    .addColumn('LastOutcome', text)
    .addColumn('LastAttemptMs', integer)
    .addColumn('LeaseNumber', integer, (c) => c.notNull())
    .addColumn('IsLeased', flag, (c) => c.notNull())
    .execute();
  await db.schema.createIndex('webhooks_by_company').on('webhooks').columns(['CompanyKey', 'WebhookKey']).execute();
}
