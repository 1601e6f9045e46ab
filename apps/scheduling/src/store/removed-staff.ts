import { orderValues } from '@rostergate/odata';
import type { Kysely } from 'kysely';
import type { ReadEngine } from './read-engine.ts';
import type { SqlFlavour } from './sql-flavour.ts';
import type { Tables } from './tables.ts';

/**
 * The key of a row that is no person: `RemovedAtUtc` of the newest removal that is no longer stored. Changes since an
 * earlier time are incomplete.
 */
const forgotten = '';

/** Removals that are stored for each company. */
const storedMax = 100_000;

/** Rows per statement: far below any limit on parameters. */
const rowsAtOnce = 500;

interface Removals {
  readonly staffKeys: readonly string[];
  /** The time of the write. */
  readonly stamp: string;
  readonly max?: number;
}

/** Stores that people were removed, for clients that follow changes. Of a company it stores the newest removals only. */
export async function noteRemoved(
  trx: Kysely<Tables>,
  companyKey: string,
  { staffKeys, stamp, max = storedMax }: Removals,
): Promise<void> {
  const insert = (keys: readonly string[], RemovedAtUtc: string) =>
    trx
      .insertInto('removed_staff')
      .values(keys.map((StaffKey) => ({ CompKey: companyKey, StaffKey, RemovedAtUtc })))
      .onConflict((on) => on.columns(['CompKey', 'StaffKey']).doUpdateSet({ RemovedAtUtc }))
      .execute();
  for (let at = 0; at < staffKeys.length; at += rowsAtOnce) await insert(staffKeys.slice(at, at + rowsAtOnce), stamp);
  const last = await trx
    .selectFrom('removed_staff')
    .select('RemovedAtUtc')
    .where('CompKey', '=', companyKey)
    .where('StaffKey', '<>', forgotten)
    .orderBy('RemovedAtUtc', 'desc')
    .offset(max)
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return;
  await trx
    .deleteFrom('removed_staff')
    .where('CompKey', '=', companyKey)
    .where('RemovedAtUtc', '<=', last.RemovedAtUtc)
    .execute();
  await insert([forgotten], last.RemovedAtUtc);
}

/** Returns whether all changes of a company after a time are stored. */
export async function isComplete(
  { select }: Pick<ReadEngine, 'select'>,
  { parameter }: Pick<SqlFlavour, 'parameter'>,
  companyKey: string,
  stamp: string,
): Promise<boolean> {
  const text =
    `SELECT "RemovedAtUtc" AS "at" FROM "removed_staff" ` +
    `WHERE "CompKey" = ${parameter(1)} AND "StaffKey" = ${parameter(2)}`;
  const [found] = await select<{ at: string }>({ text, parameters: [companyKey, forgotten] });
  return found === undefined || orderValues(found.at, stamp) <= 0;
}
