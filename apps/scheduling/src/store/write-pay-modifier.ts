import type { Fault } from '@rostergate/runtime/problem';
import type { Schemas } from '../contract-schemas.ts';
import { payModifiers } from './shapes.ts';
import { notFound } from './staff-reads.ts';
import type { VersionedJson, WriteScope } from './staff-store.ts';
import type { Row } from './tables.ts';
import { findTag } from './tag-reference.ts';
import {
  readInstant,
  requireNoFaults,
  touchStaff,
  type Unit,
  type WriteDeps,
  writeOnPart,
  writeOnStaff,
} from './unit-of-work.ts';

type Request = Schemas['PayModifierRequest'];
type Columns = Omit<Row<'pay_modifiers'>, 'PayModifierRow' | 'PayModifierKey' | 'StaffRow'>;

export function createPayModifier(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  body: Request,
): Promise<VersionedJson> {
  return writeOnStaff(deps, scope, staffKey, async (unit, { StaffRow }) => {
    const { trx, flag } = unit;
    const { columns, tags } = await readRequest(unit, body, undefined);
    const PayModifierKey = deps.newKey();
    await trx
      .insertInto('pay_modifiers')
      .values({
        LocationTagKey: null,
        TaskTagKey: null,
        PositionId: null,
        StartDate: null,
        EndDate: null,
        IsPrimaryPosition: flag(false),
        IsHistoricAccessLocked: flag(false),
        ...columns,
        StaffRow,
        PayModifierKey,
      })
      .execute();
    const { PayModifierRow } = await findModifier(unit, StaffRow, PayModifierKey);
    await replaceTags(unit, PayModifierRow, tags);
    await touchStaff(unit, StaffRow);
    const answer = () => deps.reads.readEntry(trx, StaffRow, payModifiers, 'PayModifierKey', PayModifierKey);
    return { changed: Object.keys(body).map((name) => `PayModifier.${name}`), answer };
  });
}

/** Changes the members that are sent; the rules hold for the outcome. */
export function updatePayModifier(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  payModifierKey: string,
  body: Request,
): Promise<VersionedJson> {
  const find = (unit: Unit, { StaffRow }: Row<'staff'>) => findModifier(unit, StaffRow, payModifierKey);
  return writeOnPart(deps, scope, staffKey, find, async (unit, { StaffRow }, modifier) => {
    const { trx } = unit;
    const { columns, tags } = await readRequest(unit, body, modifier);
    if (Object.keys(columns).length > 0) {
      const update = trx.updateTable('pay_modifiers').set(columns);
      await update.where('PayModifierRow', '=', modifier.PayModifierRow).execute();
    }
    await replaceTags(unit, modifier.PayModifierRow, tags);
    await touchStaff(unit, StaffRow);
    const answer = () => deps.reads.readEntry(trx, StaffRow, payModifiers, 'PayModifierKey', payModifierKey);
    return { changed: Object.keys(body).map((name) => `PayModifier.${name}`), answer };
  });
}

export function deletePayModifier(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  payModifierKey: string,
): Promise<VersionedJson> {
  const find = (unit: Unit, { StaffRow }: Row<'staff'>) => findModifier(unit, StaffRow, payModifierKey);
  return writeOnPart(deps, scope, staffKey, find, async (unit, { StaffRow }, { PayModifierRow }) => {
    await unit.trx.deleteFrom('pay_modifiers').where('PayModifierRow', '=', PayModifierRow).execute();
    await touchStaff(unit, StaffRow);
    return { changed: ['PayModifier'], answer: () => '{}' };
  });
}

async function findModifier({ trx }: Unit, staffRow: number, key: string): Promise<Row<'pay_modifiers'>> {
  const found = await trx
    .selectFrom('pay_modifiers')
    .selectAll()
    .where('StaffRow', '=', staffRow)
    .where('PayModifierKey', '=', key)
    .executeTakeFirst();
  return found ?? notFound('pay modifier of this person', key);
}

/** The members of a request as columns, and the tags when they are sent. Throws with every fault. */
async function readRequest(
  unit: Unit,
  body: Request,
  current: Row<'pay_modifiers'> | undefined,
): Promise<{ columns: Partial<Columns>; tags: ReadonlyMap<number, Row<'tags'>> | undefined }> {
  const { flag } = unit;
  const faults: Fault[] = [];
  const columns: Partial<Columns> = {
    ...(body.PositionId !== undefined && { PositionId: body.PositionId }),
    ...(body.IsPrimaryPosition !== undefined && { IsPrimaryPosition: flag(body.IsPrimaryPosition) }),
    ...(body.IsHistoricAccessLocked !== undefined && { IsHistoricAccessLocked: flag(body.IsHistoricAccessLocked) }),
  };
  for (const name of ['StartDate', 'EndDate'] as const) {
    const value = body[name];
    if (value === null) columns[name] = null;
    else if (value !== undefined) columns[name] = readInstant(value, `/${name}`, faults) ?? null;
  }
  for (const subject of ['LocationTag', 'TaskTag'] as const) {
    const key = await readSubjectTag(unit, subject, body, faults);
    if (key !== undefined) columns[`${subject}Key`] = key;
  }
  const { StartDate: start, EndDate: end } = { ...current, ...columns };
  if (typeof start === 'string' && typeof end === 'string' && start > end) {
    const pointer = body.EndDate === undefined ? '/StartDate' : '/EndDate';
    faults.push({ pointer, detail: `StartDate ${start} is after EndDate ${end}` });
  }
  const tags = await readTags(unit, body.PayModifierTags, faults);
  requireNoFaults(faults);
  return { columns, tags };
}

/** A location's or task's tag, which category and name give together; null clears it, undefined leaves it. */
async function readSubjectTag(
  unit: Unit,
  subject: 'LocationTag' | 'TaskTag',
  body: Request,
  faults: Fault[],
): Promise<number | null | undefined> {
  const category = body[`${subject}Category`];
  const name = body[`${subject}Name`];
  if (category === undefined && name === undefined) return undefined;
  if (category === null && name === null) return null;
  const pointers = [`/${subject}Category`, `/${subject}Name`] as const;
  if (typeof category !== 'string' || typeof name !== 'string') {
    const pointer = typeof category === 'string' ? pointers[1] : pointers[0];
    faults.push({ pointer, detail: `goes with ${subject}Category and ${subject}Name together, or both null` });
    return undefined;
  }
  return (await findTag(unit, { category, name, pointers }, faults))?.TagKey;
}

async function readTags(
  unit: Unit,
  references: Request['PayModifierTags'],
  faults: Fault[],
): Promise<ReadonlyMap<number, Row<'tags'>> | undefined> {
  if (references === undefined) return undefined;
  const tags = new Map<number, Row<'tags'>>();
  for (const [i, { CategoryKey, TagKey }] of references.entries()) {
    const reference = { tagKey: TagKey, categoryKey: CategoryKey, pointer: `/PayModifierTags/${i}/TagKey` };
    const tag = await findTag(unit, reference, faults);
    if (tag !== undefined) tags.set(TagKey, tag);
  }
  return tags;
}

async function replaceTags(
  { trx }: Unit,
  PayModifierRow: number,
  tags: ReadonlyMap<number, Row<'tags'>> | undefined,
): Promise<void> {
  if (tags === undefined) return;
  await trx.deleteFrom('pay_modifier_tags').where('PayModifierRow', '=', PayModifierRow).execute();
  for (const { CategoryKey, TagKey } of tags.values()) {
    await trx.insertInto('pay_modifier_tags').values({ PayModifierRow, CategoryKey, TagKey }).execute();
  }
}
