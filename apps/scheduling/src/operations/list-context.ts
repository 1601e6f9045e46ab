import type { BoundSelect } from '@rostergate/odata';
import { navigations } from '../entity-model.ts';
import type { ODataVersion } from '../odata-root/odata-version.ts';
import type { StaffQuery } from '../staff-query.ts';
import { staffMembersSet } from './metadata.ts';

/**
 * Returns `@odata.context` of a list: the selected properties, if not all, and the expanded collections with
 * parentheses around their selected properties (OData protocol 4.01, sections 10.8 and 10.10). Version 4.0 names an
 * expanded collection only with a selection of its own.
 */
export function createListContext({ options, fills }: StaffQuery, version: ODataVersion = '4.01'): string {
  // `includes` has the same effect as `$expand`.
  const expanded = navigations.filter((name) => fills.has(name));
  const items = (options.select ?? []).filter(({ property }) => !expanded.includes(property)).map(toText);
  for (const name of expanded) {
    const fill = fills.get(name);
    const select = fill === undefined || fill === true ? [] : (fill.select ?? []);
    if (select.length > 0 || version !== '4.0') items.push(`${name}(${select.map(toText).join(',')})`);
  }
  return `$metadata#${staffMembersSet}${items.length === 0 ? '' : `(${items.join(',')})`}`;
}

function toText({ property, select }: BoundSelect): string {
  return select === undefined ? property : select.map((one) => `${property}/${toText(one)}`).join(',');
}
