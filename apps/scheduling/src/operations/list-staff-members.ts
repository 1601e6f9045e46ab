import { Readable } from 'node:stream';
import type { BoundSelect } from '@rostergate/odata';
import type { RawReply, ReplyHeaders } from '@rostergate/server';
import type { StaffHandlers } from '@rostergate/staff-server';
import type { Account } from '../accounts/account-store.ts';
import { navigations } from '../entity-model.ts';
import { parseStaffQuery, type StaffQuery } from '../staff-query.ts';
import type { Scope } from '../store/scope.ts';
import type { StaffChangesList, StaffList } from '../store/staff-reads.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { createCsvWriter } from './csv-writer.ts';
import { createDeltaToken, parseDeltaToken } from './delta-token.ts';
import { chooseListForm } from './list-form.ts';
import { staffMembersSet } from './metadata.ts';
import { type Preferences, parsePreferences } from './preferences.ts';
import { queryTextOf, requireOwnCompany, scopeOf } from './request-scope.ts';
import { createLink, createSkipToken, digestQuery, invalidToken, parseSkipToken } from './skip-token.ts';

const envelopeType = 'application/json;odata.metadata=minimal';
type Text = string | Uint8Array;
const vary = { Vary: 'Accept, Prefer' };

/** Handles `GET /staffmember`: a bare array, or another form on request. Long lists are streamed in slices. */
export function createListStaffMembers(
  store: Pick<StaffStore, 'listStaff' | 'listChanges'>,
  clock: () => number,
): StaffHandlers<Account>['listStaffMembers'] {
  return async ({ query }, context) => {
    const { req, signal } = context;
    const scope = scopeOf(context);
    requireOwnCompany(query.companyKey, scope);
    const { includes, sinceModifiedTimestamp, $skiptoken: token, $deltatoken: deltaToken } = query;
    const queryText = queryTextOf(req);
    const staffQuery = parseStaffQuery(queryText, { includes, sinceModifiedTimestamp, clock });
    const form = chooseListForm(req.headers.accept);
    if (deltaToken !== undefined) {
      if (token !== undefined) throw invalidToken('$deltatoken', 'excludes $skiptoken');
      if (form === 'csv' || form === 'ndjson') throw invalidToken('$deltatoken', 'has no form as CSV or NDJSON');
      return listChanges(
        { queryText, query: staffQuery, scope, token: deltaToken, preferred: parsePreferences(req.headers.prefer) },
        signal,
      );
    }
    if (form === 'csv' || form === 'ndjson') {
      const rowsQuery = uncounted(staffQuery);
      const { choice } = choosePage({ queryText, query: rowsQuery, scope, token, preferred: {} });
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
    const preferred = parsePreferences(req.headers.prefer);
    const page = choosePage({ queryText, query: staffQuery, scope, token, preferred });
    const list = await store.listStaff(scope, page.query, { ...page.choice, signal });
    const headers = {
      ...envelopeHeaders,
      ...applied(preferred.pageSize, page.isTracked ? preferred.tracking : undefined),
    };
    const text = envelopeOf(createListContext(page.query), list.slices(), {
      count: list.count,
      ...page.linksAfter(list),
    });
    return reply(text, envelopeType, list.size, headers);
  };

  async function listChanges({ queryText, query, scope, token, preferred }: ChangesRequest, signal: AbortSignal) {
    const digest = digestQuery(queryText, scope);
    const start = parseDeltaToken(token, digest);
    const pageSize = preferred.pageSize ?? start.pageSize;
    const tracked = withKeys(query);
    const top = Math.min(pageSize ?? changesMax, changesMax);
    const list = await store.listChanges(scope, tracked, { after: start.after, until: start.until, top, signal });
    const { next, until } = list;
    const position = next === undefined ? { after: { stamp: until } } : { after: next, until };
    const link = createLink(queryText, '$deltatoken', createDeltaToken({ ...position, pageSize }, digest));
    const links = next === undefined ? { deltaLink: link } : { nextLink: link };
    const text = envelopeOf(`${createListContext(tracked)}/$delta`, changesOf(list), links);
    return reply(text, envelopeType, list.size, { ...envelopeHeaders, ...applied(preferred.pageSize) });
  }
}

const envelopeHeaders = { ...vary, 'OData-Version': '4.01' };

/** Changes per page: at most this many, also when the client prefers larger pages. */
const changesMax = 1_000;

/** Returns the header that lists the applied preferences (RFC 7240 §3). */
function applied(pageSize: number | undefined, tracking?: string): ReplyHeaders {
  const preferences = [...(pageSize === undefined ? [] : [`maxpagesize=${pageSize}`]), ...(tracking ? [tracking] : [])];
  return preferences.length === 0 ? {} : { 'Preference-Applied': preferences.join(', ') };
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
  readonly preferred: Preferences;
}

interface ChangesRequest extends PageRequest {
  readonly token: string;
}

/** Returns which people a page contains, and how its links are built. */
function choosePage({ queryText, query, scope, token, preferred }: PageRequest) {
  const { skip = 0, top = Number.POSITIVE_INFINITY, orderby } = query.options;
  const isUntracked = preferred.tracking === undefined || !isTrackable(query);
  if (token === undefined && preferred.pageSize === undefined && isUntracked) {
    return { query, choice: {}, isTracked: false, linksAfter: () => ({}) };
  }
  const digest = digestQuery(queryText, scope);
  const start = token === undefined ? undefined : parseSkipToken(token, digest, orderby);
  // Only lists of changes and tracked lists have an upper bound.
  const isTracked = start === undefined ? !isUntracked : start.until !== undefined && isTrackable(query);
  const pageSize = preferred.pageSize ?? start?.pageSize ?? top;
  const left = top - (start?.delivered ?? 0);
  const size = Math.max(0, Math.min(pageSize, left));
  const isPage = Number.isFinite(size);
  const choice = {
    ...{ skip: start === undefined ? skip : 0, top: isPage ? size : undefined, isPage },
    ...{ after: start?.after, until: start?.until },
  };
  const linksAfter = ({ next, size, until = '' }: StaffList): Links => {
    if (next !== undefined && size < left) {
      const delivered = (start?.delivered ?? 0) + size;
      const place = { after: next, delivered, pageSize, until: until || undefined };
      return { nextLink: createLink(queryText, '$skiptoken', createSkipToken(place, digest)) };
    }
    if (!isTracked) return {};
    const begin = { after: { stamp: until }, pageSize: isPage ? pageSize : undefined };
    return { deltaLink: createLink(queryText, '$deltatoken', createDeltaToken(begin, digest)) };
  };
  return { query: isTracked ? { ...withKeys(query), modifiedSince: {} } : query, choice, isTracked, linksAfter };
}

/** Returns whether the changes of a list can be determined from the changes of people. */
function isTrackable({ options, modifiedSince, isTimeless }: StaffQuery): boolean {
  const { orderby, top, skip, count } = options;
  const isWhole = orderby.length === 0 && top === undefined && skip === undefined && !count;
  return isWhole && modifiedSince === undefined && isTimeless;
}

/** Returns the query with StaffKey among the selected properties: clients need it to find the person who changed. */
function withKeys(query: StaffQuery): StaffQuery {
  const { select, options } = query;
  if (select === undefined || select.some(({ property }) => property === 'StaffKey')) return query;
  const key = { property: 'StaffKey', select: undefined };
  return { ...query, select: [key, ...select], options: { ...options, select: [key, ...(options.select ?? [])] } };
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

interface Links {
  readonly nextLink?: string;
  readonly deltaLink?: string;
}

function envelopeOf(
  context: string,
  slices: AsyncIterable<Text>,
  { count, nextLink, deltaLink }: Links & { readonly count?: number | undefined },
): AsyncGenerator<Text> {
  const counted = count === undefined ? '' : `,"@odata.count":${count}`;
  const next = nextLink === undefined ? '' : `,"@odata.nextLink":${JSON.stringify(nextLink)}`;
  const delta = deltaLink === undefined ? '' : `,"@odata.deltaLink":${JSON.stringify(deltaLink)}`;
  return arrayOf(slices, `{"@odata.context":${JSON.stringify(context)}${counted},"value":[`, `]${next}${delta}}`);
}

/**
 * Yields the removed people, then the changed ones, who may have the StaffId of a removed one (OData JSON format 4.01,
 * section 15.3). Nothing is sent before the first people are read.
 */
async function* changesOf({ slices, removed }: StaffChangesList): AsyncGenerator<Text> {
  let left = removed
    .map(({ staffKey, reason }) => `,${JSON.stringify({ '@removed': { reason }, StaffKey: staffKey })}`)
    .join('');
  for await (const slice of slices()) {
    yield left;
    left = '';
    yield slice;
  }
  yield left;
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
