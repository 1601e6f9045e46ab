import { beforeEach, describe, expect, it } from 'vitest';
import type { StaffStore } from '../staff-store.ts';
import {
  demo,
  lastKey,
  now,
  type OpenSeeded,
  otherCompany,
  readPerson,
  rejection,
  writer,
} from './store-kit.contract.ts';

/** The audit row of each write. */
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

    it('writes an audit row for each write, with names and without values', async () => {
      const operation = 'updateStaffMember';
      await store.updateStaff({ ...writer, operation }, key, { TimeClockKioskPIN: '4711', City: 'Bern' });
      expect(await store.listAudit(demo, { limit: 5 })).toEqual([
        {
          ...{ atUtc: now, account: 'admin@demo.example', requestId: 'request-1', operation, staffKey: key },
          ...{ row: expect.any(Number), companyKey: demo, changedFields: ['TimeClockKioskPIN', 'City'] },
        },
      ]);
    });

    it('names what has changed, not what was sent', async () => {
      const names = async (work: Promise<unknown>) => {
        await work;
        return (await store.listAudit(demo, { limit: 1 }))[0]?.changedFields;
      };
      const { staffKey } = await store.createStaff(writer, { StaffId: 'S-9', LastName: 'Ito', Npi: null });
      expect((await store.listAudit(demo, { limit: 1 }))[0]).toMatchObject({
        ...{ staffKey, changedFields: ['StaffId', 'LastName'] },
      });
      const put = (body: object) => names(store.updateStaff(writer, staffKey, body));
      expect(await put({ City: 'Bern', Fte: 0.5, IsActive: true })).toEqual(['City', 'Fte']);
      expect(await put({ City: 'Bern', Fte: 0.5, IsActive: false })).toEqual(['IsActive']);
      expect(await put({ City: 'Bern' })).toEqual([]);
      const { StaffId } = await read();
      const managed = { ManagerId: String(StaffId) };
      expect(await names(store.setManager(writer, staffKey, managed))).toEqual(['ManagerId', 'Manager']);
      expect(await names(store.setManager(writer, staffKey, managed))).toEqual([]);
      const renamed = store.updateStaff(writer, key, { LastName: 'Łuczak', StaffId: 'S-8', City: 'Uri' });
      expect((await names(renamed))?.toSorted()).toEqual(
        ['City', 'LastName', 'Reports.Manager', 'Reports.ManagerId', 'StaffId'].toSorted(),
      );
      const tag = { category: 'Team', name: 'Gold' };
      expect(await names(store.addTag(writer, staffKey, tag))).toEqual(['Tags']);
      expect(await names(store.addTag(writer, staffKey, tag))).toEqual([]);
      const clock = { category: 'Time Clock', name: 'On call' };
      expect(await names(store.addTag(writer, staffKey, clock))).toEqual(['TTCMTags']);
      const skill = (body: object) => names(store.setSkillset(writer, staffKey, 'task-5', body));
      const monday = { IsSkilledMon: true, MonOccurrence: 'Weekly', IsSkilledTue: false };
      expect(await skill(monday)).toEqual(['Skillset', 'Skillset.IsSkilledMon', 'Skillset.MonOccurrence']);
      expect(await skill({ ...monday, IsSkilledTue: true })).toEqual(['Skillset.IsSkilledTue']);
      expect(await names(store.removeSkillset(writer, staffKey, 'task-5'))).toEqual(['Skillset']);
      const profile = (body: object) => names(store.setProfile(writer, staffKey, 'profile-4', body));
      expect(await profile({})).toEqual(['Profiles']);
      expect(await profile({ IsViewable: true })).toEqual([]);
      expect(await profile({ IsViewable: false })).toEqual(['Profiles.IsViewable']);
      const created = store.createPayModifier(writer, staffKey, { PositionId: 'P', EndDate: null });
      expect(await names(created)).toEqual(['PayModifier', 'PayModifier.PositionId']);
      const { PayModifierKey } = JSON.parse((await created).json);
      const [category] = (await read(['Tags'], staffKey)).Tags ?? [];
      const PayModifierTags = [
        { CategoryKey: Number(category?.CategoryKey), TagKey: Number(category?.Tags?.[0]?.Key) },
      ];
      const modify = (body: object) => names(store.updatePayModifier(writer, staffKey, PayModifierKey, body));
      expect(await modify({ PositionId: 'P', PayModifierTags })).toEqual(['PayModifier.PayModifierTagKeys']);
      expect(await modify({ PositionId: 'P', PayModifierTags })).toEqual([]);
      expect(await names(store.deletePayModifier(writer, staffKey, PayModifierKey))).toEqual(['PayModifier']);
    });

    it('is listed newest first, in pages, by person, account and time', async () => {
      const other = String(
        (await store.createStaff({ ...writer, account: 'other@demo.example' }, { StaffId: 'a' })).staffKey,
      );
      for (const City of ['Aarau', 'Bern', 'Chur', 'Davos']) await store.updateStaff(writer, key, { City });
      const all = await store.listAudit(demo, { limit: 10 });
      expect(all.map((entry) => entry.staffKey)).toEqual([key, key, key, key, other]);
      const first = await store.listAudit(demo, { limit: 3 });
      const second = await store.listAudit(demo, { limit: 3, beforeRow: first.at(-1)?.row });
      expect([...first, ...second]).toEqual(all);
      expect(await store.listAudit(demo, { limit: 10, staffKey: other })).toEqual(all.slice(4));
      expect(await store.listAudit(demo, { limit: 10, account: 'other@demo.example' })).toEqual(all.slice(4));
      expect(await store.listAudit(demo, { limit: 10, sinceUtc: now })).toEqual(all);
      expect(await store.listAudit(demo, { limit: 10, sinceUtc: '2026-11-21T09:30:01' })).toEqual([]);
      expect(await store.listAudit(otherCompany, { limit: 10 })).toEqual([]);
    });

    it('writes nothing for a rejected write', async () => {
      const before = await read();
      await rejection(store.updateStaff(writer, key, { City: 'Bern', ManagerId: 'nobody' }));
      expect(await read()).toEqual(before);
      expect(await store.listAudit(demo, { limit: 5 })).toEqual([]);
    });

    it('rejects writes to the people of another company', async () => {
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
        expect((await rejection(work)).code).toBe('not_found');
      }
      expect(await read()).toEqual(before);
      expect(await store.listAudit(demo, { limit: 5 })).toEqual([]);
    });
  });
}
