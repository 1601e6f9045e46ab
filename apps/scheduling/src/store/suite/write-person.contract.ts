import { beforeEach, describe, expect, it } from 'vitest';
import type { StaffMember } from '../../entity-model.ts';
import { plainQuery } from '../../staff-query.ts';
import type { StaffStore } from '../staff-store.ts';
import {
  admin,
  demo,
  faultsOf,
  jsonOf,
  lastKey,
  list,
  now,
  type OpenSeeded,
  otherCompany,
  readPerson,
  rejection,
  writer,
} from './store-kit.contract.ts';

export function describeWritePerson(open: OpenSeeded): void {
  describe('writes to a person', () => {
    let store: StaffStore;
    let key: string;
    beforeEach(async () => {
      store = await open(12);
      key = await lastKey(store);
      return () => store.close();
    });
    const read = (includes: string[] = [], staffKey = key) => readPerson(store, staffKey, includes);

    describe('createStaff', () => {
      it('adds a person with what is sent, and CHANGEME for missing names', async () => {
        const body = { StaffId: 'S-9', Fte: 0.5, StartDate: '2026-01-02', TimeClockKioskPIN: '4711' };
        const { staffKey, isNew, json } = await store.createStaff(writer, body);
        expect([staffKey, isNew]).toEqual(['new-1', true]);
        expect(JSON.parse(json)).toMatchObject({
          ...{ CompKey: demo, StaffKey: 'new-1', StaffId: 'S-9', Fte: 0.5, StartDate: '2026-01-02T00:00:00' },
          ...{ FirstName: 'CHANGEME', LastName: 'CHANGEME', Abbrev: 'CHANGEME', IsActive: true, Npi: null },
          LastModifiedDateUtc: `${now}Z`,
        });
        expect(json).not.toContain('4711');
        expect(await store.readStaff(admin, 'new-1', plainQuery)).toEqual({ json, revision: 1, modified: now });
      });

      it('rejects a StaffId that is taken', async () => {
        const { StaffId } = await read();
        const { code, errors } = await rejection(store.createStaff(writer, { StaffId: String(StaffId) }));
        expect([code, errors[0]?.pointer]).toEqual(['conflict', '/StaffId']);
      });

      it('with UpdateIfExisting changes what is sent of the person with the StaffId', async () => {
        const before = await read();
        const body = { StaffId: String(before.StaffId), City: 'Łódź', UpdateIfExisting: true };
        const written = await store.createStaff(writer, body);
        expect([written.staffKey, written.isNew]).toEqual([key, false]);
        expect(JSON.parse(written.json)).toEqual({ ...before, City: 'Łódź', LastModifiedDateUtc: `${now}Z` });
      });

      it('lets one of many concurrent requests create the same person', async () => {
        const tries = Array.from({ length: 10 }, () => store.createStaff(writer, { StaffId: 'S-9' }));
        const outcomes = await Promise.allSettled(tries);
        expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
        expect(await list(store, admin, "$filter=StaffId eq 'S-9'")).toHaveLength(1);
      });
    });

    describe('updateStaff', () => {
      it('changes what is sent, clears null, and leaves the rest', async () => {
        const before = await read();
        const changes = {
          FirstName: 'Zoë',
          Fte: null,
          IsActive: false,
          DeactivationDateUtc: '2026-12-01T01:00:00+01:00',
        };
        const after = jsonOf(await store.updateStaff(writer, key, changes));
        const expected = { ...changes, DeactivationDateUtc: '2026-12-01T00:00:00Z', LastModifiedDateUtc: `${now}Z` };
        expect(after).toEqual({ ...before, ...expected });
      });

      it('accepts its own response unchanged', async () => {
        const before = await read();
        const { CompKey: _c, StaffKey: _k, SourceOfLogin: _s, LastModifiedDateUtc: _m, ...rest } = before;
        const { UserLastLoginDateTimeUtc: _l, Tags: _t, TTCMTags: _tt, Skillset: _sk, ...more } = rest;
        const { Profiles: _p, AvailableProfiles: _a, BadgeIds: _b, ...body } = more;
        expect(jsonOf(await store.updateStaff(writer, key, body))).toEqual(before);
        expect((await store.listAudit(demo, { limit: 1 }))[0]?.changedFields).toEqual([]);
      });

      it('accepts single properties with UpdateIfExisting, and checks the outcome', async () => {
        const StaffId = String((await read()).StaffId);
        const update = (body: object) => store.createStaff(writer, { StaffId, UpdateIfExisting: true, ...body });
        await update({ StartDate: '2026-01-01', EndDate: null });
        expect(await faultsOf(update({ EndDate: '2025-12-31' }))).toEqual(['/EndDate']);
        const before = await read();
        await update({});
        expect(await read()).toEqual(before);
      });

      it.each([
        ['StartDate', 'EndDate'],
        ['PayrollStartDate', 'PayrollEndDate'],
        ['TimeClockStartDate', 'TimeClockEndDate'],
      ])('rejects a %s after the %s, at the property that was sent', async (start, end) => {
        const put = (body: object) => store.updateStaff(writer, key, body);
        await put({ [start]: '2026-01-01', [end]: '2026-01-01' });
        expect(await faultsOf(put({ [start]: '2026-01-02' }))).toEqual([`/${start}`]);
        expect(await faultsOf(put({ [end]: '2025-12-31T23:59:59' }))).toEqual([`/${end}`]);
        expect(await faultsOf(put({ [start]: '2026-03-01', [end]: '2026-02-01' }))).toEqual([`/${end}`]);
        await put({ [start]: '2026-03-01', [end]: null });
        await put({ [end]: '2026-03-02' });
      });

      it('accepts hexadecimal colours, and nothing else', async () => {
        for (const BgColor of ['#1F6FEB', '1f6feb', '#fff', 'FFF', '#1F6FEB80', '', null]) {
          expect(jsonOf(await store.updateStaff(writer, key, { BgColor }))).toMatchObject({ BgColor });
        }
        for (const value of ['red', '#12', '#12345', '#GGGGGG', ' #FFF', '#FFF\n', '##FFF', '#1F6FEB801']) {
          const work = store.updateStaff(writer, key, { BgColor: value, TextColor: value });
          expect([value, await faultsOf(work)]).toEqual([value, ['/BgColor', '/TextColor']]);
        }
      });

      it('rejects a blank StaffId', async () => {
        for (const StaffId of [' ', '\t\n', '\u00a0\u3000']) {
          expect(await faultsOf(store.updateStaff(writer, key, { StaffId }))).toEqual(['/StaffId']);
          expect(await faultsOf(store.createStaff(writer, { StaffId }))).toEqual(['/StaffId']);
        }
        expect(jsonOf(await store.updateStaff(writer, key, { StaffId: ' S 1 ' }))).toMatchObject({ StaffId: ' S 1 ' });
      });

      it('lists every fault of a person before the conflict of the StaffId', async () => {
        const [other] = await list(store, admin, '$orderby=StaffId&$top=1');
        const body = { StaffId: String(other?.StaffId), BgColor: 'red', EndDate: '2026-02-30', ManagerId: '' };
        const pointers = ['/EndDate', '/BgColor', '/ManagerId'];
        expect(await faultsOf(store.updateStaff(writer, key, body))).toEqual(pointers);
        expect(await faultsOf(store.createStaff(writer, body))).toEqual(pointers);
      });

      it('rejects the StaffId of another person', async () => {
        const [other] = await list(store, admin, '$orderby=StaffId&$top=1');
        const { code } = await rejection(store.updateStaff(writer, key, { StaffId: String(other?.StaffId) }));
        expect(code).toBe('conflict');
      });

      it('rejects an invalid date, an unknown manager and a wrong manager name together', async () => {
        const body = { StartDate: '2026-02-31', ManagerId: 'nobody', Manager: 'Somebody Else' };
        expect(await faultsOf(store.updateStaff(writer, key, body))).toEqual(['/StartDate', '/ManagerId', '/Manager']);
      });

      it('copies a new name of a manager to the reports', async () => {
        const manager = (await list(store, admin, '$orderby=StaffId&$top=1'))[0] as StaffMember;
        await store.setManager(writer, key, { ManagerId: String(manager.StaffId) });
        const changes = { FirstName: 'Jörg', LastName: "O'Neil", StaffId: 'S-77' };
        await store.updateStaff(writer, String(manager.StaffKey), changes);
        expect(await read()).toMatchObject({ Manager: "Jörg O'Neil", ManagerId: 'S-77' });
      });
    });

    describe('setManager', () => {
      const created = async (StaffId: string) => (await store.createStaff(writer, { StaffId })).staffKey;

      it('sets by StaffId or by key, and clears', async () => {
        const boss = await created('S-boss');
        const byId = jsonOf(await store.setManager(writer, key, { ManagerId: 'S-boss' }));
        expect(byId).toMatchObject({ ManagerId: 'S-boss', Manager: 'CHANGEME CHANGEME' });
        expect(jsonOf(await store.setManager(writer, key, { IsClearManagerId: true }))).toMatchObject({
          ManagerId: null,
          Manager: null,
        });
        expect(jsonOf(await store.setManager(writer, key, { ManagerKey: boss }))).toMatchObject({
          ManagerId: 'S-boss',
        });
      });

      it('rejects an unknown person, the person, and a cycle of any length', async () => {
        const [a, b, c] = [await created('a'), await created('b'), await created('c')];
        await store.setManager(writer, b, { ManagerKey: a });
        await store.setManager(writer, c, { ManagerKey: b });
        expect(await faultsOf(store.setManager(writer, a, { ManagerKey: c }))).toEqual(['/ManagerKey']);
        expect(await faultsOf(store.setManager(writer, a, { ManagerId: 'a' }))).toEqual(['/ManagerId']);
        expect(await faultsOf(store.setManager(writer, a, { ManagerId: 'nobody' }))).toEqual(['/ManagerId']);
      });

      it('rejects a person of another company', async () => {
        const otherAdmin = { companyKey: otherCompany, isAdmin: true };
        const [foreign] = await list(store, otherAdmin, '$top=1');
        const work = store.setManager(writer, key, { ManagerKey: String(foreign?.StaffKey) });
        expect(await faultsOf(work)).toEqual(['/ManagerKey']);
      });
    });
  });
}
