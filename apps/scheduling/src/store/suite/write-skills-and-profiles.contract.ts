import { beforeEach, describe, expect, it } from 'vitest';
import type { StaffStore } from '../staff-store.ts';
import { admin, jsonOf, lastKey, list, type OpenSeeded, readPerson, rejection, writer } from './store-kit.contract.ts';

export function describeWriteSkillsAndProfiles(open: OpenSeeded): void {
  describe('writes skills and profiles', () => {
    let store: StaffStore;
    let key: string;
    beforeEach(async () => {
      store = await open(12);
      key = await lastKey(store);
      return () => store.close();
    });
    const read = (includes: string[] = [], staffKey = key) => readPerson(store, staffKey, includes);

    describe('skillset', () => {
      const anyTask = async () => {
        for (const { Skillset } of await list(store, admin, '$expand=Skillset')) {
          if (Skillset?.[0] !== undefined) return String(Skillset[0].TaskKey);
        }
        throw new Error('No person has a skill.');
      };

      it('sets the days that are sent and leaves the others', async () => {
        const task = await anyTask();
        const { staffKey } = await store.createStaff(writer, { StaffId: 'S-9', FirstName: 'Ada' });
        const first = jsonOf(
          await store.setSkillset(writer, staffKey, task, { IsSkilledMon: true, MonOccurrence: 'Weekly' }),
        );
        expect(first).toMatchObject({
          StaffFirstName: 'Ada',
          TaskKey: task,
          IsSkilledMon: true,
          IsSkilledTue: false,
          TueOccurrence: null,
        });
        const second = jsonOf(await store.setSkillset(writer, staffKey, task, { IsSkilledTue: true }));
        expect(second).toEqual({ ...first, IsSkilledTue: true });
        expect((await read(['Skillset'], staffKey)).Skillset).toEqual([second]);
      });

      it('removes a skill once, and then does not find it', async () => {
        const task = await anyTask();
        await store.setSkillset(writer, key, task, { IsSkilledMon: true });
        await store.removeSkillset(writer, key, task);
        expect((await read(['Skillset'])).Skillset?.map((one) => one.TaskKey)).not.toContain(task);
        expect((await rejection(store.removeSkillset(writer, key, task))).code).toBe('not_found');
      });

      it('does not find a task that the company lacks', async () => {
        const work = store.setSkillset(writer, key, 'no-task', { IsSkilledMon: true });
        expect((await rejection(work)).code).toBe('not_found');
      });
    });

    describe('setProfile', () => {
      it('adds a profile, viewable and not schedulable, and changes what is sent', async () => {
        const { staffKey } = await store.createStaff(writer, { StaffId: 'S-9' });
        const [profile] = (await read(['AvailableProfiles'])).AvailableProfiles ?? [];
        const profileKey = String(profile?.ProfileKey);
        const given = jsonOf(await store.setProfile(writer, staffKey, profileKey, {}));
        expect(given).toEqual({ Name: profile?.Name, ProfileKey: profileKey, IsViewable: true, IsSchedulable: false });
        await store.setProfile(writer, staffKey, profileKey, { IsSchedulable: true });
        const changed = jsonOf(await store.setProfile(writer, staffKey, profileKey, {}));
        expect(changed).toEqual({ ...given, IsSchedulable: true });
        expect(jsonOf(await store.listProfiles(admin, staffKey))).toEqual([changed]);
      });

      it('does not find a profile that the company lacks', async () => {
        expect((await rejection(store.setProfile(writer, key, 'no-profile', {}))).code).toBe('not_found');
      });
    });
  });
}
