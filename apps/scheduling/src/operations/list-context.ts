import type { BoundSelect } from '@rostergate/odata';
import type { StaffQuery } from '../staff-query.ts';

/**
 * What `@odata.context` says of a list: which properties its people have, if not all of them; what is expanded has
 * parentheses, with what is selected of it (OData protocol 4.01, sections 10.8 and 10.10).
 */
export function createListContext({ options }: StaffQuery): string {
  const expanded = new Map(options.expand.map(({ property, query }) => [property, query]));
  const items = (options.select ?? []).filter(({ property }) => !expanded.has(property)).map(toText);
  for (const [property, { select = [] }] of expanded) items.push(`${property}(${select.map(toText).join(',')})`);
  return `$metadata#StaffMembers${items.length === 0 ? '' : `(${items.join(',')})`}`;
}

function toText({ property, select }: BoundSelect): string {
  return select === undefined ? property : select.map((one) => `${property}/${toText(one)}`).join(',');
}
