import type { StaffHandlers } from '@rostergate/staff-server';
import type { Account } from '../accounts/account.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { jsonText } from './json-text.ts';
import { scopeOf, writeScopeOf } from './scopes.ts';

type Operations = 'listPayModifiers' | 'createPayModifier' | 'updatePayModifier' | 'deletePayModifier';

export function createPayModifierHandlers(store: StaffStore): Pick<StaffHandlers<Account>, Operations> {
  return {
    async listPayModifiers({ path }, context) {
      return jsonText(await store.listPayModifiers(scopeOf(context), path.staff_key));
    },
    async createPayModifier({ path, body }, context) {
      return jsonText(await store.createPayModifier(writeScopeOf(context), path.staff_key, body), 201);
    },
    async updatePayModifier({ path, body }, context) {
      const { staff_key, pay_modifier_key } = path;
      return jsonText(await store.updatePayModifier(writeScopeOf(context), staff_key, pay_modifier_key, body));
    },
    async deletePayModifier({ path }, context) {
      await store.deletePayModifier(writeScopeOf(context), path.staff_key, path.pay_modifier_key);
      return { status: 200, body: {} };
    },
  };
}
