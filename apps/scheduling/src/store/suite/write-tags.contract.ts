import { beforeEach, describe, expect, it } from 'vitest';
import type { Schemas } from '../../entity-model.ts';
import type { StaffStore } from '../staff-store.ts';
import {
  admin,
  faultsOf,
  jsonOf,
  lastKey,
  type OpenSeeded,
  readPerson,
  rejection,
  writer,
} from './store-kit.contract.ts';

/** Tags of people, and of people at locations. */
export function describeWriteTags(open: OpenSeeded): void {
  describe('writes tags', () => {
    let store: StaffStore;
    let key: string;
    beforeEach(async () => {
      store = await open(12);
      key = await lastKey(store);
      return () => store.close();
    });
    const read = (includes: string[] = [], staffKey = key) => readPerson(store, staffKey, includes);

    describe('addTag', () => {
      const tagOf = async (category: string) =>
        (await read(['Tags'])).Tags?.find((one) => one.CategoryName === category)?.Tags ?? [];

      it('adds by name from the given date, and returns the category', async () => {
        const body = { category: 'Team', name: 'Gold', effectiveDate: '2027-03-01' };
        const written = jsonOf(await store.addTag(writer, key, body)) as Schemas['StaffTag'];
        const period = { EffectiveFromDate: '2027-03-01T00:00:00', EffectiveToDate: '2100-01-01T00:00:00' };
        expect(written).toMatchObject({ CategoryName: 'Team', CategoryKey: expect.any(Number) });
        expect(written.Tags).toContainEqual({ Key: expect.any(Number), Name: 'Gold', ...period });
        expect(await tagOf('Team')).toEqual(written.Tags);
      });

      it('adds by key from today, and never twice', async () => {
        const first = jsonOf(await store.addTag(writer, key, { category: 'Team', name: 'Gold' }));
        const TagKey = first.Tags.find((tag: Schemas['TagEntry']) => tag.Name === 'Gold').Key as number;
        expect(jsonOf(await store.addTag(writer, key, { TagKey }))).toEqual(first);
        const gold = (await tagOf('Team')).filter((tag) => tag.Name === 'Gold');
        expect(gold).toMatchObject([{ EffectiveFromDate: '2026-11-21T00:00:00' }]);
      });

      it('keeps time clock tags separate', async () => {
        const written = jsonOf(await store.addTag(writer, key, { category: 'Time Clock', name: 'On call' }));
        const { Tags, TTCMTags } = await read(['Tags']);
        expect(TTCMTags).toContainEqual(written);
        expect(Tags?.map((one) => one.CategoryName)).not.toContain('Time Clock');
      });

      it('rejects tags that the company lacks, and names the part', async () => {
        expect(await faultsOf(store.addTag(writer, key, { category: 'No', name: 'Gold' }))).toEqual(['/category']);
        expect(await faultsOf(store.addTag(writer, key, { category: 'Team', name: 'No' }))).toEqual(['/name']);
        for (const TagKey of [10_000, 0, -1, 2 ** 31, 1e300]) {
          expect(await faultsOf(store.addTag(writer, key, { TagKey }))).toEqual(['/TagKey']);
        }
      });

      it('accepts the category of the tag beside its key, and rejects another', async () => {
        const first = jsonOf(await store.addTag(writer, key, { category: 'Team', name: 'Gold' }));
        const TagKey = Number(first.Tags.find((tag: Schemas['TagEntry']) => tag.Name === 'Gold').Key);
        expect(jsonOf(await store.addTag(writer, key, { TagKey, category: 'Team' }))).toEqual(first);
        const category = store.addTag(writer, key, { TagKey, category: 'Language' });
        expect(await faultsOf(category)).toEqual(['/category']);
        expect(await faultsOf(store.addTag(writer, key, { TagKey, name: 'Blue' }))).toEqual(['/name']);
      });

      it('suggests the closest name', async () => {
        const slip = await rejection(store.addTag(writer, key, { category: 'Team', name: 'Godl' }));
        expect(slip.errors[0]?.detail).toContain('Did you mean Gold?');
        const other = await rejection(store.addTag(writer, key, { category: 'team', name: 'Gold' }));
        expect(other.errors[0]?.detail).toContain('Did you mean Team?');
      });

      it('rejects a tag that would end before it starts, and an invalid date', async () => {
        for (const effectiveDate of ['2100-01-01', '2150-06-01T00:00:00', '2026-02-29']) {
          const work = store.addTag(writer, key, { category: 'Team', name: 'Godl', effectiveDate });
          expect(await faultsOf(work)).toEqual(['/effectiveDate', '/name']);
        }
      });

      it('treats a missing date and null as today', async () => {
        for (const dated of [{}, { effectiveDate: null }]) {
          await store.addTag(writer, key, { category: 'Team', name: 'Gold', effectiveDate: '2020-01-01' });
          await store.addTag(writer, key, { category: 'Team', name: 'Gold', ...dated });
          const gold = (await tagOf('Team')).filter((tag) => tag.Name === 'Gold');
          expect(gold).toMatchObject([{ EffectiveFromDate: '2026-11-21T00:00:00' }]);
        }
      });
    });

    describe('addLocationTag', () => {
      const locations = async () => jsonOf(await store.listLocations(admin, key)) as Schemas['StaffLocation'][];
      const put = async (tagName: string, effectiveDate: string) => {
        const locationKey = String((await locations())[0]?.Location.LocationKey);
        const body = { categoryName: 'Employment', tagName, effectiveDate };
        const written = jsonOf(await store.addLocationTag(writer, key, locationKey, body));
        return written.Tags.find((one: Schemas['StaffTag']) => one.CategoryName === 'Employment').Tags.map(
          (tag: Schemas['TagEntry']) => [
            tag.Name,
            tag.EffectiveFromDate?.slice(0, 4),
            tag.EffectiveToDate?.slice(0, 4),
          ],
        );
      };

      it('lets a tag end the one before it, and end where the next begins', async () => {
        await put('Full time', '2010-01-01');
        await put('Part time', '2030-01-01');
        const tags = await put('Per diem', '2027-01-01');
        expect(tags).toContainEqual(['Part time', '2030', '2100']);
        expect(tags).toContainEqual(['Per diem', '2027', '2030']);
        expect(tags).toContainEqual(['Full time', '2010', expect.not.stringMatching('2100')]);
      });

      it('does not find a location that the person lacks', async () => {
        const body = { categoryName: 'Employment', tagName: 'Full time' };
        expect((await rejection(store.addLocationTag(writer, key, 'nowhere', body))).code).toBe('not_found');
      });
    });
  });
}
