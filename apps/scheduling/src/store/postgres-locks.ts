import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** Any number will do, as long as nothing else in the database locks it. */
const numbering = sql.lit(7_210_436_001);

/**
 * Until the end of the transaction nobody else writes: whoever gives rows numbers of their own keeps out those who have
 * the database give them, or both would take the same.
 */
export async function lockNumbering(trx: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${numbering})`.execute(trx);
}

/** Until the end of the transaction nobody else writes to the company, from whatever process. */
export async function lockCompany(trx: Kysely<Tables>, companyKey: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock_shared(${numbering}), pg_advisory_xact_lock(hashtextextended(${companyKey}, 0))
  `.execute(trx);
}
