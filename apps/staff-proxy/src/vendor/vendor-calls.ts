import type { HttpMethod } from '@rostergate/runtime/contract';
import type { StaffCall } from '../staff-call.ts';
import { type Members, membersOf } from './vendor-members.ts';

/** Where a person stands at the vendor. */
export const person = '/staffmember/{staff_key}';

/** The same call by another method, at another place. */
export function as(method: HttpMethod, path: string, call: StaffCall): StaffCall {
  return { ...call, operation: { ...call.operation, method, path } };
}

/** The query goes on as the caller wrote it, with these after it. */
export function withQuery(call: StaffCall, added: Readonly<Record<string, string>>): StaffCall {
  const pairs = Object.entries(added).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return { ...call, query: [call.query, ...pairs].filter((part) => part !== '').join('&') };
}

export function withMembers(call: StaffCall, added: Members): StaffCall {
  return { ...call, body: { ...membersOf(call.body), ...added } };
}

/** Asks for the person of a call, as its company has it. */
export function readPerson(call: StaffCall, includes?: string): StaffCall {
  const query = { CompanyKey: call.companyKey, ...(includes !== undefined && { includes }) };
  return withQuery(readOf(call, person), query);
}

export function readList(call: StaffCall, path: string): StaffCall {
  return withQuery(readOf(call, path), { companyKey: call.companyKey });
}

function readOf(call: StaffCall, path: string): StaffCall {
  return as('get', path, { ...call, query: '', body: undefined, headers: {}, accept: undefined });
}
