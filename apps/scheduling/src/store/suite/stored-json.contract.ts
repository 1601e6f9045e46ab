import { afterEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../demo/random.ts';
import { entityOf, type StaffMember, staffMemberType } from '../../entity-model.ts';
import type { StaffStore } from '../staff-store.ts';
import { admin, jsonOf, list, type OpenSeeded, parse, reader, writer } from './store-kit.contract.ts';

const collections = ['Tags', 'Skillset', 'Profiles', 'AvailableProfiles', 'BadgeIds'];
/** A query with selected properties is answered from the tables. */
const everyMember = `$select=${entityOf(staffMemberType).names.join(',')}`;
const writes = 60;

/** The stored JSON of people always equals what the tables return. */
export function describeStoredJson(open: OpenSeeded): void {
  describe('stores the JSON of people', () => {
    let store: StaffStore;
    afterEach(() => store.close());

    it.each(['one', 'two', 'three'])('equal to the tables after random writes (%s)', async (seed) => {
      store = await open(15);
      await writeAtRandom(store, seed);
      for (const scope of [admin, reader]) {
        const [ready, made] = [
          await list(store, scope, '', collections),
          await list(store, scope, everyMember, collections),
        ];
        expect(ready.length).toBeGreaterThan(15);
        expect(ready).toEqual(made);
        for (const { StaffKey } of ready.slice(0, 5)) {
          const one = await store.readStaff(scope, String(StaffKey), parse('', collections));
          expect(jsonOf(one)).toEqual(made.find((person) => person.StaffKey === StaffKey));
        }
      }
    });
  });
}

async function writeAtRandom(store: StaffStore, seed: string): Promise<void> {
  const random = createRandom(seed);
  const people = await list(store, admin, '', collections);
  const text = () => random.pick(["O'Neil", 'Łukasz "Łuk"', 'line\nbreak', '中文', '\u0001', '', 'plain']);
  const known = <T>(read: (person: StaffMember) => readonly T[] | null | undefined): T =>
    random.pick(people.flatMap((person) => read(person) ?? []));
  for (let i = 0; i < writes; i++) {
    const key = String(random.pick(people).StaffKey);
    const write = random.pick([
      () =>
        store.updateStaff(writer, key, { City: text(), Fte: random.integer(0, 10) / 10, IsActive: random.chance(0.5) }),
      // Derived values: reports carry names, and so do the skills of the person.
      () => store.updateStaff(writer, key, { FirstName: text() || 'x', LastName: text() || 'y', Abbrev: `A${i}` }),
      () => store.setManager(writer, key, { ManagerKey: String(random.pick(people).StaffKey) }),
      () => store.createStaff(writer, { StaffId: `N-${seed}-${i}`, LastName: text() || 'z' }),
      () => {
        const category = known((person) => person.Tags);
        return store.addTag(writer, key, { TagKey: random.pick(category.Tags ?? []).Key as number });
      },
      () => {
        const task = String(known((person) => person.Skillset).TaskKey);
        return store.setSkillset(writer, key, task, { IsSkilledMon: random.chance(0.5), MonOccurrence: 'Weekly' });
      },
      () => store.removeSkillset(writer, key, String(known((person) => person.Skillset).TaskKey)),
      () => {
        const profile = String(known((person) => person.AvailableProfiles).ProfileKey);
        return store.setProfile(writer, key, profile, { IsViewable: random.chance(0.5) });
      },
    ]);
    // A rejected write changes neither.
    await write().catch(() => undefined);
  }
}
