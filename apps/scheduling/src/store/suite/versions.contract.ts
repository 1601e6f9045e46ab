import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plainQuery } from '../../staff-query.ts';
import { type VersionedJson, versionTag } from '../person-version.ts';
import type { WriteScope } from '../scope.ts';
import type { StaffStore } from '../staff-store.ts';
import { admin, demo, jsonOf, list, type OpenSeeded, readPerson, rejection, writer } from './store-kit.contract.ts';

/** A write that changes a person who has one pay modifier and one skill. */
type Write = (store: StaffStore, scope: WriteScope, key: string, known: Known) => Promise<VersionedJson>;

interface Known {
  readonly locationKey: string;
  readonly taskKey: string;
  readonly modifierKey: string;
}

const writes: Readonly<Record<string, Write>> = {
  createStaff: async (store, scope, key) => {
    const { StaffId } = await readPerson(store, key);
    return store.createStaff(scope, { StaffId: String(StaffId), City: 'Bern', UpdateIfExisting: true });
  },
  updateStaff: (store, scope, key) => store.updateStaff(scope, key, { City: 'Bern' }),
  setManager: async (store, scope, key) => {
    const { ManagerId } = await readPerson(store, key);
    const [first] = await list(store, admin, '$orderby=StaffId&$top=1');
    const change = ManagerId === null ? { ManagerId: String(first?.StaffId) } : { IsClearManagerId: true as const };
    return store.setManager(scope, key, change);
  },
  addTag: (store, scope, key) =>
    store.addTag(scope, key, { category: 'Team', name: 'Gold', effectiveDate: '2031-01-01' }),
  addLocationTag: (store, scope, key, { locationKey }) =>
    store.addLocationTag(scope, key, locationKey, {
      ...{ categoryName: 'Team', tagName: 'Gold', effectiveDate: '2031-01-01' },
    }),
  setSkillset: (store, scope, key, { taskKey }) =>
    store.setSkillset(scope, key, taskKey, { MonOccurrence: 'Every other week' }),
  removeSkillset: (store, scope, key, { taskKey }) => store.removeSkillset(scope, key, taskKey),
  setProfile: async (store, scope, key) => {
    const profile = (await readPerson(store, key, ['AvailableProfiles'])).AvailableProfiles?.[0];
    return store.setProfile(scope, key, String(profile?.ProfileKey), {
      IsSchedulable: profile?.IsSchedulable !== true,
    });
  },
  createPayModifier: (store, scope, key) => store.createPayModifier(scope, key, { PositionId: 'P-1' }),
  updatePayModifier: (store, scope, key, { modifierKey }) =>
    store.updatePayModifier(scope, key, modifierKey, { PositionId: 'P-2' }),
  deletePayModifier: (store, scope, key, { modifierKey }) => store.deletePayModifier(scope, key, modifierKey),
};

/** The version of a person, and conditional writes. */
export function describeVersions(open: OpenSeeded): void {
  describe('tracks versions', () => {
    let store: StaffStore;
    let people: string[];
    let key: string;
    let known: Known;
    beforeAll(async () => {
      store = await open(60);
      people = (await list(store, admin, '$orderby=StaffId')).map((person) => String(person.StaffKey));
    });
    afterAll(() => store.close());
    // A person that no earlier test has changed.
    beforeEach(async () => {
      key = people.pop() as string;
      const [location] = jsonOf(await store.listLocations(admin, key));
      const taskKey = 'task-5';
      await store.setSkillset(writer, key, taskKey, { IsSkilledSun: true });
      const modifier = jsonOf(await store.createPayModifier(writer, key, { StartDate: '2026-01-01' }));
      known = { locationKey: location.Location.LocationKey, taskKey, modifierKey: modifier.PayModifierKey };
    });
    const revisionOf = async (staffKey = key) => (await store.readStaff(admin, staffKey, plainQuery)).revision;
    const tagOf = async () => versionTag(await store.readStaff(admin, key, plainQuery));
    const auditSize = async () => (await store.listAudit(demo, { limit: 100, staffKey: key })).length;

    it('starts at 1, and returns the same version on every read of the person', async () => {
      const { staffKey, revision } = await store.createStaff(writer, { StaffId: 'S-first' });
      expect(revision).toBe(1);
      for (const read of [
        store.readStaff(admin, staffKey, plainQuery),
        store.listLocations(admin, staffKey),
        store.listProfiles(admin, staffKey),
        store.listPayModifiers(admin, staffKey),
        store.listBadges(admin, staffKey),
        store.listRequestLimits(admin, staffKey, []),
      ]) {
        expect((await read).revision).toBe(1);
      }
    });

    it.each(Object.entries(writes))('%s makes the next version and returns it', async (_, write) => {
      const before = await revisionOf();
      const written = await write(store, writer, key, known);
      expect([written.revision, await revisionOf()]).toEqual([before + 1, before + 1]);
      expect(versionTag(written)).toBe(await tagOf());
    });

    it.each(Object.entries(writes))('%s accepts the stored version, and *', async (_, write) => {
      const ifMatch = ['0', await tagOf()];
      await expect(write(store, { ...writer, ifMatch }, key, known)).resolves.toMatchObject({
        json: expect.any(String),
      });
    });

    it.each(Object.entries(writes))('%s rejects another version, and a weak tag', async (_, write) => {
      const before = await store.readStaff(admin, key, plainQuery);
      const audited = await auditSize();
      for (const ifMatch of [
        [versionTag({ ...before, revision: before.revision - 1 })],
        [String(before.revision)],
        [],
      ]) {
        const { code, detail } = await rejection(write(store, { ...writer, ifMatch }, key, known));
        expect([code, detail]).toEqual(['precondition_failed', expect.stringMatching(/[Rr]ead (it again|the person)/)]);
      }
      expect(await store.readStaff(admin, key, plainQuery)).toEqual(before);
      expect(await auditSize()).toBe(audited);
    });

    it('keeps the version when a write changes nothing', async () => {
      const person = await readPerson(store, key, ['Tags', 'Profiles']);
      const tag = { category: 'Team', name: 'Gold', effectiveDate: '2031-01-01' };
      const profile = person.Profiles?.[0];
      await store.addTag(writer, key, tag);
      await store.addLocationTag(writer, key, known.locationKey, {
        ...{ categoryName: 'Team', tagName: 'Gold', effectiveDate: '2031-01-01' },
      });
      const before = await revisionOf();
      const unchanged = await tagOf();
      expect(versionTag(await store.updateStaff(writer, key, { City: person.City ?? null }))).toBe(unchanged);
      await store.setManager(
        writer,
        key,
        person.ManagerId == null ? { IsClearManagerId: true } : { ManagerId: person.ManagerId },
      );
      await store.addTag(writer, key, tag);
      await store.addLocationTag(writer, key, known.locationKey, {
        ...{ categoryName: 'Team', tagName: 'Gold', effectiveDate: '2031-01-01' },
      });
      await store.setSkillset(writer, key, known.taskKey, { IsSkilledSun: true });
      await store.setProfile(writer, key, String(profile?.ProfileKey), { IsViewable: profile?.IsViewable === true });
      await store.updatePayModifier(writer, key, known.modifierKey, { StartDate: '2026-01-01', PayModifierTags: [] });
      expect(await revisionOf()).toBe(before);
      const audit = await store.listAudit(demo, { limit: 7 });
      expect(audit.map((entry) => entry.changedFields)).toEqual(audit.map(() => []));
    });

    it('makes a new version of each report of a renamed manager', async () => {
      const { staffKey } = await store.createStaff(writer, { StaffId: 'S-boss' });
      await store.setManager(writer, key, { ManagerId: 'S-boss' });
      const before = await revisionOf();
      await store.updateStaff(writer, staffKey, { City: 'Bern' });
      expect(await revisionOf()).toBe(before);
      expect((await store.updateStaff(writer, staffKey, { LastName: 'Łuczak' })).revision).toBe(3);
      expect(await revisionOf()).toBe(before + 1);
    });

    it('checks existence before the version, and the version before faults of the body', async () => {
      const scope = { ...writer, ifMatch: ['0'] };
      for (const work of [
        store.updateStaff(scope, 'nobody', { City: 'Bern' }),
        store.addLocationTag(scope, key, 'nowhere', { TagKey: 1 }),
        store.setSkillset(scope, key, 'no-task', { IsSkilledMon: true }),
        store.removeSkillset(scope, key, 'no-task'),
        store.setProfile(scope, key, 'no-profile', {}),
        store.updatePayModifier(scope, key, 'no-modifier', { PositionId: 'P' }),
        store.deletePayModifier(scope, key, 'no-modifier'),
      ]) {
        expect((await rejection(work)).code).toBe('not_found');
      }
      for (const work of [
        store.updateStaff(scope, key, { StartDate: '2026-02-31' }),
        store.addTag(scope, key, { TagKey: 10_000 }),
        store.createPayModifier(scope, key, { StartDate: '2026-02-31' }),
      ]) {
        expect((await rejection(work)).code).toBe('precondition_failed');
      }
    });

    it('requires the version for UpdateIfExisting, and adds no person with If-Match', async () => {
      for (const ifMatch of [['1'], '*'] as const) {
        const { code } = await rejection(store.createStaff({ ...writer, ifMatch }, { StaffId: 'S-9' }));
        expect(code).toBe('precondition_failed');
      }
      const StaffId = String((await readPerson(store, key)).StaffId);
      const taken = await rejection(store.createStaff({ ...writer, ifMatch: ['0'] }, { StaffId }));
      expect(taken.code).toBe('conflict');
    });

    it('lets exactly one of many concurrent writes on the same version succeed', async () => {
      const ifMatch = [await tagOf()];
      const tries = Array.from({ length: 10 }, (_, i) =>
        store.updateStaff({ ...writer, ifMatch }, key, { City: `Bern ${i}` }),
      );
      const outcomes = await Promise.allSettled(tries);
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
      const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
      expect(new Set(codes)).toEqual(new Set(['precondition_failed']));
    });
  });
}
