import type { Schemas } from '../entity-model.ts';
import { differingNames } from './body-checks.ts';
import type { VersionedJson } from './person-version.ts';
import type { WriteScope } from './scope.ts';
import { profiles } from './shapes.ts';
import { notFound } from './staff-reads.ts';
import { touchStaff, type Unit, type WriteDeps, writeOnPart } from './unit-of-work.ts';

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
