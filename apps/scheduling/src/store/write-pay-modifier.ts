import type { Fault } from '@rostergate/server/problem';
import type { Schemas } from '../entity-model.ts';
import { checkDateOrder, differingNames, readInstant, requireNoFaults } from './body-checks.ts';
import type { VersionedJson } from './person-version.ts';
import type { WriteScope } from './scope.ts';
import { payModifiers } from './shapes.ts';
import { notFound } from './staff-reads.ts';
import type { Row } from './tables.ts';
import { findTag, findTags } from './tag-reference.ts';
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

type PayModifierColumns = Omit<Row<'pay_modifiers'>, 'PayModifierRow' | 'PayModifierKey' | 'StaffRow'>;

interface PayModifierChanges {
  readonly columns: Partial<PayModifierColumns>;
  /** The new tags of the modifier, in place of all others; undefined: unchanged. */
  readonly tags: readonly PayModifierTag[] | undefined;
}

type PayModifierTag = Pick<Row<'pay_modifier_tags'>, 'CategoryKey' | 'TagKey'>;

/**
 * Returns the columns and tags that a request changes. The rules apply to the outcome.
 * @throws Problem 400 `validation_failed` with every fault
 */
async function readPayModifierChanges(
  unit: Unit,
  body: Request,
  current: Row<'pay_modifiers'> | undefined,
): Promise<PayModifierChanges> {
  const { flag } = unit;
  const faults: Fault[] = [];
  const columns: Partial<PayModifierColumns> = {
    ...(body.PositionId !== undefined && { PositionId: body.PositionId }),
    ...(body.IsPrimaryPosition !== undefined && { IsPrimaryPosition: flag(body.IsPrimaryPosition) }),
    ...(body.IsHistoricAccessLocked !== undefined && { IsHistoricAccessLocked: flag(body.IsHistoricAccessLocked) }),
  };
  for (const subject of ['LocationTag', 'TaskTag'] as const) {
    const key = await readSubjectTag(unit, subject, body, faults);
    if (key !== undefined) columns[`${subject}Key`] = key;
  }
  // The order of a date that is not in the calendar means nothing.
  const outcome: Record<string, unknown> = { ...current };
  for (const name of ['StartDate', 'EndDate'] as const) {
    const value = body[name];
    if (value === undefined) continue;
    const stored = value === null ? null : readInstant(value, `/${name}`, faults);
    outcome[name] = stored;
    if (stored !== undefined) columns[name] = stored;
  }
  checkDateOrder({ sent: body, current, outcome }, ['StartDate', 'EndDate'], faults);
  const tags = await readTags(unit, body.PayModifierTags, faults);
  requireNoFaults(faults);
  return { columns, tags };
}

/**
 * Returns the tag key of a location or task, named by category and name together; null clears it, undefined keeps it.
 */
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
  const pointers = { key: '', category: `/${subject}Category`, name: `/${subject}Name` };
  if (typeof category !== 'string' || typeof name !== 'string') {
    const pointer = typeof category === 'string' ? pointers.name : pointers.category;
    const both = `${subject}Category and ${subject}Name`;
    faults.push({ pointer, detail: `is missing: send ${both} together, or both as null for no tag` });
    return undefined;
  }
  return (await findTag(unit, { category, name, pointers }, faults))?.TagKey;
}

async function readTags(
  unit: Unit,
  references: Request['PayModifierTags'],
  faults: Fault[],
): Promise<PayModifierTag[] | undefined> {
  if (references === undefined) return undefined;
  const found = await findTags(
    unit,
    references.map((reference) => reference.TagKey),
  );
  const firsts = new Map<number, number>();
  for (const [i, { CategoryKey, TagKey }] of references.entries()) {
    const pointer = `/PayModifierTags/${i}`;
    const tag = found.get(TagKey);
    if (tag === undefined) {
      faults.push({ pointer: `${pointer}/TagKey`, detail: `is not the key of a tag of the company: ${TagKey}` });
      continue;
    }
    const first = firsts.get(TagKey);
    if (tag.CategoryKey !== CategoryKey) {
      const detail = `is not the category of the tag ${TagKey}, which is ${tag.CategoryKey}`;
      faults.push({ pointer: `${pointer}/CategoryKey`, detail });
    } else if (first !== undefined) {
      faults.push({ pointer, detail: `repeats /PayModifierTags/${first}: send each tag once` });
    }
    if (first === undefined) firsts.set(TagKey, i);
  }
  return references.map(({ CategoryKey, TagKey }) => ({ CategoryKey, TagKey }));
}
