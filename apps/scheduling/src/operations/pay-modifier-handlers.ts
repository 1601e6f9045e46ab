import type { StaffHandlers } from '@rostergate/staff-server';
import type { Account } from '../accounts/account.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { scopeOf, writeScopeOf } from './scopes.ts';
import { versionedJson } from './versioned-json.ts';

type Operations = 'listPayModifiers' | 'createPayModifier' | 'updatePayModifier' | 'deletePayModifier';

export function createPayModifierHandlers(store: StaffStore): Pick<StaffHandlers<Account>, Operations> {
  return {
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
