import type { BoundSelect } from '@rostergate/odata';
import { navigations } from '../entity-model.ts';
import type { StaffQuery } from '../staff-query.ts';
import type { StaffList } from '../store/staff-store.ts';

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

export function envelopeOf(query: StaffQuery, list: StaffList, nextLink: string | undefined): AsyncGenerator<Text> {
  const context = JSON.stringify(createListContext(query));
  const count = list.count === undefined ? '' : `,"@odata.count":${list.count}`;
  const next = nextLink === undefined ? '' : `,"@odata.nextLink":${JSON.stringify(nextLink)}`;
  return arrayOf(list.slices(), `{"@odata.context":${context}${count},"value":[`, `]${next}}`);
}

/** Nothing comes before the first people are there: until then a problem can be answered in their place. */
export async function* arrayOf(slices: AsyncIterable<Text>, open = '[', close = ']'): AsyncGenerator<Text> {
  let isFirst = true;
  for await (const slice of slices) {
    if (slice.length === 0) continue;
    if (isFirst) {
      yield open;
      yield typeof slice === 'string' ? slice.slice(1) : slice.subarray(1);
    } else yield slice;
    isFirst = false;
  }
  yield isFirst ? open + close : close;
}

export type Text = string | Uint8Array;
