import type { Fault } from '@rostergate/server/problem';
import { sql } from 'kysely';
import type { Row } from './tables.ts';
import type { Unit } from './unit-of-work.ts';

type Named = { readonly StaffId: string } | { readonly StaffKey: string };

/**
 * Returns the columns that set the manager of `person`; undefined, with a fault, when the company has no such person or
 * the manager reports to `person`.
 */
export async function findManager(
  { trx, scope }: Unit,
  person: Row<'staff'> | undefined,
  named: Named,
  faults: Fault[],
): Promise<Pick<Row<'staff'>, 'ManagerRow' | 'ManagerId' | 'Manager'> | undefined> {
  const isById = 'StaffId' in named;
  const pointer = isById ? '/ManagerId' : '/ManagerKey';
  const [column, value] = isById ? (['StaffId', named.StaffId] as const) : (['StaffKey', named.StaffKey] as const);
  const manager = await trx
    .selectFrom('staff')
    .select(['StaffRow', 'StaffId', 'FirstName', 'LastName'])
    .where('CompKey', '=', scope.companyKey)
    .where(column, '=', value)
    .executeTakeFirst();
  if (manager === undefined) {
    faults.push({ pointer, detail: `must be the ${column} of a person of the company` });
    return undefined;
  }
  if (person !== undefined) {
    // UNION drops repeated rows, so the recursion ends even on a stored cycle.
    const cycle = await sql<{ found: number }>`
      WITH RECURSIVE chain("Row") AS (
        SELECT CAST(${manager.StaffRow} AS bigint)
        UNION
        SELECT s."ManagerRow" FROM "staff" AS s JOIN chain ON s."StaffRow" = chain."Row"
      )
      SELECT 1 AS found FROM chain WHERE "Row" = ${person.StaffRow}`.execute(trx);
    if (cycle.rows.length > 0) {
      const isSelf = manager.StaffRow === person.StaffRow;
      const detail = isSelf ? 'must not be the person' : 'must not report to the person, directly or through others';
      faults.push({ pointer, detail });
      return undefined;
    }
  }
  const { StaffRow, StaffId, FirstName, LastName } = manager;
  return { ManagerRow: StaffRow, ManagerId: StaffId, Manager: `${FirstName} ${LastName}` };
}
