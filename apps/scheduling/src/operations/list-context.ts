import type { BoundSelect } from '@rostergate/odata';
import { navigations } from '../entity-model.ts';
import type { StaffQuery } from '../staff-query.ts';

/**
 * What `@odata.context` says of a list: which properties its people have, if not all of them; what is expanded has
 * parentheses, with what is selected of it (OData protocol 4.01, sections 10.8 and 10.10).
 */
export function createListContext({ options, fills }: StaffQuery): string {
  // What `includes` names has the same effect.
  const expanded = navigations.filter((name) => fills.has(name));
  const items = (options.select ?? []).filter(({ property }) => !expanded.includes(property)).map(toText);
  for (const name of expanded) {
    const fill = fills.get(name);
    const select = fill === undefined || fill === true ? [] : (fill.select ?? []);
    items.push(`${name}(${select.map(toText).join(',')})`);
  }
  return `$metadata#StaffMembers${items.length === 0 ? '' : `(${items.join(',')})`}`;
}

function toText({ property, select }: BoundSelect): string {
  return select === undefined ? property : select.map((one) => `${property}/${toText(one)}`).join(',');
}
