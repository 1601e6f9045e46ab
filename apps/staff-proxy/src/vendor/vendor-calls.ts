import type { HttpMethod } from '@rostergate/server';
import type { StaffCall } from '../staff-call.ts';

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

export type Members = Readonly<Record<string, unknown>>;

/** Returns the members of an object; none of any other value. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** Returns the objects of an array, or a single object as an array. */
export function entriesOf(value: unknown): readonly Members[] {
  return (Array.isArray(value) ? value : [value]).filter((entry) => typeof entry === 'object' && entry !== null);
}

/** The vendor's keys are numbers, or GUIDs in either case. */
export function isSameKey(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

export function findPerson(value: unknown): unknown {
  return entriesOf(value).find(({ StaffKey }) => StaffKey !== undefined);
}

/** Returns a collection of the person where the vendor responded with the whole person. */
export function collectionOf(value: unknown, name: string): unknown {
  return findPerson(value) === undefined ? value : membersOf(value)[name];
}

export function findEntry(value: unknown, name: string, key: unknown): unknown {
  return entriesOf(value).find((entry) => entry[name] !== undefined && isSameKey(entry[name], key));
}

/** A single skill may come without the key of its task. */
export function findSkill(value: unknown, key: unknown): unknown {
  const skills = collectionOf(value, 'Skillset');
  const isKeyless = ({ TaskKey, TaskName }: Members) => TaskKey === undefined && TaskName !== undefined;
  return findEntry(skills, 'TaskKey', key) ?? (Array.isArray(skills) ? undefined : entriesOf(skills).find(isKeyless));
}
