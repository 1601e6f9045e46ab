import { Readable } from 'node:stream';
import type { BoundSelect } from '@rostergate/odata';
import type { RawReply, ReplyHeaders } from '@rostergate/server';
import type { StaffHandlers } from '@rostergate/staff-server';
import type { Account } from '../accounts/account-store.ts';
import { navigations } from '../entity-model.ts';
import { parseStaffQuery, type StaffQuery } from '../staff-query.ts';
import type { Scope } from '../store/scope.ts';
import type { StaffList } from '../store/staff-reads.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { createCsvWriter } from './csv-writer.ts';
import { chooseListForm } from './list-form.ts';
import { staffMembersSet } from './metadata.ts';
import { queryTextOf, requireOwnCompany, scopeOf } from './request-scope.ts';
import { createNextLink, createSkipToken, digestQuery, parseSkipToken } from './skip-token.ts';

const envelopeType = 'application/json;odata.metadata=minimal';
type Text = string | Uint8Array;
const vary = { Vary: 'Accept, Prefer' };

/** Handles `GET /staffmember`: a bare array, or another form on request. Long lists are streamed in slices. */
export function createListStaffMembers(
  store: Pick<StaffStore, 'listStaff'>,
  clock: () => number,
): StaffHandlers<Account>['listStaffMembers'] {
  return async ({ query }, context) => {
    const { req, signal } = context;
    const scope = scopeOf(context);
    requireOwnCompany(query.companyKey, scope);
    const { includes, sinceModifiedTimestamp, $skiptoken: token } = query;
    const queryText = queryTextOf(req);
    const staffQuery = parseStaffQuery(queryText, { includes, sinceModifiedTimestamp, clock });
    const form = chooseListForm(req.headers.accept);
    if (form === 'csv' || form === 'ndjson') {
      const rowsQuery = uncounted(staffQuery);
      const { choice } = choosePage({ queryText, query: rowsQuery, scope, token, preferred: undefined });
      const lead = form === 'csv' ? ',' : '\n';
      const list = await store.listStaff(scope, rowsQuery, { ...choice, lead, signal });
      const rows = form === 'csv' ? csvOf(rowsQuery, list) : linesOf(list.slices());
      return reply(rows, rowTypes[form], list.size, vary);
    }
    // The link to the next page comes from an envelope, so its response is one too.
    if (form === 'array' && !staffQuery.options.count && token === undefined) {
      const list = await store.listStaff(scope, staffQuery, { signal });
      return reply(arrayOf(list.slices()), 'application/json', list.size, vary);
    }
    const preferred = parsePagePreference(req.headers.prefer);
    const page = choosePage({ queryText, query: staffQuery, scope, token, preferred });
    const list = await store.listStaff(scope, staffQuery, { ...page.choice, signal });
    const headers = {
      ...vary,
      'OData-Version': '4.01',
      ...(preferred !== undefined && { 'Preference-Applied': `maxpagesize=${preferred}` }),
    };
    return reply(envelopeOf(staffQuery, list, page.linkAfter(list)), envelopeType, list.size, headers);
  };
}

const rowTypes = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' };

/** CSV and NDJSON have no place for the count. */
function uncounted(query: StaffQuery): StaffQuery {
  return query.options.count ? { ...query, options: { ...query.options, count: false } } : query;
}

interface PageRequest {
  readonly queryText: string;
  readonly query: StaffQuery;
  readonly scope: Scope;
  readonly token: string | undefined;
  readonly preferred: number | undefined;
}

/** Returns which people a page contains, and how its `@odata.nextLink` is built. */
function choosePage({ queryText, query, scope, token, preferred }: PageRequest) {
  const { skip = 0, top = Number.POSITIVE_INFINITY, orderby } = query.options;
  if (token === undefined && preferred === undefined) return { choice: {}, linkAfter: () => undefined };
  const digest = digestQuery(queryText, scope);
  const start = token === undefined ? undefined : parseSkipToken(token, digest, orderby);
  const pageSize = preferred ?? start?.pageSize ?? top;
  const left = top - (start?.delivered ?? 0);
  const choice = {
    ...{ skip: start === undefined ? skip : 0, top: Math.max(0, Math.min(pageSize, left)) },
    ...{ after: start?.after, until: start?.until, isPage: true },
  };
  const linkAfter = ({ next, size, until }: StaffList): string | undefined => {
    if (next === undefined || size >= left) return undefined;
    const delivered = (start?.delivered ?? 0) + size;
    return createNextLink(queryText, createSkipToken({ after: next, delivered, pageSize, until }, digest));
  };
  return { choice, linkAfter };
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
  return `$metadata#${staffMembersSet}${items.length === 0 ? '' : `(${items.join(',')})`}`;
}

function toText({ property, select }: BoundSelect): string {
  return select === undefined ? property : select.map((one) => `${property}/${toText(one)}`).join(',');
}

function envelopeOf(query: StaffQuery, list: StaffList, nextLink: string | undefined): AsyncGenerator<Text> {
  const context = JSON.stringify(createListContext(query));
  const count = list.count === undefined ? '' : `,"@odata.count":${list.count}`;
  const next = nextLink === undefined ? '' : `,"@odata.nextLink":${JSON.stringify(nextLink)}`;
  return arrayOf(list.slices(), `{"@odata.context":${context}${count},"value":[`, `]${next}}`);
}

/** Yields the array. Nothing is sent before the first people are read, so that an error can still become a Problem. */
async function* arrayOf(slices: AsyncIterable<Text>, open = '[', close = ']'): AsyncGenerator<Text> {
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

/** Yields a header and the people as CSV. The header is sent with the first people, for the same reason. */
async function* csvOf(query: StaffQuery, list: StaffList): AsyncGenerator<Text> {
  const { header, rowsOf } = createCsvWriter(query);
  let isFirst = true;
  for await (const slice of list.slices()) {
    if (slice.length === 0) continue;
    const rows = rowsOf(textOf(slice));
    if (typeof slice !== 'string') freeBytes(slice);
    yield isFirst ? header + rows : rows;
    isFirst = false;
  }
  if (isFirst) yield header;
}

/** Yields a line for each person. Each slice begins with a line end. */
async function* linesOf(slices: AsyncIterable<Text>): AsyncGenerator<Text> {
  let isFirst = true;
  for await (const slice of slices) {
    if (slice.length === 0) continue;
    if (!isFirst) yield slice;
    else yield typeof slice === 'string' ? slice.slice(1) : slice.subarray(1);
    isFirst = false;
  }
  if (!isFirst) yield '\n';
}

function textOf(slice: Text): string {
  if (typeof slice === 'string') return slice;
  return Buffer.from(slice.buffer, slice.byteOffset, slice.byteLength).toString('utf8');
}

/** Lists up to this length are sent as one buffer: a stream would cost more. */
const bufferedMax = 128;

async function reply(
  texts: AsyncGenerator<Text>,
  contentType: string,
  size: number,
  headers: ReplyHeaders,
): Promise<RawReply> {
  if (size > bufferedMax) {
    const { value: first = '' } = await texts.next();
    const stream = Readable.from(prepend(first, texts), { objectMode: false });
    return { status: 200, raw: Object.assign(stream, { release: freeBytes }), contentType, headers };
  }
  const parts: Uint8Array[] = [];
  for await (const text of texts) parts.push(typeof text === 'string' ? Buffer.from(text) : text);
  return { status: 200, raw: Buffer.concat(parts), contentType, headers };
}

/**
 * Frees the memory of a slice at once. Left to the garbage collector, lists of whole companies trigger it so often that
 * it costs half as much time as the database.
 */
function freeBytes({ buffer, byteLength }: Uint8Array): void {
  // A much larger buffer is shared with other slices.
  if (buffer instanceof ArrayBuffer && buffer.byteLength - byteLength <= 1) buffer.transfer(0);
}

async function* prepend(first: Text, others: AsyncGenerator<Text>): AsyncGenerator<Text> {
  yield first;
  yield* others;
}
