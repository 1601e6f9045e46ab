import type { StaffCall } from '../staff-call.ts';

/**
 * All that the answer to a read hangs on, as one text, the service account first; reads that differ in any of it share nothing. The
 * condition is left out: it decides whether the answer is sent, not what it is.
 */
export function readKeyOf(account: string, call: StaffCall): string {
  const { operation, path, query, companyKey, headers, accept } = call;
  const { 'If-None-Match': _, ...others } = headers;
  return JSON.stringify([account, operation.operationId, path, query, companyKey, others, accept]);
}
