import type { StaffHandlers } from '@rostergate/staff-server';
import type { Account } from '../accounts/account-store.ts';
import { parseStaffQuery, type StaffQuery } from '../staff-query.ts';
import type { StaffChangesList, StaffList } from '../store/staff-reads.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { createCsvWriter } from './csv-writer.ts';
import { createDeltaToken, parseDeltaToken } from './delta-token.ts';
import { createListContext } from './list-context.ts';
import { chooseListForm } from './list-form.ts';
import { arrayOf, envelopeOf, envelopeType, reply, type Text, textOf } from './list-reply.ts';
import { applied, parsePreferences } from './preferences.ts';
import { queryTextOf, requireOwnCompany, scopeOf } from './request-scope.ts';
import { createLink, digestQuery, invalidToken } from './skip-token.ts';
import { choosePage, type PageRequest, withKeys } from './staff-page.ts';

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

const rowTypes = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' };

/** CSV and NDJSON have no place for the count. */
function uncounted(query: StaffQuery): StaffQuery {
  return query.options.count ? { ...query, options: { ...query.options, count: false } } : query;
}

interface ChangesRequest extends PageRequest {
  readonly token: string;
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

/** Yields a header and the people as CSV. The header is sent with the first people, for the same reason. */
async function* csvOf(query: StaffQuery, list: StaffList): AsyncGenerator<Text> {
  const { header, rowsOf } = createCsvWriter(query);
  let isFirst = true;
  for await (const slice of list.slices()) {
    if (slice.length === 0) continue;
    const rows = rowsOf(textOf(slice));
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
