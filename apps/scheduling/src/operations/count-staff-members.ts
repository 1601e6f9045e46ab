import type { AnyHandler, Context } from '@rostergate/server';
import type { Account } from '../accounts/account-store.ts';
import { parseStaffQuery } from '../staff-query.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { queryTextOf, requireOwnCompany, scopeOf } from './request-scope.ts';

interface CountRequest {
  readonly query: { readonly companyKey: string; readonly sinceModifiedTimestamp?: string };
}

/** Handles `GET /staffmember/$count`: the number of people who match, without reading them. */
export function createCountStaffMembers(store: Pick<StaffStore, 'listStaff'>, clock: () => number): AnyHandler {
  return async ({ query }: CountRequest, context: Context<Account>) => {
    const { req, signal } = context;
    const scope = scopeOf(context);
    requireOwnCompany(query.companyKey, scope);
    const { sinceModifiedTimestamp } = query;
    const staffQuery = parseStaffQuery(queryTextOf(req), { sinceModifiedTimestamp, clock });
    const counted = { ...staffQuery, options: { ...staffQuery.options, count: true } };
    const { count } = await store.listStaff(scope, counted, { top: 0, signal });
    return { status: 200, raw: String(count), contentType: 'text/plain', headers: { 'OData-Version': '4.01' } };
  };
}
