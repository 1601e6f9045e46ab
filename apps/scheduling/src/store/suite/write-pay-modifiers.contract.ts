import { beforeEach, describe, expect, it } from 'vitest';
import type { Schemas } from '../../entity-model.ts';
import type { StaffStore } from '../staff-store.ts';
import { demo, faultsOf, jsonOf, lastKey, type OpenSeeded, rejection, writer } from './store-kit.contract.ts';

export function describeWritePayModifiers(open: OpenSeeded): void {
  describe('writes pay modifiers', () => {
    let store: StaffStore;
    let key: string;
    beforeEach(async () => {
      store = await open(12);
      key = await lastKey(store);
      return () => store.close();
    });

    describe('pay modifiers', () => {
      const region = { LocationTagCategory: 'Region', LocationTagName: 'North' };
      const create = async (body: Schemas['PayModifierRequest']) =>
        jsonOf(await store.createPayModifier(writer, key, body)) as Schemas['PayModifier'];

      it('creates, changes what is sent, replaces all tags, and deletes', async () => {
        const tags = (await create({ ...region, StartDate: '2026-01-01' })) as Schemas['PayModifier'];
        expect(tags).toMatchObject({
          ...{ PayModifierKey: 'new-1', StaffMemberKey: key, CompanyKey: demo, TaskTagKey: null },
          ...{ LocationTagKey: expect.any(Number), StartDate: '2026-01-01T00:00:00', IsPrimaryPosition: false },
          PayModifierTagKeys: [],
        });
        const [CategoryKey, TagKey] = await keysOfTag('Team', 'Gold');
        const changes = { IsPrimaryPosition: true, PayModifierTags: [{ CategoryKey, TagKey }] };
        const changed = jsonOf(await store.updatePayModifier(writer, key, 'new-1', changes));
        const carried = [{ CategoryKey, CategoryName: 'Team', TagKey, TagName: 'Gold' }];
        expect(changed).toEqual({ ...tags, IsPrimaryPosition: true, PayModifierTagKeys: carried });
        const cleared = { LocationTagCategory: null, LocationTagName: null, PayModifierTags: [] };
        expect(jsonOf(await store.updatePayModifier(writer, key, 'new-1', cleared))).toMatchObject({
          ...{ LocationTagKey: null, PayModifierTagKeys: [] },
        });
        await store.deletePayModifier(writer, key, 'new-1');
        expect((await rejection(store.deletePayModifier(writer, key, 'new-1'))).code).toBe('not_found');
      });

      it('lists every fault: dates out of order, half a name, missing tags', async () => {
        const body = {
          ...{ StartDate: '2026-02-01', EndDate: '2026-01-01', LocationTagCategory: 'Region' },
          ...{
            TaskTagCategory: 'Shift type',
            TaskTagName: 'Never',
            PayModifierTags: [{ CategoryKey: 1, TagKey: 10_000 }],
          },
        };
        const pointers = ['/LocationTagName', '/TaskTagName', '/EndDate', '/PayModifierTags/0/TagKey'];
        expect(await faultsOf(store.createPayModifier(writer, key, body))).toEqual(pointers);
      });

      it('rejects a repeated tag, and one of another category', async () => {
        const [CategoryKey, TagKey] = await keysOfTag('Team', 'Gold');
        const PayModifierTags = [
          { CategoryKey, TagKey },
          { CategoryKey: CategoryKey + 1, TagKey },
          { CategoryKey, TagKey: 1e15 },
          { CategoryKey, TagKey },
        ];
        const pointers = ['/PayModifierTags/1/CategoryKey', '/PayModifierTags/2/TagKey', '/PayModifierTags/3'];
        expect(await faultsOf(store.createPayModifier(writer, key, { PayModifierTags }))).toEqual(pointers);
      });

      it('checks no order for a date that is not in the calendar', async () => {
        const work = store.createPayModifier(writer, key, { StartDate: '2026-02-30', EndDate: '2020-01-01' });
        expect(await faultsOf(work)).toEqual(['/StartDate']);
      });

      it('checks the order of dates against stored dates', async () => {
        await create({ StartDate: '2026-01-01', EndDate: '2026-06-01' });
        const work = store.updatePayModifier(writer, key, 'new-1', { StartDate: '2026-07-01' });
        expect(await faultsOf(work)).toEqual(['/StartDate']);
      });

      it('does not find the pay modifier of another person', async () => {
        await create({ StartDate: '2026-01-01' });
        const { staffKey } = await store.createStaff(writer, { StaffId: 'S-9' });
        for (const work of [
          store.updatePayModifier(writer, staffKey, 'new-1', { PositionId: 'P' }),
          store.deletePayModifier(writer, staffKey, 'new-1'),
        ]) {
          expect((await rejection(work)).code).toBe('not_found');
        }
      });

      async function keysOfTag(category: string, name: string): Promise<[number, number]> {
        const written = jsonOf(await store.addTag(writer, key, { category, name })) as Schemas['StaffTag'];
        return [Number(written.CategoryKey), Number(written.Tags?.find((tag) => tag.Name === name)?.Key)];
      }
    });
  });
}
