import { hash } from 'node:crypto';
import type { SqlDialectName } from '@rostergate/odata';
import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** How long an address stays known after the last login from it. */
export const knownMs = 24 * 60 * 60_000;

/** Maximum of stored addresses per account; the least recently used one is replaced. */
const knownMax = 16;

/**
 * Returns what is stored of a login address: 24 bits of a digest, which about 256 IPv4 addresses share. It recognizes
 * an address without revealing it.
 */
export function markOf(email: string, address: string): string {
  return hash('sha256', `${email.toLowerCase()}\n${address}`, 'hex').slice(0, 6);
}

/** Stores the address of a login, and drops the least recently used addresses beyond the maximum. */
export async function storeAddress(
  trx: Kysely<Tables>,
  accountRow: number,
  mark: string,
  nowMs: number,
): Promise<void> {
  const LastLoginMs = Math.trunc(nowMs);
  await trx
    .insertInto('known_addresses')
    .values({ AccountRow: accountRow, Mark: mark, LastLoginMs })
    .onConflict((conflict) => conflict.columns(['AccountRow', 'Mark']).doUpdateSet({ LastLoginMs }))
    .execute();
  const newest = trx
    .selectFrom('known_addresses')
    .select('Mark')
    .where('AccountRow', '=', accountRow)
    .orderBy('LastLoginMs', 'desc')
    .orderBy('Mark')
    .limit(knownMax);
  await trx
    .deleteFrom('known_addresses')
    .where('AccountRow', '=', accountRow)
    .where('Mark', 'not in', newest)
    .execute();
}

/**
 * Deletes expired tokens and addresses of all accounts. Skips rows that another transaction has locked: waiting for
 * them could deadlock, because that transaction may wait for the account that this one has locked.
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
