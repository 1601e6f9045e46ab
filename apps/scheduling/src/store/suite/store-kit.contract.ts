import { Problem } from '@rostergate/server/problem';
import { expect } from 'vitest';
import { demoCompanyKey } from '../../demo/random.ts';
import type { StaffMember } from '../../entity-model.ts';
import { parseStaffQuery } from '../../staff-query.ts';
import type { VersionedJson } from '../person-version.ts';
import type { Scope, WriteScope } from '../scope.ts';
import type { StaffList } from '../staff-reads.ts';
import type { StaffStore } from '../staff-store.ts';

export interface StoreSettings {
  readonly clock: () => number;
  readonly newKey: () => string;
}

/** Opens a store with this many people in the demo company and five in another; by default its clock does not advance. */
export type OpenSeeded = (staff: number, clock?: () => number) => Promise<StaffStore>;

export const demo = 'demo-company';
export const otherCompany = demoCompanyKey(1);
export const admin: Scope = { companyKey: demo, isAdmin: true };
export const reader: Scope = { companyKey: demo, isAdmin: false };
export const writer: WriteScope = {
  ...admin,
  account: 'admin@demo.example',
  requestId: 'request-1',
  operation: 'test',
};
export const now = '2026-11-21T09:30:00';

export const parse = (query: string, includes: string[] = []) => parseStaffQuery(query, { includes, clock: Date.now });
// biome-ignore lint/suspicious/noExplicitAny: each test knows the type.
export const jsonOf = ({ json }: VersionedJson): any => JSON.parse(json);
export const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

export async function list(
  store: StaffStore,
  scope: Scope,
  query: string,
  includes?: string[],
): Promise<StaffMember[]> {
  return peopleOf(await store.listStaff(scope, parse(query, includes)));
}

export async function peopleOf(found: StaffList): Promise<StaffMember[]> {
  return JSON.parse(`[${(await slicesOf(found)).join('').slice(1)}]`);
}

export async function slicesOf(found: StaffList): Promise<string[]> {
  const slices: string[] = [];
  for await (const slice of found.slices()) slices.push(Buffer.from(slice).toString());
  return slices;
}

/** Returns the key of the person with the last StaffId. */
export async function lastKey(store: StaffStore): Promise<string> {
  return String((await list(store, admin, '$orderby=StaffId desc&$top=1'))[0]?.StaffKey);
}

export async function readPerson(store: StaffStore, staffKey: string, includes: string[] = []): Promise<StaffMember> {
  return jsonOf(await store.readStaff(admin, staffKey, parse('', includes)));
}

export async function rejection(work: Promise<unknown>): Promise<Problem> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Problem);
  return outcome as Problem;
}

/** Returns the pointers of the faults of a rejected write. */
export async function faultsOf(work: Promise<unknown>) {
  const { code, errors } = await rejection(work);
  expect(code).toBe('validation_failed');
  return errors.map((fault) => fault.pointer);
}
