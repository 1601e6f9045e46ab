import type { Schemas } from '../entity-model.ts';
import { differingNames } from './body-checks.ts';
import { type PayModifierColumns, type PayModifierTag, readPayModifierChanges } from './pay-modifier-request.ts';
import type { VersionedJson } from './person-version.ts';
import type { WriteScope } from './scope.ts';
import { payModifiers } from './shapes.ts';
import { notFound } from './staff-reads.ts';
import type { Row } from './tables.ts';
import { touchStaff, type Unit, type WriteDeps, writeOnPart, writeOnStaff } from './unit-of-work.ts';

type Request = Schemas['PayModifierRequest'];

export function createPayModifier(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  body: Request,
): Promise<VersionedJson> {
  return writeOnStaff(deps, scope, staffKey, async (unit, { StaffRow }) => {
    const { trx, flag } = unit;
    const { columns, tags = [] } = await readPayModifierChanges(unit, body, undefined);
    const nothing: PayModifierColumns = {
      LocationTagKey: null,
      TaskTagKey: null,
      PositionId: null,
      StartDate: null,
      EndDate: null,
      IsPrimaryPosition: flag(false),
      IsHistoricAccessLocked: flag(false),
    };
    const PayModifierKey = deps.newKey();
    await trx
      .insertInto('pay_modifiers')
      .values({ ...nothing, ...columns, StaffRow, PayModifierKey })
      .execute();
    const { PayModifierRow } = await findModifier(unit, StaffRow, PayModifierKey);
    await addTags(unit, PayModifierRow, tags);
    await touchStaff(unit, StaffRow);
    const reply = () => deps.reads.readEntry(trx, StaffRow, payModifiers, 'PayModifierKey', PayModifierKey);
    const names = [...differingNames(nothing, columns), ...(tags.length > 0 ? [tagsName] : [])];
    return { changed: ['PayModifier', ...names.map(inModifier)], reply };
  });
}

/** Changes the properties that are sent; the rules apply to the outcome. */
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
    const { PayModifierRow } = modifier;
    const { columns, tags } = await readPayModifierChanges(unit, body, modifier);
    const names = differingNames(modifier, columns);
    if (names.length > 0) {
      await trx.updateTable('pay_modifiers').set(columns).where('PayModifierRow', '=', PayModifierRow).execute();
    }
    if (tags !== undefined && (await replaceTags(unit, PayModifierRow, tags))) names.push(tagsName);
    if (names.length > 0) await touchStaff(unit, StaffRow);
    const reply = () => deps.reads.readEntry(trx, StaffRow, payModifiers, 'PayModifierKey', payModifierKey);
    return { changed: names.map(inModifier), reply };
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
    return { changed: ['PayModifier'], reply: () => '{}' };
  });
}

const tagsName = 'PayModifierTagKeys';
const inModifier = (name: string): string => `PayModifier.${name}`;

async function findModifier({ trx }: Unit, staffRow: number, key: string): Promise<Row<'pay_modifiers'>> {
  const found = await trx
    .selectFrom('pay_modifiers')
    .selectAll()
    .where('StaffRow', '=', staffRow)
    .where('PayModifierKey', '=', key)
    .executeTakeFirst();
  return found ?? notFound('pay modifier of this person', key);
}

/** Replaces the tags, and returns whether they differ from the stored ones. */
async function replaceTags(unit: Unit, PayModifierRow: number, tags: readonly PayModifierTag[]): Promise<boolean> {
  const { trx } = unit;
  const current = await trx
    .selectFrom('pay_modifier_tags')
    .select('TagKey')
    .where('PayModifierRow', '=', PayModifierRow)
    .execute();
  const stored = new Set(current.map((tag) => tag.TagKey));
  if (stored.size === tags.length && tags.every((tag) => stored.has(tag.TagKey))) return false;
  await trx.deleteFrom('pay_modifier_tags').where('PayModifierRow', '=', PayModifierRow).execute();
  await addTags(unit, PayModifierRow, tags);
  return true;
}

async function addTags({ trx }: Unit, PayModifierRow: number, tags: readonly PayModifierTag[]): Promise<void> {
  for (const tag of tags) {
    await trx
      .insertInto('pay_modifier_tags')
      .values({ ...tag, PayModifierRow })
      .execute();
  }
}
