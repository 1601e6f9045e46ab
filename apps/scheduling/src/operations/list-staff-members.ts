import { Readable } from 'node:stream';
import type { RawReply, ReplyHeaders } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import type { StaffHandlers } from '@rostergate/staff-server';
import type { Account } from '../accounts/account-store.ts';
import { parseStaffQuery, type StaffQuery } from '../staff-query.ts';
import type { Scope } from '../store/scope.ts';
import type { StaffList, StaffStore } from '../store/staff-store.ts';
import { arrayOf, envelopeOf, parsePagePreference, prefersEnvelope, type Text } from './list-format.ts';
import { queryTextOf, scopeOf } from './request-scope.ts';
import { createNextLink, createSkipToken, digestQuery, parseSkipToken } from './skip-token.ts';

const envelopeType = 'application/json;odata.metadata=minimal';
const vary = { Vary: 'Accept, Prefer' };

/** Handles `GET /staffmember`: a bare array, or the OData envelope on request. Long lists are streamed in slices. */
export function createListStaffMembers(
  store: Pick<StaffStore, 'listStaff'>,
  clock: () => number,
): StaffHandlers<Account>['listStaffMembers'] {
  return async ({ query }, context) => {
    const { req, signal } = context;
    const scope = scopeOf(context);
    if (query.companyKey !== scope.companyKey) {
      throw new Problem('company_forbidden', 'Send the companyKey of the company that your account belongs to.');
    }
    const { includes, sinceModifiedTimestamp, $skiptoken: token } = query;
    const queryText = queryTextOf(req);
    const staffQuery = parseStaffQuery(queryText, { includes, sinceModifiedTimestamp, clock });
    // The link to the next page comes from an envelope, so its response is one too.
    if (!prefersEnvelope(req.headers.accept) && !staffQuery.options.count && token === undefined) {
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
