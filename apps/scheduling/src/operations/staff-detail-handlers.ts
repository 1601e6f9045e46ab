import type { StaffHandlers } from '@rostergate/staff-server';
import type { Account } from '../accounts/account.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { scopeOf, writeScopeOf } from './scopes.ts';
import { versionedJson } from './versioned-json.ts';

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
      return versionedJson(await store.addTag(writeScopeOf(context), path.staff_key, body), 201);
    },
    async listStaffLocations({ path }, context) {
      return versionedJson(await store.listLocations(scopeOf(context), path.staff_key));
    },
    async addStaffLocationTag({ path, body }, context) {
      return versionedJson(await store.addLocationTag(writeScopeOf(context), path.staff_key, path.location_key, body));
    },
    async setStaffSkillset({ path, body }, context) {
      return versionedJson(await store.setSkillset(writeScopeOf(context), path.staff_key, path.task_key, body));
    },
    async removeStaffSkillset({ path }, context) {
      return versionedJson(await store.removeSkillset(writeScopeOf(context), path.staff_key, path.task_key));
    },
    async listStaffProfiles({ path }, context) {
      return versionedJson(await store.listProfiles(scopeOf(context), path.staff_key));
    },
    async setStaffProfile({ path, body }, context) {
      return versionedJson(await store.setProfile(writeScopeOf(context), path.staff_key, path.profile_key, body));
    },
    async listBadgeIds({ path }, context) {
      return versionedJson(await store.listBadges(scopeOf(context), path.staff_key));
    },
    async listRequestLimits({ path, query: { includes = [] } }, context) {
      return versionedJson(await store.listRequestLimits(scopeOf(context), path.staff_key, includes));
    },
  };
}
