import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Schemas, StaffMember } from '../../entity-model.ts';
import type { StaffStore } from '../staff-store.ts';
import {
  admin,
  demo,
  jsonOf,
  list,
  now,
  type OpenSeeded,
  readPerson,
  rejection,
  writer,
} from './store-kit.contract.ts';

/** Sequences of writes: few in `npm test`, more on demand. */
const numRuns = Number(process.env.WRITE_MODEL_RUNS ?? 25);

const today = `${now.slice(0, 10)}T00:00:00`;
const day = fc.integer({ min: 0, max: 40 }).map((n) => `20${String(10 + n)}-01-01T00:00:00`);
const effectiveDate = fc.option(day, { nil: undefined });

/** Compares random sequences of writes with a model of a few lines. */
export function describeWriteModel(open: OpenSeeded): void {
  describe('behaves like its model', () => {
    let store: StaffStore;
    let people = 0;
    beforeAll(async () => {
      store = await open(12);
    });
    afterAll(() => store.close());
    const newPerson = async () => (await store.createStaff(writer, { StaffId: `model-${++people}` })).staffKey;

    it('addTag: stores a tag once, with the last date', async () => {
      const names = ['Blue', 'Green', 'Gold', 'Red'];
      const step = fc.record({ name: fc.constantFrom(...names), effectiveDate });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          const key = await newPerson();
          const model = new Map<string, string>();
          for (const { name, effectiveDate: from } of steps) {
            model.set(name, from ?? today);
            await store.addTag(writer, key, { category: 'Team', name, ...(from && { effectiveDate: from }) });
          }
          const [team] = (await readPerson(store, key, ['Tags'])).Tags ?? [];
          const expected = [...model].map(([name, from]) => [name, from, '2100-01-01T00:00:00']);
          expect(periodsOf(team).toSorted(byText)).toEqual(expected.toSorted(byText));
        }),
        { numRuns },
      );
    });

    it('addLocationTag: within a category tags follow each other without gaps and overlaps', async () => {
      const { key, locationKey, category, names } = await untaggedLocation();
      const step = fc.record({ tagName: fc.constantFrom(...names), effectiveDate });
      const model = new Map<string, string>();
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          for (const { tagName, effectiveDate: given } of steps) {
            const from = given ?? today;
            for (const [other, start] of model) if (start === from) model.delete(other);
            model.set(tagName, from);
            const body = { categoryName: category, tagName, ...(given && { effectiveDate: given }) };
            const written = jsonOf(
              await store.addLocationTag(writer, key, locationKey, body),
            ) as Schemas['StaffLocation'];
            const order = [...model].toSorted(([, a], [, b]) => byText(a, b));
            const expected = order.map(([name, start], i) => [name, start, order[i + 1]?.[1] ?? '2100-01-01T00:00:00']);
            const tags = written.Tags.find((one) => one.CategoryName === category);
            expect(periodsOf(tags).toSorted(([, a], [, b]) => byText(a, b))).toEqual(expected);
          }
        }),
        { numRuns },
      );
    });

    it('updateStaff: stores what is sent, clears null, and leaves the rest', async () => {
      const text = fc.string({ unit: 'grapheme-composite', maxLength: 12 }).filter((one) => !one.includes('\0'));
      const member = {
        FirstName: text,
        LastName: text,
        City: fc.option(text),
        Npi: fc.option(text),
        Fte: fc.option(fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((n) => n + 0)),
        IsActive: fc.boolean(),
        StartDate: fc.option(day),
        EndDate: fc.option(day),
      };
      const body = fc.record(member, { requiredKeys: [] }).filter((one) => Object.keys(one).length > 0);
      await fc.assert(
        fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 8 }), async (bodies) => {
          const key = await newPerson();
          let model: StaffMember = await readPerson(store, key);
          let revision = 1;
          for (const changes of bodies) {
            const outcome = { ...model, ...changes } as StaffMember;
            const { StartDate, EndDate } = outcome;
            if (StartDate != null && EndDate != null && StartDate > EndDate) {
              expect((await rejection(store.updateStaff(writer, key, changes))).code).toBe('validation_failed');
            } else {
              const written = await store.updateStaff(writer, key, changes);
              const changed = Object.entries(changes).filter(([name, value]) => value !== model[name as 'City']);
              if (changed.length > 0) revision++;
              const { LastModifiedDateUtc } = jsonOf(written) as StaffMember;
              const isLater = timeOf(LastModifiedDateUtc) > timeOf(model.LastModifiedDateUtc);
              expect(isLater).toBe(changed.length > 0);
              Object.assign(outcome, { LastModifiedDateUtc });
              expect([jsonOf(written), written.revision]).toEqual([outcome, revision]);
              const [audited] = await store.listAudit(demo, { limit: 1 });
              expect(audited?.changedFields.toSorted()).toEqual(changed.map(([name]) => name).toSorted());
              model = outcome;
            }
            expect(await readPerson(store, key)).toEqual(model);
          }
        }),
        { numRuns },
      );
    });

    /** A location of a person, and a category without tags there. */
    async function untaggedLocation() {
      const category = 'Employment';
      const names = ['Full time', 'Part time', 'Per diem', 'Locum tenens'];
      for (const { StaffKey } of await list(store, admin, '')) {
        const key = String(StaffKey);
        const locations = jsonOf(await store.listLocations(admin, key)) as Schemas['StaffLocation'][];
        const free = locations.find((one) => one.Tags.every((tags) => tags.CategoryName !== category));
        if (free !== undefined) return { key, locationKey: free.Location.LocationKey, category, names };
      }
      throw new Error('Everybody has a tag of the category everywhere.');
    }
  });
}

const timeOf = (stamp: string | undefined): number => Date.parse(String(stamp));
const byText = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : 1);

function periodsOf(category: Schemas['StaffTag'] | undefined): unknown[][] {
  return (category?.Tags ?? []).map((tag) => [tag.Name, tag.EffectiveFromDate, tag.EffectiveToDate]);
}
