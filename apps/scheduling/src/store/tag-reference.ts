import { didYouMean } from '@rostergate/runtime/config';
import type { Fault } from '@rostergate/runtime/problem';
import type { Row } from './tables.ts';
import type { Unit } from './unit-of-work.ts';

/** A tag as a request names it, with where each part stands in the body. */
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

/** A key that the database would not take as one of its own. */
const tagKeyMax = 2 ** 31 - 1;

/**
 * A tag of the company, by its key or else by category and name; undefined, with a fault that says which part is wrong,
 * where it has none such. A category or a name beside a key must be that of the tag.
 */
export async function findTag(unit: Unit, reference: TagReference, faults: Fault[]): Promise<FoundTag | undefined> {
  const { key, category, name, pointers } = reference;
  if (key === undefined) return findByName(unit, category ?? '', name ?? '', pointers, faults);
  const tag = (await findTags(unit, [key])).get(key);
  if (tag === undefined) {
    faults.push({ pointer: pointers.key, detail: `names no tag of the company: ${key}` });
    return undefined;
  }
  const others = [
    [category, tag.category, pointers.category],
    [name, tag.Name, pointers.name],
  ] as const;
  const differing = others.filter(([sent, kept]) => sent !== undefined && sent !== kept);
  for (const [, kept, pointer] of differing) {
    faults.push({ pointer, detail: `is not that of the tag ${key}, which is ${JSON.stringify(kept)}: leave it out` });
  }
  return differing.length === 0 ? tag : undefined;
}

/** The tags of the company among these keys. */
export async function findTags(unit: Unit, keys: readonly number[]): Promise<ReadonlyMap<number, FoundTag>> {
  const found = new Map<number, FoundTag>();
  const known = [...new Set(keys)].filter((key) => key > 0 && key <= tagKeyMax);
  for (let at = 0; at < known.length; at += keysAtOnce) {
    const rows = await ofCompany(unit)
      .where('tags.TagKey', 'in', known.slice(at, at + keysAtOnce))
      .execute();
    for (const row of rows) found.set(row.TagKey, asFound(row));
  }
  return found;
}

/** Keys a statement: far below any bound on parameters. */
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
          detail: withHint(`names no tag of the category ${JSON.stringify(category)}`, name, namesOf(ofCategory)),
        }
      : {
          pointer: pointers.category,
          detail: withHint('names no category of tags of the company', category, categories),
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
