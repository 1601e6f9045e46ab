import { orderValues } from '@rostergate/odata';
import type { Kysely } from 'kysely';
import type { ChangePlace } from './changed-staff-finder.ts';
import type { ReadEngine } from './read-engine.ts';
import type { SqlFlavour } from './sql-flavour.ts';
import type { Tables } from './tables.ts';

/**
 * The key of a row that is no person: `RemovedAtUtc` of the newest removal that is no longer stored. Changes since an
 * earlier time are incomplete.
 */
const forgotten = '';

/** Removals that are stored for each company, at most. */
const storedMax = 100_000;

/** Rows per statement: far below any limit on parameters. */
const rowsAtOnce = 500;

interface Removals {
  readonly staffKeys: readonly string[];
  /** The time of the write. */
  readonly stamp: string;
  readonly max?: number;
  /** Called between statements. */
  readonly pause?: () => Promise<void>;
}

/** Stores that people were removed, for clients that follow changes. Of a company it stores the newest removals only. */
export async function noteRemoved(
  trx: Kysely<Tables>,
  companyKey: string,
  { staffKeys, stamp, max = storedMax, pause = async () => {} }: Removals,
): Promise<void> {
  for (let at = 0; at < staffKeys.length; at += rowsAtOnce) {
    await insert(trx, companyKey, staffKeys.slice(at, at + rowsAtOnce), stamp);
    await pause();
  }
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
  await forgetUntil(trx, companyKey, last.RemovedAtUtc);
}

/** Makes changes since an earlier time incomplete: what was removed until then is not known here. */
export async function forgetUntil(trx: Kysely<Tables>, companyKey: string, stamp: string): Promise<void> {
  await insert(trx, companyKey, [forgotten], stamp);
}

/** Deletes the removals of people who were added again: they have changed. */
export async function dropRemovals(trx: Kysely<Tables>, companyKey: string): Promise<void> {
  await trx
    .deleteFrom('removed_staff')
    .where('CompKey', '=', companyKey)
    .where('StaffKey', 'in', (eb) => eb.selectFrom('staff').select('StaffKey').where('CompKey', '=', companyKey))
    .execute();
}

function insert(trx: Kysely<Tables>, CompKey: string, keys: readonly string[], RemovedAtUtc: string) {
  return trx
    .insertInto('removed_staff')
    .values(keys.map((StaffKey) => ({ CompKey, StaffKey, RemovedAtUtc })))
    .onConflict((on) => on.columns(['CompKey', 'StaffKey']).doUpdateSet({ RemovedAtUtc }))
    .execute();
}

/** Returns whether all changes of a company after a place are stored. */
export async function isComplete(
  { select }: Pick<ReadEngine, 'select'>,
  { parameter }: Pick<SqlFlavour, 'parameter'>,
  companyKey: string,
  { stamp, staffKey }: ChangePlace,
): Promise<boolean> {
  const text =
    `SELECT "RemovedAtUtc" AS "at" FROM "removed_staff" ` +
    `WHERE "CompKey" = ${parameter(1)} AND "StaffKey" = ${parameter(2)}`;
  const [found] = await select<{ at: string }>({ text, parameters: [companyKey, forgotten] });
  if (found === undefined) return true;
  const order = orderValues(found.at, stamp);
  // After a person, others of the same time may follow.
  return staffKey === undefined ? order <= 0 : order < 0;
}
