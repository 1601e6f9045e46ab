import type { Fault } from '@rostergate/runtime/problem';
import { sql } from 'kysely';
import type { Row } from './tables.ts';
import type { Unit } from './unit-of-work.ts';

type Named = { readonly StaffId: string } | { readonly StaffKey: string };

/**
 * The columns that make somebody the manager of `person`. The manager must exist in the company, and may not come to
 * manage themselves through others: else undefined, with a fault.
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
    faults.push({ pointer, detail: `names nobody: no person of the company has this ${column}` });
    return undefined;
  }
  if (person !== undefined) {
    // UNION drops repeated rows, so that even a circle that stood there already would end.
    const circle = await sql<{ found: number }>`
      WITH RECURSIVE chain("Row") AS (
        SELECT CAST(${manager.StaffRow} AS bigint)
        UNION
        SELECT s."ManagerRow" FROM "staff" AS s JOIN chain ON s."StaffRow" = chain."Row"
      )
      SELECT 1 AS found FROM chain WHERE "Row" = ${person.StaffRow}`.execute(trx);
    if (circle.rows.length > 0) {
      const isSelf = manager.StaffRow === person.StaffRow;
      const detail = isSelf ? 'is the person: nobody manages themselves' : 'is managed by the person, through others';
      faults.push({ pointer, detail });
      return undefined;
    }
  }
  const { StaffRow, StaffId, FirstName, LastName } = manager;
  return { ManagerRow: StaffRow, ManagerId: StaffId, Manager: `${FirstName} ${LastName}` };
}
