import type { Schemas } from '../entity-model.ts';
import { differingNames } from './body-checks.ts';
import type { VersionedJson } from './person-version.ts';
import type { WriteScope } from './scope.ts';
import { profiles, skillset } from './shapes.ts';
import { notFound } from './staff-reads.ts';
import type { Row } from './tables.ts';
import { touchStaff, type Unit, type WriteDeps, writeOnPart } from './unit-of-work.ts';

/** Sets the days that are sent. A task that is new to the person starts without any day. */
export function setSkillset(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  taskKey: string,
  body: Schemas['SkillsetUpdate'],
): Promise<VersionedJson> {
  const find = (unit: Unit) => findTask(unit, taskKey);
  return writeOnPart(deps, scope, staffKey, find, async (unit, { StaffRow }, TaskRow) => {
    const days = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, typeof value === 'boolean' ? unit.flag(value) : value]),
    );
    const current = await readDays(unit, StaffRow, TaskRow);
    const changed = differingNames(current ?? noDay(unit), days).map((name) => `Skillset.${name}`);
    if (current === undefined) changed.unshift('Skillset');
    if (changed.length > 0) {
      await unit.trx
        .insertInto('staff_skillset')
        .values({ ...noDay(unit), ...days, StaffRow, TaskRow } as never)
        .onConflict((on) => on.columns(['StaffRow', 'TaskRow']).doUpdateSet(days))
        .execute();
      await touchStaff(unit, StaffRow);
    }
    const reply = () => deps.reads.readEntry(unit.trx, StaffRow, skillset, 'TaskRow', TaskRow);
    return { changed, reply };
  });
}

export function removeSkillset(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  taskKey: string,
): Promise<VersionedJson> {
  const find = (unit: Unit, { StaffRow }: Row<'staff'>) => findSkill(unit, StaffRow, taskKey);
  return writeOnPart(deps, scope, staffKey, find, async (unit, { StaffRow }, TaskRow) => {
    await unit.trx
      .deleteFrom('staff_skillset')
      .where('StaffRow', '=', StaffRow)
      .where('TaskRow', '=', TaskRow)
      .execute();
    await touchStaff(unit, StaffRow);
    return { changed: ['Skillset'], reply: () => '{}' };
  });
}

const noDay = ({ flag }: Unit) =>
  Object.fromEntries(
    ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].flatMap((day) => [
      [`IsSkilled${day}`, flag(false)],
      [`${day}Occurrence`, null],
    ]),
  );

function readDays({ trx }: Unit, staffRow: number, taskRow: number): Promise<Row<'staff_skillset'> | undefined> {
  return trx
    .selectFrom('staff_skillset')
    .selectAll()
    .where('StaffRow', '=', staffRow)
    .where('TaskRow', '=', taskRow)
    .executeTakeFirst();
}

async function findSkill(unit: Unit, staffRow: number, taskKey: string): Promise<number> {
  const taskRow = await findTask(unit, taskKey);
  const skill = await readDays(unit, staffRow, taskRow);
  return skill?.TaskRow ?? notFound('skilled task of this person', taskKey);
}

async function findTask({ trx, scope }: Unit, taskKey: string): Promise<number> {
  const task = await trx
    .selectFrom('tasks')
    .select('TaskRow')
    .where('CompanyKey', '=', scope.companyKey)
    .where('TaskKey', '=', taskKey)
    .executeTakeFirst();
  return task?.TaskRow ?? notFound('task', taskKey);
}

/** Adds a profile to a person, viewable and not schedulable by default, or changes the flags that are sent. */
export function setProfile(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  profileKey: string,
  { IsViewable, IsSchedulable }: Schemas['ProfileUpdate'],
): Promise<VersionedJson> {
  const find = (unit: Unit) => findProfile(unit, profileKey);
  return writeOnPart(deps, scope, staffKey, find, async (unit, { StaffRow }, ProfileRow) => {
    const { trx, flag } = unit;
    const sent = {
      ...(IsViewable !== undefined && { IsViewable: flag(IsViewable) }),
      ...(IsSchedulable !== undefined && { IsSchedulable: flag(IsSchedulable) }),
    };
    const current = await trx
      .selectFrom('staff_profiles')
      .select(['IsViewable', 'IsSchedulable'])
      .where((eb) => eb.and({ StaffRow, ProfileRow }))
      .executeTakeFirst();
    const byDefault = { IsViewable: flag(true), IsSchedulable: flag(false) };
    const changed = differingNames(current ?? byDefault, sent).map((name) => `Profiles.${name}`);
    if (current === undefined) changed.unshift('Profiles');
    if (changed.length > 0) {
      const flags = { ...byDefault, ...current, ...sent };
      await trx
        .insertInto('staff_profiles')
        .values({ ...flags, StaffRow, ProfileRow })
        .onConflict((on) => on.columns(['StaffRow', 'ProfileRow']).doUpdateSet(flags))
        .execute();
      await touchStaff(unit, StaffRow);
    }
    const reply = () => deps.reads.readEntry(trx, StaffRow, profiles, 'ProfileRow', ProfileRow);
    return { changed, reply };
  });
}

async function findProfile({ trx, scope }: Unit, profileKey: string): Promise<number> {
  const profile = await trx
    .selectFrom('profiles')
    .select('ProfileRow')
    .where('CompanyKey', '=', scope.companyKey)
    .where('ProfileKey', '=', profileKey)
    .executeTakeFirst();
  return profile?.ProfileRow ?? notFound('profile', profileKey);
}
