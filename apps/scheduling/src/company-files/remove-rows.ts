import { noteRemoved } from '../store/removed-staff.ts';
import { touchStaff } from '../store/unit-of-work.ts';
import { type CompanyFile, type CompanyTable, companyFiles } from './company-file.ts';
import { readCompanyRows, readPeopleRows, readStaffRows } from './company-rows.ts';
import { textOfKey } from './directory.ts';
import { whereKey } from './existing-rows.ts';
import { type ImportContext, keyOfRow, noteChange } from './import-context.ts';
import { type ImportedFile, linkColumnOf, noteLink } from './import-file.ts';

type Row = Readonly<Record<string, unknown>>;

/** Columns of other tables that refer to the row numbers of a table. */
const uses: Partial<Record<CompanyTable, readonly (readonly [table: CompanyTable, column: string])[]>> = {
  tag_categories: [['tags', 'CategoryKey']],
  tags: [
    ...(['location_tags', 'staff_tags', 'staff_location_tags', 'pay_modifier_tags'] as const).map(
      (table) => [table, 'TagKey'] as const,
    ),
    ['pay_modifiers', 'LocationTagKey'],
    ['pay_modifiers', 'TaskTagKey'],
  ],
  tasks: [
    ['request_limit_shifts', 'TaskRow'],
    ['staff_skillset', 'TaskRow'],
  ],
  profiles: [['staff_profiles', 'ProfileRow']],
  locations: [
    ['location_tags', 'LocationRow'],
    ['staff_locations', 'LocationRow'],
  ],
  request_limits: [
    ['request_limit_shifts', 'LimitRow'],
    ['request_limit_staff', 'LimitRow'],
  ],
};

/** Rows per statement: far below any limit on parameters. */
const rowsAtOnce = 500;
/** People per statement: each is removed with the rows of many tables. */
const peopleAtOnce = 50;

/** Removes the rows of a file's table that the file does not have, and returns how many. */
export async function removeRows(context: ImportContext, file: CompanyFile, imported: ImportedFile): Promise<number> {
  if (file.name === 'staff') return removePeople(context, imported);
  const { pause, unit } = context;
  const { trx, scope } = unit;
  const isMissing = (row: Row) => !imported.seen.has(keyOfRow(file, row));
  if (file.owner === 'company') {
    const missing = (await readCompanyRows(trx, scope.companyKey, file)).filter(isMissing);
    if (await isUsed(context, file, imported, missing)) return 0;
    const column = linkColumnOf(file);
    for (const row of missing) {
      await pause();
      await whereKey(trx.deleteFrom(file.table), file, row).execute();
      if (column !== undefined && file.numbers === undefined) noteLink(context, column, Number(row[column]));
    }
    return missing.length;
  }
  let removed = 0;
  const people = await context.directory.load('person');
  const modifiers = file.owner === 'PayModifierRow' ? await context.directory.load('payModifier') : undefined;
  for await (const all of readStaffRows(trx, scope.companyKey)) {
    const stored = all.filter((row) => !context.added.has(row));
    const missing = (await readPeopleRows(trx, stored, file)).filter(isMissing);
    const owners = new Set<number>();
    for (const row of missing) {
      await pause();
      await whereKey(trx.deleteFrom(file.table), file, row).execute();
      const staffId = modifiers?.nameOf([row.PayModifierRow])?.[0] ?? '';
      owners.add(modifiers === undefined ? Number(row.StaffRow) : (people.find([staffId])?.[0] as number));
    }
    await touchStaff(unit, [...owners]);
    for (const owner of owners) noteChange(context, owner, [file.shownIn]);
    removed += missing.length;
  }
  if (file.target !== undefined) context.directory.forget(file.target);
  return removed;
}

/** Reports every row that cannot be removed, because others refer to it. */
async function isUsed(
  { unit, faults, pause }: ImportContext,
  file: CompanyFile,
  { counts, isJson }: ImportedFile,
  missing: readonly Row[],
): Promise<boolean> {
  let isAnyUsed = false;
  const { numbers = '' } = file;
  for (const [table, column] of uses[file.table] ?? []) {
    for (let at = 0; at < missing.length; at += rowsAtOnce) {
      const part = new Map(missing.slice(at, at + rowsAtOnce).map((row) => [Number(row[numbers]), row]));
      const found = await unit.trx
        .selectFrom(table as 'tags')
        .select((eb) => [eb.ref(column as 'TagKey').as('number'), eb.fn.countAll<number>().as('count')])
        .where(column as 'TagKey', 'in', [...part.keys()])
        .groupBy(column as 'TagKey')
        .execute();
      await pause();
      for (const { number, count } of found) {
        const row = part.get(Number(number)) ?? {};
        const name = textOfKey([row.Name ?? row[file.key[0] ?? '']]);
        const user = companyFiles.find((one) => one.table === table)?.name;
        const rows = Number(count) === 1 ? '1 row' : `${count} rows`;
        const detail = `The file lacks the ${file.noun} ${JSON.stringify(name)}, which ${rows} of ${user} use. Add it, or import a ${user} file without those rows.`;
        faults.add({ file: counts.file, isJson, line: 0, name: '', detail });
        isAnyUsed = true;
      }
    }
  }
  return isAnyUsed;
}

/** Removes people with everything that belongs to them. */
async function removePeople(context: ImportContext, { seen, counts, isJson }: ImportedFile): Promise<number> {
  const { unit, faults, pause } = context;
  const { trx, scope } = unit;
  const people = await trx
    .selectFrom('staff')
    .select(['StaffRow', 'StaffId', 'StaffKey', 'ManagerRow'])
    .where('CompKey', '=', scope.companyKey)
    .execute();
  const missing = new Map(people.flatMap((one) => (seen.has(one.StaffId) ? [] : [[one.StaffRow, one] as const])));
  const managers = new Set<number>();
  for (const { StaffRow, StaffId, ManagerRow } of people) {
    if (ManagerRow === null || missing.has(StaffRow) || !missing.has(ManagerRow) || managers.has(ManagerRow)) continue;
    managers.add(ManagerRow);
    const id = missing.get(ManagerRow)?.StaffId;
    const detail = `The file lacks the person ${JSON.stringify(id)}, who is the manager of ${JSON.stringify(StaffId)}. Add the person, or give others another ManagerId.`;
    faults.add({ file: counts.file, isJson, line: 0, name: '', detail });
  }
  if (managers.size > 0) return 0;
  const rows = [...missing.keys()];
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const part = rows.slice(at, at + rowsAtOnce);
    await trx.updateTable('staff').set({ ManagerRow: null }).where('StaffRow', 'in', part).execute();
    await pause();
  }
  for (let at = 0; at < rows.length; at += peopleAtOnce) {
    const part = rows.slice(at, at + peopleAtOnce);
    await trx.deleteFrom('staff').where('StaffRow', 'in', part).execute();
    for (const row of part) {
      context.changes.delete(row);
      unit.touched.delete(row);
      context.removed.add((missing.get(row) as { StaffKey: string }).StaffKey);
    }
    await pause();
  }
  await noteRemoved(trx, scope.companyKey, { staffKeys: [...context.removed], stamp: unit.stamp, pause });
  return rows.length;
}
