import type { StaffCall } from '../staff-call.ts';

/**
 * All that the answer to a read hangs on, as one text, the service account first; reads that differ in any of it share nothing. The
 * condition is left out: it decides whether the answer is sent, not what it is.
 */
export function readKeyOf(account: string, call: StaffCall): string {
  const { operation, path, query, companyKey, headers, accept } = call;
  let key =
    part(account) + operation.operationId + part(companyKey) + part(query) + (accept === undefined ? '' : part(accept));
  for (const name in path) key += `/${part(path[name] as string)}`;
  for (const name in headers) if (name !== 'If-None-Match') key += `${name}:${part(headers[name] as string)}`;
  return key;
}

/** With its length before it, no text can pass for more than one part. */
function part(text: string): string {
  return `${text.length} ${text}`;
}
