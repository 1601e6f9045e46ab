import type { SqlDialectName } from '@rostergate/odata';
import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { knownMs } from './known-addresses.ts';

/**
 * Deletes expired tokens and addresses of all accounts. Rows that another transaction holds are left to a later login:
 * waiting for them could be a deadlock, as the other may wait for the account that this transaction holds.
 */
export async function deleteExpired(trx: Kysely<Tables>, dialect: SqlDialectName, nowMs: number): Promise<void> {
  const isPostgres = dialect === 'postgres';
  const tokens = trx
    .selectFrom('access_tokens')
    .select('Digest')
    .where('ExpiresAtMs', '<=', nowMs)
    .$if(isPostgres, (rows) => rows.forUpdate().skipLocked());
  await trx.deleteFrom('access_tokens').where('Digest', 'in', tokens).execute();
  const addresses = trx
    .selectFrom('known_addresses')
    .select(['AccountRow', 'Mark'])
    .where('LastLoginMs', '<=', Math.trunc(nowMs - knownMs))
    .$if(isPostgres, (rows) => rows.forUpdate().skipLocked());
  await trx
    .deleteFrom('known_addresses')
    .where(({ eb, refTuple }) => eb(refTuple('AccountRow', 'Mark'), 'in', addresses.$asTuple('AccountRow', 'Mark')))
    .execute();
}
