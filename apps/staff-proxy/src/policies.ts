import { parse } from 'node:querystring';
import { Problem } from '@rostergate/runtime/problem';
import type { Policy } from './staff-call.ts';

/**
 * A key stands for one company: its companyKey is filled in where an operation takes one and the caller gave none,
 * and another's is refused (403 `company_forbidden`) before the upstream is asked.
 */
export function createCompanyPolicy(takesCompanyKey: (operationId: string) => boolean): Policy {
  return (call, caller) => {
    const named = companyKeysIn(call.query);
    if (named.some((companyKey) => companyKey !== caller.companyKey)) {
      throw new Problem(
        'company_forbidden',
        'Your key stands for another company: leave companyKey out, or name yours.',
      );
    }
    if (named.length > 0 || !takesCompanyKey(call.operation.operationId)) return call;
    const companyKey = `companyKey=${encodeURIComponent(caller.companyKey)}`;
    return { ...call, query: call.query === '' ? companyKey : `${call.query}&${companyKey}` };
  };
}

/** Read from what will be sent, in any letter case: not every upstream tells companyKey from CompanyKey. */
function companyKeysIn(query: string): string[] {
  if (!query.includes('%') && !/companykey/i.test(query)) return [];
  return Object.entries(parse(query, '&', '=', { maxKeys: 0 })).flatMap(([name, value]) =>
    name.toLowerCase() === 'companykey' ? (value ?? []) : [],
  );
}
