import type { Fault } from '@rostergate/server/problem';
import { didYouMean } from '@rostergate/server/problem';
import type { Row } from './tables.ts';
import type { Unit } from './unit-of-work.ts';

/** A tag that a request names, with the pointers of its parts in the body. */
export interface TagReference {
  readonly key?: number | undefined;
  readonly category?: string | undefined;
  readonly name?: string | undefined;
  readonly pointers: { readonly key: string; readonly category: string; readonly name: string };
}

export interface FoundTag extends Row<'tags'> {
  readonly category: string;
  readonly isTimeClock: boolean;
}

/** Larger keys are outside the column's range. */
const tagKeyMax = 2 ** 31 - 1;

/**
 * Returns a tag of the company, by key or by category and name; undefined, with a fault, when there is none. A category
 * or a name sent with a key must match the tag.
 */
export async function findTag(unit: Unit, reference: TagReference, faults: Fault[]): Promise<FoundTag | undefined> {
  const { key, category, name, pointers } = reference;
  if (key === undefined) return findByName(unit, category ?? '', name ?? '', pointers, faults);
  const tag = (await findTags(unit, [key])).get(key);
  if (tag === undefined) {
    faults.push({ pointer: pointers.key, detail: `is not the key of a tag of the company: ${key}` });
    return undefined;
  }
  const others = [
    [category, tag.category, pointers.category],
    [name, tag.Name, pointers.name],
  ] as const;
  const differing = others.filter(([sent, stored]) => sent !== undefined && sent !== stored);
  for (const [, stored, pointer] of differing) {
    faults.push({
      pointer,
      detail: `does not match the tag ${key}, which has ${JSON.stringify(stored)}: leave it out`,
    });
  }
  return differing.length === 0 ? tag : undefined;
}

/** Returns the tags of the company with these keys. */
export async function findTags(unit: Unit, keys: readonly number[]): Promise<ReadonlyMap<number, FoundTag>> {
  const found = new Map<number, FoundTag>();
  // Not as a set: numbers that the engine keeps in one place would take quadratic time.
  const known = keys
    .filter((key) => key > 0 && key <= tagKeyMax)
    .sort((a, b) => a - b)
    .filter((key, i, all) => key !== all[i - 1]);
  for (let at = 0; at < known.length; at += keysAtOnce) {
    const rows = await ofCompany(unit)
      .where('tags.TagKey', 'in', known.slice(at, at + keysAtOnce))
      .execute();
    for (const row of rows) found.set(row.TagKey, asFound(row));
  }
  return found;
}

/** Keys per statement: far below any limit on parameters. */
const keysAtOnce = 500;

async function findByName(
  unit: Unit,
  category: string,
  name: string,
  pointers: TagReference['pointers'],
  faults: Fault[],
): Promise<FoundTag | undefined> {
  const ofCategory = (await ofCompany(unit).where('tag_categories.Name', '=', category).execute()).map(asFound);
  const tag = ofCategory.find((one) => one.Name === name);
  if (tag !== undefined) return tag;
  const known = await unit.trx
    .selectFrom('tag_categories')
    .select('Name')
    .where('CompanyKey', '=', unit.scope.companyKey)
    .execute();
  const categories = known.map((one) => one.Name);
  faults.push(
    categories.includes(category)
      ? {
          pointer: pointers.name,
          detail: withHint(`is not a tag of the category ${JSON.stringify(category)}`, name, namesOf(ofCategory)),
        }
      : {
          pointer: pointers.category,
          detail: withHint('is not a tag category of the company', category, categories),
        },
  );
  return undefined;
}

function ofCompany({ trx, scope }: Unit) {
  return trx
    .selectFrom('tags')
    .innerJoin('tag_categories', 'tag_categories.CategoryKey', 'tags.CategoryKey')
    .where('tag_categories.CompanyKey', '=', scope.companyKey)
    .select(['tags.TagKey', 'tags.CategoryKey', 'tags.Name', 'tag_categories.Name as category', 'IsTimeClock']);
}

type Joined = Awaited<ReturnType<ReturnType<typeof ofCompany>['execute']>>[number];

const asFound = ({ IsTimeClock, ...tag }: Joined): FoundTag => ({ ...tag, isTimeClock: Boolean(IsTimeClock) });
const namesOf = (tags: readonly FoundTag[]): string[] => tags.map((tag) => tag.Name);

function withHint(detail: string, name: string, known: readonly string[]): string {
  const hint = didYouMean(name, known);
  return hint === '' ? detail : `${detail}.${hint}`;
}
