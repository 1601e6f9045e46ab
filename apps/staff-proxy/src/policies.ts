import { parse } from 'node:querystring';
import { Problem } from '@rostergate/server/problem';
import type { Policy } from './staff-call.ts';

/**
 * Returns the policy that keeps a key to its company: fills companyKey in where an operation takes one and the caller
 * gave none, and rejects another company's (403 `company_forbidden`).
 */
export function createCompanyPolicy(takesCompanyKey: (operationId: string) => boolean): Policy {
  return (call, caller) => {
    const named = companyKeysIn(call.query);
    if (named.some((companyKey) => companyKey !== caller.companyKey)) {
      throw new Problem(
        'company_forbidden',
        'Your key belongs to another company: leave companyKey out, or name your own.',
      );
    }
    if (named.length > 0 || !takesCompanyKey(call.operation.operationId)) return call;
    const companyKey = `companyKey=${encodeURIComponent(caller.companyKey)}`;
    return { ...call, query: call.query === '' ? companyKey : `${call.query}&${companyKey}` };
  };
}

/** Reads the query to be sent, ignoring case: not every upstream distinguishes companyKey from CompanyKey. */
function companyKeysIn(query: string): string[] {
  if (!query.includes('%') && !/companykey/i.test(query)) return [];
  return Object.entries(parse(query, '&', '=', { maxKeys: 0 })).flatMap(([name, value]) =>
    name.toLowerCase() === 'companykey' ? (value ?? []) : [],
  );
}

/**
 * Rejects with 404, for a key that is limited to some operations, path values with a slash: an upstream that decodes the
 * path before routing would take it for another operation.
 */
export const plainPathPolicy: Policy = (call, { forbidden }) => {
  if (forbidden === undefined) return call;
  for (const name in call.path) {
    if (/[/\\]/.test(call.path[name] as string)) {
      throw new Problem('not_found', `Your key is limited to some operations: ${name} must not contain a slash.`);
    }
  }
  return call;
};
