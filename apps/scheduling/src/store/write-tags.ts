import type { Fault } from '@rostergate/runtime/problem';
import type { Schemas } from '../contract-schemas.ts';
import { anyStaffTags, staffLocations } from './shapes.ts';
import { notFound } from './staff-reads.ts';
import type { VersionedJson, WriteScope } from './staff-store.ts';
import type { Row } from './tables.ts';
import { findTag, type TagReference } from './tag-reference.ts';
import {
  readInstant,
  requireNoFaults,
  touchStaff,
  type Unit,
  type WriteDeps,
  writeOnPart,
  writeOnStaff,
} from './unit-of-work.ts';

/** The end of what has no end. */
const farOff = '2100-01-01T00:00:00';

/** Tags a person; a tag that the person has takes the new date. */
export function addTag(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  { category = '', name = '', TagKey, effectiveDate }: Schemas['StaffTagCreate'],
): Promise<VersionedJson> {
  return writeOnStaff(deps, scope, staffKey, async (unit, person) => {
    const byName: TagReference = { category, name, pointers: ['/category', '/name'] };
    const reference = TagKey === undefined ? byName : { tagKey: TagKey, pointer: '/TagKey' };
    const { tag, from } = await readTagging(unit, reference, effectiveDate);
    const period = { EffectiveFromDate: from, EffectiveToDate: farOff };
    await unit.trx
      .insertInto('staff_tags')
      .values({ StaffRow: person.StaffRow, CategoryKey: tag.CategoryKey, TagKey: tag.TagKey, ...period })
      .onConflict((on) => on.columns(['StaffRow', 'CategoryKey', 'TagKey']).doUpdateSet(period))
      .execute();
    await touchStaff(unit, person.StaffRow);
    return {
      changed: ['Tags'],
      answer: () => deps.reads.readEntry(unit.trx, person.StaffRow, anyStaffTags, 'CategoryKey', tag.CategoryKey),
    };
  });
}

/** Tags a person at a location. Within a category the new tag follows the one before it, and ends where the next begins. */
export function addLocationTag(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  locationKey: string,
  { categoryName = '', tagName = '', TagKey, effectiveDate }: Schemas['LocationTagUpdate'],
): Promise<VersionedJson> {
  const find = (unit: Unit, { StaffRow }: Row<'staff'>) => findStaffLocation(unit, StaffRow, locationKey);
  return writeOnPart(deps, scope, staffKey, find, async (unit, { StaffRow }, LocationRow) => {
    const byName: TagReference = { category: categoryName, name: tagName, pointers: ['/categoryName', '/tagName'] };
    const reference = TagKey === undefined ? byName : { tagKey: TagKey, pointer: '/TagKey' };
    const { tag, from } = await readTagging(unit, reference, effectiveDate);
    const { trx } = unit;
    const link = { StaffRow, LocationRow, CategoryKey: tag.CategoryKey };
    const others = await trx
      .selectFrom('staff_location_tags')
      .select(['TagKey', 'EffectiveFromDate', 'EffectiveToDate'])
      .where((eb) => eb.and(link))
      .where('TagKey', '!=', tag.TagKey)
      .execute();
    let to = farOff;
    for (const { TagKey: other, EffectiveFromDate, EffectiveToDate } of others) {
      const starts = EffectiveFromDate ?? '';
      const ofOther = trx.updateTable('staff_location_tags').where((eb) => eb.and({ ...link, TagKey: other }));
      if (starts > from) {
        if (starts < to) to = starts;
      } else if (starts === from) {
        await trx
          .deleteFrom('staff_location_tags')
          .where((eb) => eb.and({ ...link, TagKey: other }))
          .execute();
      } else if ((EffectiveToDate ?? farOff) > from) await ofOther.set({ EffectiveToDate: from }).execute();
    }
    const period = { EffectiveFromDate: from, EffectiveToDate: to };
    await trx
      .insertInto('staff_location_tags')
      .values({ ...link, TagKey: tag.TagKey, ...period })
      .onConflict((on) => on.columns(['StaffRow', 'LocationRow', 'CategoryKey', 'TagKey']).doUpdateSet(period))
      .execute();
    await touchStaff(unit, StaffRow);
    const answer = () => deps.reads.readEntry(trx, StaffRow, staffLocations, 'LocationRow', LocationRow);
    return { changed: ['Location.Tags'], answer };
  });
}

async function readTagging(
  unit: Unit,
  reference: TagReference,
  effectiveDate: string | null | undefined,
): Promise<{ tag: Row<'tags'>; from: string }> {
  const faults: Fault[] = [];
  const today = `${unit.now.slice(0, 10)}T00:00:00`;
  const from = typeof effectiveDate === 'string' ? readInstant(effectiveDate, '/effectiveDate', faults) : today;
  const tag = await findTag(unit, reference, faults);
  requireNoFaults(faults);
  return { tag: tag as Row<'tags'>, from: from as string };
}

async function findStaffLocation({ trx, scope }: Unit, staffRow: number, locationKey: string): Promise<number> {
  const found = await trx
    .selectFrom('staff_locations')
    .innerJoin('locations', 'locations.LocationRow', 'staff_locations.LocationRow')
    .where('locations.CompanyKey', '=', scope.companyKey)
    .where('locations.LocationKey', '=', locationKey)
    .where('staff_locations.StaffRow', '=', staffRow)
    .select('locations.LocationRow')
    .executeTakeFirst();
  return found?.LocationRow ?? notFound('location of this person', locationKey);
}
