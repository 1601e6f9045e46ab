import type { Context } from '@rostergate/server';
import type { Account } from '../accounts/account-store.ts';
import type { StaffQuery } from '../staff-query.ts';
import type { VersionedJson } from '../store/person-version.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { hasVersion, parseEntityTags } from './entity-tags.ts';
import { scopeOf } from './request-scope.ts';

/** Returns a person, and whether If-None-Match names the version that the client would get. */
export async function readStaffMember(
  store: Pick<StaffStore, 'readStaff'>,
  context: Context<Account>,
  staffKey: string,
  query: StaffQuery,
): Promise<{ readonly person: VersionedJson; readonly isKnown: boolean }> {
  const known = parseEntityTags(context.req.headers, 'If-None-Match');
  const person = await store.readStaff(scopeOf(context), staffKey, query);
  return { person, isKnown: known !== undefined && dependsOnPersonOnly(query) && hasVersion(known, person) };
}

/**
 * Returns whether the response can change only with the person's version. Badges belong to the person; the other
 * collections show names of the company's tags, tasks and profiles.
 */
function dependsOnPersonOnly({ fills }: StaffQuery): boolean {
  for (const [name, fill] of fills) if (name !== 'BadgeIds' || fill !== true) return false;
  return true;
}
