import type { StaffHandlers } from '@rostergate/staff-server';
import type { Account } from '../accounts/account.ts';
import { parseStaffQuery } from '../staff-query.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { jsonText } from './json-text.ts';
import { createListStaffMembers } from './list-staff-members.ts';
import { queryTextOf } from './query-text.ts';
import { scopeOf, writeScopeOf } from './scopes.ts';

type Operations = 'listStaffMembers' | 'createStaffMember' | 'getStaffMember' | 'updateStaffMember' | 'setStaffManager';

/** The operations on a person as such. */
export function createStaffMemberHandlers(
  store: StaffStore,
  clock: () => number,
): Pick<StaffHandlers<Account>, Operations> {
  return {
    listStaffMembers: createListStaffMembers(store, clock),
    async createStaffMember({ body }, context) {
      const { json, isNew, staffKey } = await store.createStaff(writeScopeOf(context), body);
      const location = `${context.route.path}/${encodeURIComponent(staffKey)}`;
      return isNew ? jsonText(json, 201, { Location: location }) : jsonText(json);
    },
    async getStaffMember({ path, query: { includes } }, context) {
      const query = parseStaffQuery(queryTextOf(context.req), { includes, clock });
      return jsonText(await store.readStaff(scopeOf(context), path.staff_key, query));
    },
    async updateStaffMember({ path, body }, context) {
      return jsonText(await store.updateStaff(writeScopeOf(context), path.staff_key, body));
    },
    async setStaffManager({ path, body }, context) {
      return jsonText(await store.setManager(writeScopeOf(context), path.staff_key, body));
    },
  };
}
