import type { StaffHandlers } from '@rostergate/staff-server';
import type { Account } from '../accounts/account.ts';
import { parseStaffQuery, type StaffQuery } from '../staff-query.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { hasVersion, parseEntityTags } from './entity-tags.ts';
import { createListStaffMembers } from './list-staff-members.ts';
import { queryTextOf } from './query-text.ts';
import { scopeOf, writeScopeOf } from './scopes.ts';
import { notModified, versionedJson } from './versioned-json.ts';

type Operations = 'listStaffMembers' | 'createStaffMember' | 'getStaffMember' | 'updateStaffMember' | 'setStaffManager';

/** The operations on a person as such. */
export function createStaffMemberHandlers(
  store: StaffStore,
  clock: () => number,
): Pick<StaffHandlers<Account>, Operations> {
  return {
    listStaffMembers: createListStaffMembers(store, clock),
    async createStaffMember({ body }, context) {
      const written = await store.createStaff(writeScopeOf(context), body);
      const location = `${context.route.path}/${encodeURIComponent(written.staffKey)}`;
      return written.isNew ? versionedJson(written, 201, { Location: location }) : versionedJson(written);
    },
    async getStaffMember({ path, query: { includes, sinceModifiedTimestamp } }, context) {
      const query = parseStaffQuery(queryTextOf(context.req), { includes, sinceModifiedTimestamp, clock });
      const known = parseEntityTags(context.req.headers, 'If-None-Match');
      const person = await store.readStaff(scopeOf(context), path.staff_key, query);
      const isKnown = known !== undefined && followsFromPerson(query) && hasVersion(known, person);
      return isKnown ? notModified(person) : versionedJson(person);
    },
    async updateStaffMember({ path, body }, context) {
      return versionedJson(await store.updateStaff(writeScopeOf(context), path.staff_key, body));
    },
    async setStaffManager({ path, body }, context) {
      return versionedJson(await store.setManager(writeScopeOf(context), path.staff_key, body));
    },
  };
}

/**
 * Whether an answer can only be another when the person has another version. Of the collections, badges alone are the
 * person's own: the others show names that the company's tags, tasks and profiles have.
 */
function followsFromPerson({ fills }: StaffQuery): boolean {
  for (const [name, fill] of fills) if (name !== 'BadgeIds' || fill !== true) return false;
  return true;
}
