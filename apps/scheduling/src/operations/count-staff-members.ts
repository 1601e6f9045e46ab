import type { AnyHandler, Context, RawReply } from '@rostergate/server';
import type { Account } from '../accounts/account-store.ts';
import type { ODataVersion } from '../odata-root/odata-version.ts';
import { parseStaffQuery, type StaffQuery } from '../staff-query.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { queryTextOf, requireOwnCompany, scopeOf } from './request-scope.ts';

interface CountRequest {
  readonly query: { readonly companyKey: string; readonly sinceModifiedTimestamp?: string };
}

type ListStore = Pick<StaffStore, 'listStaff'>;

/** Handles `GET /staffmember/$count`: the number of people who match. */
export function createCountStaffMembers(store: ListStore, clock: () => number): AnyHandler {
  return async ({ query }: CountRequest, context: Context<Account>) => {
    requireOwnCompany(query.companyKey, scopeOf(context));
    const { sinceModifiedTimestamp } = query;
    const staffQuery = parseStaffQuery(queryTextOf(context.req), { sinceModifiedTimestamp, clock });
    return replyCount(store, context, staffQuery);
  };
}

/** Counts the people who match, without reading them. */
export async function replyCount(
  store: ListStore,
  context: Context<Account>,
  query: StaffQuery,
  version: ODataVersion = '4.01',
): Promise<RawReply> {
  const counted = { ...query, options: { ...query.options, count: true } };
  const { count } = await store.listStaff(scopeOf(context), counted, { top: 0, signal: context.signal });
  return { status: 200, raw: String(count), contentType: 'text/plain', headers: { 'OData-Version': version } };
}
