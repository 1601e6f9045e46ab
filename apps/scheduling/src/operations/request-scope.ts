import type { Context } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import type { Account } from '../accounts/account-store.ts';
import type { Scope, WriteScope } from '../store/scope.ts';
import { parseEntityTags, strongTags } from './entity-tags.ts';

/**
 * Returns whose data a request may read. The contract secures every operation that calls this, so there is an account.
 */
export function scopeOf({ principal, req }: Context<Account>): Scope {
  requireKeysAsText(req.originalUrl);
  return principal as Account;
}

/** Rejects a list of another company than the account's. */
export function requireOwnCompany(companyKey: string, scope: Scope): void {
  if (companyKey === scope.companyKey) return;
  throw new Problem('company_forbidden', 'Send the companyKey of the company that your account belongs to.');
}

/** Returns the scope of a write: also the data for the audit, and the versions that If-Match allows. */
export function writeScopeOf({ principal, requestId, route, req }: Context<Account>): WriteScope {
  const { companyKey, isAdmin, name } = principal as Account;
  requireKeysAsText(req.originalUrl);
  const tags = parseEntityTags(req.headers, 'If-Match');
  const ifMatch = tags === undefined ? undefined : strongTags(tags);
  return { companyKey, isAdmin, account: name, requestId, operation: route.operationId, ifMatch };
}

/**
 * Rejects U+0000 in the path: databases cannot compare it. Bodies and query options are checked where they are parsed.
 */
function requireKeysAsText(url: string): void {
  if (!url.includes('%00') || !url.split('?', 1)[0]?.includes('%00')) return;
  throw new Problem('malformed_request', 'No key contains U+0000. Remove %00 from the path.');
}

/** Returns the query of a request before decoding: OData splits it first. */
export function queryTextOf({ originalUrl }: { readonly originalUrl: string }): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}
