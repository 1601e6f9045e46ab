import type { Context } from '@rostergate/runtime/contract';
import type { Account } from '../accounts/account.ts';
import type { Scope, WriteScope } from '../store/staff-store.ts';
import { parseEntityTags, strongTags } from './entity-tags.ts';

/** Whose data a request may see. The contract secures every operation that asks, so there is an account. */
export function scopeOf({ principal }: Context<Account>): Scope {
  return principal as Account;
}

/** The same for a write, with what the audit keeps of it and the versions that If-Match allows. */
export function writeScopeOf({ principal, requestId, route, req }: Context<Account>): WriteScope {
  const { companyKey, isAdmin, name } = principal as Account;
  const tags = parseEntityTags(req.headers, 'If-Match');
  const ifMatch = tags === undefined ? undefined : strongTags(tags);
  return { companyKey, isAdmin, account: name, requestId, operation: route.operationId, ifMatch };
}
