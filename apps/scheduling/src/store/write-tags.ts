import type { Fault } from '@rostergate/server/problem';
import type { Schemas } from '../entity-model.ts';
import { readInstant, requireNoFaults } from './body-checks.ts';
import { applyTagPeriod, farOff, type TagPeriod } from './location-tags.ts';
import type { VersionedJson } from './person-version.ts';
import type { WriteScope } from './scope.ts';
import { anyStaffTags, staffLocations } from './shapes.ts';
import { notFound } from './staff-reads.ts';
import type { Row } from './tables.ts';
import { type FoundTag, findTag, type TagReference } from './tag-reference.ts';
import { touchStaff, type Unit, type WriteDeps, writeOnPart, writeOnStaff } from './unit-of-work.ts';

/** Tags a person. A tag that the person already has gets the new date. */
export function addTag(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  { category, name, TagKey: key, effectiveDate }: Schemas['StaffTagCreate'],
): Promise<VersionedJson> {
  return writeOnStaff(deps, scope, staffKey, async (unit, { StaffRow }) => {
    const pointers = { key: '/TagKey', category: '/category', name: '/name' };
    const { tag, from } = await readTagging(unit, { key, category, name, pointers }, effectiveDate);
    const { CategoryKey, TagKey } = tag;
    const reply = () => deps.reads.readEntry(unit.trx, StaffRow, anyStaffTags, 'CategoryKey', CategoryKey);
    const link = { StaffRow, CategoryKey, TagKey };
    const period = { EffectiveFromDate: from, EffectiveToDate: farOff };
    const current = await unit.trx
      .selectFrom('staff_tags')
      .select(['EffectiveFromDate', 'EffectiveToDate'])
      .where((eb) => eb.and(link))
      .executeTakeFirst();
    if (current !== undefined && isSamePeriod(current, period)) return { changed: [], reply };
    await unit.trx
      .insertInto('staff_tags')
      .values({ ...link, ...period })
      .onConflict((on) => on.columns(['StaffRow', 'CategoryKey', 'TagKey']).doUpdateSet(period))
      .execute();
    await touchStaff(unit, StaffRow);
    return { changed: [tag.isTimeClock ? 'TTCMTags' : 'Tags'], reply };
  });
}

/**
 * Tags a person at a location. Within a category the new tag ends the one before it, and ends where the next begins.
 */
export function addLocationTag(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  locationKey: string,
  { categoryName: category, tagName: name, TagKey: key, effectiveDate }: Schemas['LocationTagUpdate'],
): Promise<VersionedJson> {
  const find = (unit: Unit, { StaffRow }: Row<'staff'>) => findStaffLocation(unit, StaffRow, locationKey);
  return writeOnPart(deps, scope, staffKey, find, async (unit, { StaffRow }, LocationRow) => {
    const { trx } = unit;
    const pointers = { key: '/TagKey', category: '/categoryName', name: '/tagName' };
    const { tag, from } = await readTagging(unit, { key, category, name, pointers }, effectiveDate);
    const link = { StaffRow, LocationRow, CategoryKey: tag.CategoryKey };
    const current = await trx
      .selectFrom('staff_location_tags')
      .select(['TagKey', 'EffectiveFromDate', 'EffectiveToDate'])
      .where((eb) => eb.and(link))
      .execute();
    const isChanged = await replacePeriods(unit, link, current, applyTagPeriod(current, tag.TagKey, from));
    if (isChanged) await touchStaff(unit, StaffRow);
    const reply = () => deps.reads.readEntry(trx, StaffRow, staffLocations, 'LocationRow', LocationRow);
    return { changed: isChanged ? ['Location.Tags'] : [], reply };
  });
}

/** Writes the changed tags of one category, and returns whether anything changed. */
async function replacePeriods(
  { trx }: Unit,
  link: Pick<Row<'staff_location_tags'>, 'StaffRow' | 'LocationRow' | 'CategoryKey'>,
  current: readonly TagPeriod[],
  outcome: readonly TagPeriod[],
): Promise<boolean> {
  const wanted = new Set(outcome.map((period) => period.TagKey));
  const gone = current.filter(({ TagKey }) => !wanted.has(TagKey));
  for (const { TagKey } of gone) {
    await trx
      .deleteFrom('staff_location_tags')
      .where((eb) => eb.and({ ...link, TagKey }))
      .execute();
  }
  const stored = new Map(current.map((period) => [period.TagKey, period]));
  const differing = outcome.filter((period) => !isSamePeriod(stored.get(period.TagKey), period));
  for (const { TagKey, EffectiveFromDate, EffectiveToDate } of differing) {
    const period = { EffectiveFromDate, EffectiveToDate };
    await trx
      .insertInto('staff_location_tags')
      .values({ ...link, TagKey, ...period })
      .onConflict((on) => on.columns(['StaffRow', 'LocationRow', 'CategoryKey', 'TagKey']).doUpdateSet(period))
      .execute();
  }
  return gone.length + differing.length > 0;
}

type Period = Omit<TagPeriod, 'TagKey'>;

function isSamePeriod(a: Period | undefined, b: Period): boolean {
  return a?.EffectiveFromDate === b.EffectiveFromDate && a.EffectiveToDate === b.EffectiveToDate;
}

async function readTagging(
  unit: Unit,
  reference: TagReference,
  effectiveDate: string | null | undefined,
): Promise<{ tag: FoundTag; from: string }> {
  const faults: Fault[] = [];
  const today = `${unit.now.slice(0, 10)}T00:00:00`;
  const from = typeof effectiveDate === 'string' ? readInstant(effectiveDate, '/effectiveDate', faults) : today;
  if (from !== undefined && from >= farOff) {
    faults.push({ pointer: '/effectiveDate', detail: `must be before ${farOff}, the end date of every tag` });
  }
  const tag = await findTag(unit, reference, faults);
  requireNoFaults(faults);
  return { tag: tag as FoundTag, from: from as string };
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
