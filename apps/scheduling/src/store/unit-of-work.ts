import { canonicalDateTime } from '@rostergate/odata';
import { createValidationProblem, type Fault } from '@rostergate/runtime/problem';
import type { Kysely } from 'kysely';
import type { SqlFlavour } from './sql-flavour.ts';
import { notFound, type StaffReads } from './staff-reads.ts';
import type { WriteScope } from './staff-store.ts';
import type { Row, Tables } from './tables.ts';

/** What every write works with. */
export interface WriteDeps {
  readonly db: Kysely<Tables>;
  readonly reads: StaffReads;
  readonly flavour: SqlFlavour;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly newKey: () => string;
}

export interface Unit {
  readonly trx: Kysely<Tables>;
  readonly scope: WriteScope;
  /** Now, as dates are kept. */
  readonly now: string;
  readonly flag: SqlFlavour['flag'];
}

export interface Written<T> {
  readonly staffKey: string;
  /** Names of what has another value than before; values never stand in the audit. */
  readonly changed: readonly string[];
  readonly answer: T;
}

/** One write: all of it or nothing, with its audit row, durable when the promise resolves. */
export function writeUnit<T>(
  deps: WriteDeps,
  scope: WriteScope,
  work: (unit: Unit) => Promise<Written<T>>,
): Promise<T> {
  const now = canonicalDateTime(new Date(deps.clock()).toISOString()) as string;
  return deps.db.transaction().execute(async (trx) => {
    const { staffKey, changed, answer } = await work({ trx, scope, now, flag: deps.flavour.flag });
    await trx
      .insertInto('audit')
      .values({
        AtUtc: now,
        CompanyKey: scope.companyKey,
        Account: scope.account,
        RequestId: scope.requestId,
        Operation: scope.operation,
        StaffKey: staffKey,
        ChangedFields: JSON.stringify(changed),
      })
      .execute();
    return answer;
  });
}

/** A write on a person who must be there; the person counts as modified by it. */
export function writeOnStaff<T>(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  work: (unit: Unit, person: Row<'staff'>) => Promise<Omit<Written<T>, 'staffKey'>>,
): Promise<T> {
  return writeUnit(deps, scope, async (unit) => {
    const person = await findStaff(unit, staffKey);
    const written = await work(unit, person);
    return { ...written, staffKey };
  });
}

/** Marks a person as modified now. */
export async function touchStaff({ trx, now }: Unit, staffRow: number): Promise<void> {
  await trx.updateTable('staff').set({ LastModifiedDateUtc: now }).where('StaffRow', '=', staffRow).execute();
}

async function findStaff({ trx, scope }: Unit, staffKey: string): Promise<Row<'staff'>> {
  const person = await trx
    .selectFrom('staff')
    .selectAll()
    .where('CompKey', '=', scope.companyKey)
    .where('StaffKey', '=', staffKey)
    .executeTakeFirst();
  return person ?? notFound('person', staffKey);
}

export function requireNoFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  throw createValidationProblem(faults);
}

/** A date of a request as it is kept, or undefined with a fault: the pattern lets 31 February pass. */
export function readInstant(value: string, pointer: string, faults: Fault[]): string | undefined {
  const instant = canonicalDateTime(value);
  if (instant === undefined) faults.push({ pointer, detail: 'is not a date in the calendar' });
  return instant;
}
