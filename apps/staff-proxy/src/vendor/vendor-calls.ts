import type { HttpMethod } from '@rostergate/server';
import type { StaffCall } from '../staff-call.ts';
import { type Members, membersOf } from './vendor-members.ts';

/** The vendor's path of a person. */
export const person = '/staffmember/{staff_key}';

/** Returns the call with another method and path. */
export function as(method: HttpMethod, path: string, call: StaffCall): StaffCall {
  return { ...call, operation: { ...call.operation, method, path } };
}

/** Returns the call with these parameters appended to its query. */
export function withQuery(call: StaffCall, added: Readonly<Record<string, string>>): StaffCall {
  const pairs = Object.entries(added).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return { ...call, query: [call.query, ...pairs].filter((part) => part !== '').join('&') };
}

export function withMembers(call: StaffCall, added: Members): StaffCall {
  return { ...call, body: { ...membersOf(call.body), ...added } };
}

/** Returns the call that reads the person of a call in its company. */
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
