import { findManagerFaults } from '../roster-import/managers.ts';
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
  const { unit, faults, added } = context;
  const { trx, scope } = unit;
  if (claims.length === 0) return;
  const people = await trx
    .selectFrom('staff')
    .select(['StaffId', 'StaffRow', 'ManagerId', 'FirstName', 'LastName'])
    .where('CompKey', '=', scope.companyKey)
    .execute();
  const byId = new Map(people.map((person) => [person.StaffId, person]));
  const stored = new Map(people.map(({ StaffId, ManagerId }) => [StaffId, ManagerId]));
  const found = findManagerFaults(stored, claims);
  for (const { line, detail } of found) {
    const name = 'ManagerId';
    faults.add({ file: counts.file, isJson, line, column: columnOf(name), name, detail });
  }
  if (found.length > 0) return;
  const differing = claims.filter(({ staffId, managerId }) => managerId !== stored.get(staffId));
  const byManager = Map.groupBy(differing, ({ managerId }) => managerId);
  for (const [managerId, reports] of byManager) {
    const manager = typeof managerId === 'string' ? byId.get(managerId) : undefined;
    const columns =
      manager === undefined
        ? { ManagerRow: null, ManagerId: null, Manager: null }
        : {
            ManagerRow: manager.StaffRow,
            ManagerId: manager.StaffId,
            Manager: `${manager.FirstName} ${manager.LastName}`,
          };
    const rows = reports.map(({ staffId }) => byId.get(staffId)?.StaffRow as number);
    for (let at = 0; at < rows.length; at += reportsAtOnce) {
      const part = rows.slice(at, at + reportsAtOnce);
      await trx.updateTable('staff').set(columns).where('StaffRow', 'in', part).execute();
    }
    await touchStaff(unit, ...rows);
    for (const row of rows) if (!added.has(row)) noteChange(context, row, ['ManagerId']);
  }
}
