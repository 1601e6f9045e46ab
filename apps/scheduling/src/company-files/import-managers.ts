import { sql } from 'kysely';
import { findManagerFaultsOfAll } from '../roster-import/managers.ts';
import { touchStaff } from '../store/unit-of-work.ts';
import { type ImportContext, noteChange } from './import-context.ts';
import type { ImportedFile } from './import-file.ts';

/** Reports per statement: far below any limit on parameters. */
const reportsAtOnce = 500;

/** Sets the managers that the file of people names, once all people are stored. */
export async function importManagers(
  context: ImportContext,
  { counts, claims, columnOf, isJson }: ImportedFile,
): Promise<void> {
  const { unit, faults, added, pause } = context;
  const { trx, scope } = unit;
  if (claims.length === 0) return;
  const people = await trx
    .selectFrom('staff')
    .select(['StaffId', 'StaffRow', 'ManagerId'])
    .where('CompKey', '=', scope.companyKey)
    .execute();
  await pause();
  const byId = new Map(people.map((person) => [person.StaffId, person]));
  const stored = new Map(people.map(({ StaffId, ManagerId }) => [StaffId, ManagerId]));
  const found = findManagerFaultsOfAll(stored, claims);
  for (const { line, detail } of found) {
    const name = 'ManagerId';
    faults.add({ file: counts.file, isJson, line, column: columnOf(name), name, detail });
  }
  if (found.length > 0) return;
  await pause();
  const differing = claims.filter(({ staffId, managerId }) => managerId !== stored.get(staffId));
  const rowOf = (staffId: string | null | undefined) => byId.get(staffId ?? '')?.StaffRow;
  const pairs = differing.map(
    ({ staffId, managerId }) => [rowOf(staffId) as number, rowOf(managerId) ?? null] as const,
  );
  for (let at = 0; at < pairs.length; at += reportsAtOnce) {
    const part = pairs.slice(at, at + reportsAtOnce);
    const values = part.map(([report, manager]) => sql`(cast(${report} as bigint), cast(${manager} as bigint))`);
    await sql`
      with "pick" ("Report", "Manager") as (values ${sql.join(values)})
      update "staff" set
        "ManagerRow" = "m"."StaffRow", "ManagerId" = "m"."StaffId", "Manager" = "m"."FirstName" || ' ' || "m"."LastName"
      from "pick" left join "staff" as "m" on "m"."StaffRow" = "pick"."Manager"
      where "staff"."StaffRow" = "pick"."Report"`.execute(trx);
    await pause();
  }
  const rows = pairs.map(([report]) => report);
  await touchStaff(unit, rows, pause);
  for (const row of rows) if (!added.has(row)) noteChange(context, row, ['ManagerId']);
}
