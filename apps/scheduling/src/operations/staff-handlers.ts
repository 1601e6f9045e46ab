import type { StaffHandlers } from '@rostergate/staff-server';
import type { Account } from '../accounts/account-store.ts';
import { parseStaffQuery } from '../staff-query.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { notModified, versionedJson } from './entity-tags.ts';
import { createListStaffMembers } from './list-staff-members.ts';
import { readStaffMember } from './read-staff-member.ts';
import { queryTextOf, scopeOf, writeScopeOf } from './request-scope.ts';

type Operations =
  | ('listStaffMembers' | 'createStaffMember' | 'getStaffMember' | 'updateStaffMember' | 'setStaffManager')
  | ('addStaffTag' | 'listStaffLocations' | 'addStaffLocationTag' | 'setStaffSkillset' | 'removeStaffSkillset')
  | ('listStaffProfiles' | 'setStaffProfile' | 'listBadgeIds' | 'listRequestLimits')
  | ('listPayModifiers' | 'createPayModifier' | 'updatePayModifier' | 'deletePayModifier');

/** Returns the handlers of every operation on people: each calls the store and replies with its JSON. */
export function createStaffHandlers(store: StaffStore, clock: () => number): Pick<StaffHandlers<Account>, Operations> {
  return {
    listStaffMembers: createListStaffMembers(store, clock),
    async createStaffMember({ body }, context) {
      const written = await store.createStaff(writeScopeOf(context), body);
      const location = `${context.route.path}/${encodeURIComponent(written.staffKey)}`;
      return written.isNew ? versionedJson(written, 201, { Location: location }) : versionedJson(written);
    },
    async getStaffMember({ path, query: { includes, sinceModifiedTimestamp } }, context) {
      const query = parseStaffQuery(queryTextOf(context.req), { includes, sinceModifiedTimestamp, clock });
      const { person, isKnown } = await readStaffMember(store, context, path.staff_key, query);
      return isKnown ? notModified(person) : versionedJson(person);
    },
    async updateStaffMember({ path, body }, context) {
      return versionedJson(await store.updateStaff(writeScopeOf(context), path.staff_key, body));
    },
    async setStaffManager({ path, body }, context) {
      return versionedJson(await store.setManager(writeScopeOf(context), path.staff_key, body));
    },
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
    async listPayModifiers({ path }, context) {
      return versionedJson(await store.listPayModifiers(scopeOf(context), path.staff_key));
    },
    async createPayModifier({ path, body }, context) {
      return versionedJson(await store.createPayModifier(writeScopeOf(context), path.staff_key, body), 201);
    },
    async updatePayModifier({ path, body }, context) {
      const { staff_key, pay_modifier_key } = path;
      return versionedJson(await store.updatePayModifier(writeScopeOf(context), staff_key, pay_modifier_key, body));
    },
    async deletePayModifier({ path }, context) {
      return versionedJson(await store.deletePayModifier(writeScopeOf(context), path.staff_key, path.pay_modifier_key));
    },
  };
}
