import { fieldsOf } from './staff-filter.ts';
import type { NestedOptions, StaffExpand } from './staff-member.ts';

/** The options of a collection of any items. */
// biome-ignore lint/suspicious/noExplicitAny: the types of the items are in staff-member.ts.
type AnyOptions = { readonly [Name in keyof NestedOptions<unknown>]: any };

/** Returns the items of `$expand` (OData URL conventions 4.01, section 5.1.3). */
export function writeExpand(expand: StaffExpand): readonly string[] {
  if (isNames(expand)) return expand;
  return Object.entries(expand).flatMap(([name, options]) => (options ? name + writeOptions(options) : []));
}

function writeOptions(options: true | AnyOptions): string {
  if (options === true) return '';
  const { filter, select, orderby, top, skip } = options;
  const texts = Object.entries({ filter: filter?.(fieldsOf('')), select, orderby, top, skip }).flatMap(
    ([name, value]) =>
      // The text of an empty list is empty.
      `${value ?? ''}` ? `$${name}=${value}` : [],
  );
  return texts.length > 0 ? `(${texts.join(';')})` : '';
}

/** `Array.isArray` does not narrow a readonly array. */
function isNames(expand: StaffExpand): expand is Extract<StaffExpand, readonly unknown[]> {
  return Array.isArray(expand);
}
