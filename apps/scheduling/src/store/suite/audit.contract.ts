import { beforeEach, describe, expect, it } from 'vitest';
import type { StaffStore } from '../staff-store.ts';
import {
  demo,
  lastKey,
  now,
  type OpenSeeded,
  otherCompany,
  readPerson,
  refusal,
  writer,
} from './store-kit.contract.ts';

/** What each write leaves behind. */
export function describeAudit(open: OpenSeeded): void {
  describe('audits writes', () => {
    let store: StaffStore;
    let key: string;
    beforeEach(async () => {
      store = await open(12);
      key = await lastKey(store);
      return () => store.close();
    });
    const read = (includes: string[] = [], staffKey = key) => readPerson(store, staffKey, includes);

    it('leaves an audit row of each write, with names and never values', async () => {
      const operation = 'updateStaffMember';
      await store.updateStaff({ ...writer, operation }, key, { TimeClockKioskPIN: '4711', City: 'Bern' });
      expect(await store.listAudit(demo, { limit: 5 })).toEqual([
        {
          ...{ atUtc: now, account: 'admin@demo.example', requestId: 'request-1', operation, staffKey: key },
          ...{ row: expect.any(Number), changedFields: ['TimeClockKioskPIN', 'City'] },
        },
      ]);
    });

    it('leaves nothing behind of a write that is refused', async () => {
      const before = await read();
      await refusal(store.updateStaff(writer, key, { City: 'Bern', ManagerId: 'nobody' }));
      expect(await read()).toEqual(before);
      expect(await store.listAudit(demo, { limit: 5 })).toEqual([]);
    });

    it('lets no account write to the people of another company', async () => {
      const scope = { ...writer, companyKey: otherCompany };
      const [before, task, profile] = [await read(), 'task-5', 'profile-4'];
      for (const work of [
        store.updateStaff(scope, key, { City: 'Bern' }),
        store.setManager(scope, key, { IsClearManagerId: true }),
        store.addTag(scope, key, { category: 'Team', name: 'Gold' }),
        store.addLocationTag(scope, key, 'loc-3', { categoryName: 'Team', tagName: 'Gold' }),
        store.setSkillset(scope, key, task, { IsSkilledMon: true }),
        store.removeSkillset(scope, key, task),
        store.setProfile(scope, key, profile, {}),
        store.createPayModifier(scope, key, { PositionId: 'P' }),
        store.updatePayModifier(scope, key, 'x', { PositionId: 'P' }),
        store.deletePayModifier(scope, key, 'x'),
      ]) {
        expect((await refusal(work)).code).toBe('not_found');
      }
      expect(await read()).toEqual(before);
      expect(await store.listAudit(demo, { limit: 5 })).toEqual([]);
    });
  });
}
