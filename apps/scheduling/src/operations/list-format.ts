import type { BoundSelect } from '@rostergate/odata';
import { navigations } from '../entity-model.ts';
import type { StaffQuery } from '../staff-query.ts';
import type { StaffList } from '../store/staff-store.ts';

/**
 * Returns whether Accept names the OData envelope and does not prefer the bare array (RFC 9110 §12.5.1). For wildcards
 * the server chooses the array.
 */
export function prefersEnvelope(accept = ''): boolean {
  if (!/odata\.metadata/i.test(accept)) return false;
  let envelope = 0;
  let array = 0;
  for (const range of accept.toLowerCase().match(mediaRange) ?? []) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim());
    if (type !== 'application/json') continue;
    const format = parameters.find((one) => one.startsWith('odata.metadata='));
    const weight = weightOf(parameters);
    if (format === undefined) array = Math.max(array, weight);
    else if (minimal.has(format)) envelope = Math.max(envelope, weight);
  }
  return envelope > 0 && envelope >= array;
}

/** A comma within quotes is part of a parameter. */
const mediaRange = /(?:[^,"]|"[^"]*")+/g;
const minimal: ReadonlySet<string> = new Set(['odata.metadata=minimal', 'odata.metadata="minimal"']);

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
  return weight !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 1;
}

/** One preference: a name with a value, and parameters, which are ignored (RFC 7240 §2). */
const preference =
  /[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:=[ \t]*([^\s",;]+|"(?:[^"\\]|\\.)*"))?((?:[^",]|"(?:[^"\\]|\\.)*")*)(?:,|$)/y;

/**
 * Returns the preferred page size: `maxpagesize`, with or without `odata.` (OData protocol 4.01, section 8.2.8.5). The
 * first one counts (RFC 7240 §2); an invalid number is ignored.
 */
export function parsePagePreference(header: string | readonly string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const text = typeof header === 'string' ? header : header.join(',');
  preference.lastIndex = 0;
  while (preference.lastIndex < text.length) {
    const found = preference.exec(text);
    if (found === null) return undefined;
    const [, name = '', value = ''] = found;
    if (!/^(odata\.)?maxpagesize$/i.test(name)) continue;
    const digits = value.startsWith('"') ? value.slice(1, -1) : value;
    return /^0*[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined;
  }
  return undefined;
}

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
