import type { Fault } from '@rostergate/server/problem';
import type { Schemas } from '../entity-model.ts';
import { checkDateOrder, readInstant, requireNoFaults } from './body-checks.ts';
import type { Row } from './tables.ts';
import { findTag, findTags } from './tag-reference.ts';
import type { Unit } from './unit-of-work.ts';

type Request = Schemas['PayModifierRequest'];
export type PayModifierColumns = Omit<Row<'pay_modifiers'>, 'PayModifierRow' | 'PayModifierKey' | 'StaffRow'>;

export interface PayModifierChanges {
  readonly columns: Partial<PayModifierColumns>;
  /** The new tags of the modifier, in place of all others; undefined: unchanged. */
  readonly tags: readonly PayModifierTag[] | undefined;
}

export type PayModifierTag = Pick<Row<'pay_modifier_tags'>, 'CategoryKey' | 'TagKey'>;

/**
 * Returns the columns and tags that a request changes. The rules apply to the outcome.
 * @throws Problem 400 `validation_failed` with every fault
 */
export async function readPayModifierChanges(
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
    const first = firsts.get(TagKey);
    if (tag === undefined) {
      faults.push({ pointer: `${pointer}/TagKey`, detail: `is not the key of a tag of the company: ${TagKey}` });
    } else if (tag.CategoryKey !== CategoryKey) {
      const detail = `is not the category of the tag ${TagKey}, which is ${tag.CategoryKey}`;
      faults.push({ pointer: `${pointer}/CategoryKey`, detail });
    } else if (first !== undefined) {
      faults.push({ pointer, detail: `repeats /PayModifierTags/${first}: send each tag once` });
    }
    if (first === undefined) firsts.set(TagKey, i);
  }
  return references.map(({ CategoryKey, TagKey }) => ({ CategoryKey, TagKey }));
}
