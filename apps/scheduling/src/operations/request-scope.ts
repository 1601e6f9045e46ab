import type { Context } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import type { Account } from '../accounts/account-store.ts';
import type { Scope, WriteScope } from '../store/scope.ts';
import { parseEntityTags, strongTags } from './entity-tags.ts';

/** Whose data a request may see. The contract secures every operation that asks, so there is an account. */
export function scopeOf({ principal, req }: Context<Account>): Scope {
  requireKeysAsText(req.originalUrl);
  return principal as Account;
}

/** The same for a write, with what the audit keeps of it and the versions that If-Match allows. */
export function writeScopeOf({ principal, requestId, route, req }: Context<Account>): WriteScope {
  const { companyKey, isAdmin, name } = principal as Account;
  requireKeysAsText(req.originalUrl);
  const tags = parseEntityTags(req.headers, 'If-Match');
  const ifMatch = tags === undefined ? undefined : strongTags(tags);
  return { companyKey, isAdmin, account: name, requestId, operation: route.operationId, ifMatch };
}

/** A database may not even compare with U+0000; bodies and query options are refused for it where they are read. */
function requireKeysAsText(url: string): void {
  if (!url.includes('%00') || !url.split('?', 1)[0]?.includes('%00')) return;
  throw new Problem('malformed_request', 'No key has U+0000 in it: take %00 out of the path.');
}

/** The query of a request as it was sent: OData's rules split it before anything is decoded. */
export function queryTextOf({ originalUrl }: { readonly originalUrl: string }): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}
