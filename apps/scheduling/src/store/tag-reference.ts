import type { Fault } from '@rostergate/runtime/problem';
import type { Row } from './tables.ts';
import type { Unit } from './unit-of-work.ts';

/** A tag as a request names it, with where each part stands in the body. */
export type TagReference =
  | { readonly category: string; readonly name: string; readonly pointers: readonly [category: string, name: string] }
  | { readonly tagKey: number; readonly categoryKey?: number | undefined; readonly pointer: string };

/** A tag of the company; undefined, with a fault that says which part is unknown, where it has none such. */
export async function findTag(
  { trx, scope }: Unit,
  reference: TagReference,
  faults: Fault[],
): Promise<Row<'tags'> | undefined> {
  const tags = trx
    .selectFrom('tags')
    .innerJoin('tag_categories', 'tag_categories.CategoryKey', 'tags.CategoryKey')
    .where('tag_categories.CompanyKey', '=', scope.companyKey)
    .select(['tags.TagKey', 'tags.CategoryKey', 'tags.Name']);
  if ('tagKey' in reference) {
    const { tagKey, categoryKey, pointer } = reference;
    const tag = await tags.where('tags.TagKey', '=', tagKey).executeTakeFirst();
    if (tag === undefined) faults.push({ pointer, detail: `names no tag of the company: ${tagKey}` });
    else if (categoryKey !== undefined && tag.CategoryKey !== categoryKey) {
      faults.push({ pointer, detail: `names a tag that is not in the category ${categoryKey}` });
    } else return tag;
    return undefined;
  }
  const { category, name, pointers } = reference;
  const tag = await tags.where('tag_categories.Name', '=', category).where('tags.Name', '=', name).executeTakeFirst();
  if (tag !== undefined) return tag;
  const known = await trx
    .selectFrom('tag_categories')
    .select('CategoryKey')
    .where('CompanyKey', '=', scope.companyKey)
    .where('Name', '=', category)
    .executeTakeFirst();
  faults.push(
    known === undefined
      ? { pointer: pointers[0], detail: 'names no category of tags of the company' }
      : { pointer: pointers[1], detail: `names no tag of the category ${JSON.stringify(category)}` },
  );
  return undefined;
}
