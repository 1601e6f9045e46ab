import type { BoundSelect } from '@rostergate/odata';
import { navigations } from '../entity-model.ts';
import type { StaffQuery } from '../staff-query.ts';
import type { StaffList } from '../store/staff-store.ts';

/**
 * Returns `@odata.context` of a list: the selected properties, if not all, and the expanded collections with
 * parentheses around their selected properties (OData protocol 4.01, sections 10.8 and 10.10).
 */
export function createListContext({ options, fills }: StaffQuery): string {
  // `includes` has the same effect as `$expand`.
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

/** Yields the array. Nothing is sent before the first people are read, so that an error can still become a Problem. */
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
