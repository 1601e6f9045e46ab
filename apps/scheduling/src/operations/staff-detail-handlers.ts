import type { StaffHandlers } from '@rostergate/staff-server';
import type { Account } from '../accounts/account.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { jsonText } from './json-text.ts';
import { scopeOf, writeScopeOf } from './scopes.ts';

type Operations =
  | 'addStaffTag'
  | 'listStaffLocations'
  | 'addStaffLocationTag'
  | 'setStaffSkillset'
  | 'removeStaffSkillset'
  | 'listStaffProfiles'
  | 'setStaffProfile'
  | 'listBadgeIds'
  | 'listRequestLimits';

/** The operations on what hangs on a person, pay modifiers aside. */
export function createStaffDetailHandlers(store: StaffStore): Pick<StaffHandlers<Account>, Operations> {
  return {
    async addStaffTag({ path, body }, context) {
      return jsonText(await store.addTag(writeScopeOf(context), path.staff_key, body), 201);
    },
    async listStaffLocations({ path }, context) {
      return jsonText(await store.listLocations(scopeOf(context), path.staff_key));
    },
    async addStaffLocationTag({ path, body }, context) {
      return jsonText(await store.addLocationTag(writeScopeOf(context), path.staff_key, path.location_key, body));
    },
    async setStaffSkillset({ path, body }, context) {
      return jsonText(await store.setSkillset(writeScopeOf(context), path.staff_key, path.task_key, body));
    },
    async removeStaffSkillset({ path }, context) {
      await store.removeSkillset(writeScopeOf(context), path.staff_key, path.task_key);
      return { status: 200, body: {} };
    },
    async listStaffProfiles({ path }, context) {
      return jsonText(await store.listProfiles(scopeOf(context), path.staff_key));
    },
    async setStaffProfile({ path, body }, context) {
      return jsonText(await store.setProfile(writeScopeOf(context), path.staff_key, path.profile_key, body));
    },
    async listBadgeIds({ path }, context) {
      return jsonText(await store.listBadges(scopeOf(context), path.staff_key));
    },
    async listRequestLimits({ path, query: { includes = [] } }, context) {
      return jsonText(await store.listRequestLimits(scopeOf(context), path.staff_key, includes));
    },
  };
}
