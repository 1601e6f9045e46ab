import type { Schemas } from '../contract-schemas.ts';
import { skillset } from './shapes.ts';
import { notFound } from './staff-reads.ts';
import type { WriteScope } from './staff-store.ts';
import { touchStaff, type Unit, type WriteDeps, writeOnStaff } from './unit-of-work.ts';

/** Sets the days that are sent. A task that is new to the person starts from no day at all. */
export function setSkillset(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  taskKey: string,
  body: Schemas['SkillsetUpdate'],
): Promise<string> {
  return writeOnStaff(deps, scope, staffKey, async (unit, { StaffRow }) => {
    const TaskRow = await findTask(unit, taskKey);
    const days = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, typeof value === 'boolean' ? unit.flag(value) : value]),
    );
    await unit.trx
      .insertInto('staff_skillset')
      .values({ ...noDay(unit), ...days, StaffRow, TaskRow } as never)
      .onConflict((on) => on.columns(['StaffRow', 'TaskRow']).doUpdateSet(days))
      .execute();
    await touchStaff(unit, StaffRow);
    const answer = await deps.reads.readEntry(unit.trx, StaffRow, skillset, 'TaskRow', TaskRow);
    return { changed: Object.keys(body).map((name) => `Skillset.${name}`), answer };
  });
}

export function removeSkillset(deps: WriteDeps, scope: WriteScope, staffKey: string, taskKey: string): Promise<void> {
  return writeOnStaff(deps, scope, staffKey, async (unit, { StaffRow }) => {
    const TaskRow = await findTask(unit, taskKey);
    const { numDeletedRows } = await unit.trx
      .deleteFrom('staff_skillset')
      .where('StaffRow', '=', StaffRow)
      .where('TaskRow', '=', TaskRow)
      .executeTakeFirst();
    if (numDeletedRows === 0n) notFound('task that this person is skilled for', taskKey);
    await touchStaff(unit, StaffRow);
    return { changed: ['Skillset'], answer: undefined };
  });
}

const noDay = ({ flag }: Unit) =>
  Object.fromEntries(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day) => [`IsSkilled${day}`, flag(false)]));

async function findTask({ trx, scope }: Unit, taskKey: string): Promise<number> {
  const task = await trx
    .selectFrom('tasks')
    .select('TaskRow')
    .where('CompanyKey', '=', scope.companyKey)
    .where('TaskKey', '=', taskKey)
    .executeTakeFirst();
  return task?.TaskRow ?? notFound('task', taskKey);
}
