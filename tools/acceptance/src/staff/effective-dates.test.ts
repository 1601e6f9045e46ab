import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, createPerson, list, pathOf } from './callers.ts';
import { findKnownPerson } from './known-keys.ts';

interface Tag {
  readonly Name: string;
  readonly EffectiveFromDate: string;
  readonly EffectiveToDate: string;
}

describe.each(staffServers)('%s', (server) => {
  const write = (path: string, method: string, json: unknown) => callAs(server, 'admin', path, { method, json });
  const periods = (tags: readonly Tag[]) =>
    tags.map(({ Name, EffectiveFromDate, EffectiveToDate }) =>
      [Name, EffectiveFromDate.slice(0, 10), EffectiveToDate.slice(0, 10)].join(' '),
    );
  const today = () => new Date().toISOString().slice(0, 10);

  test('rule effective dates: a tag of a person begins on the sent date or today, and on a new date when sent again', async () => {
    const person = await createPerson(server);
    const add = async (body: object) => {
      const { status, body: response } = await write(pathOf(person, '/tag'), 'POST', { category: 'Team', ...body });
      expect(status).toBe(201);
      return periods(response.Tags).sort();
    };
    const before = today();
    const undated = await add({ name: 'Blue' });
    expect([`Blue ${before} 2100-01-01`, `Blue ${today()} 2100-01-01`]).toContain(undated[0]);
    expect(await add({ name: 'Gold', effectiveDate: '2027-05-01' })).toContain('Gold 2027-05-01 2100-01-01');
    expect(await add({ name: 'Blue', effectiveDate: '2020-02-29T00:00:00' })).toEqual([
      'Blue 2020-02-29 2100-01-01',
      'Gold 2027-05-01 2100-01-01',
    ]);
  });

  test('rule effective dates: a tag of a location ends where the next begins and replaces one with the same start', async () => {
    const { keys } = await findKnownPerson(server, 'admin', server === 'scheduling' ? 150 : 151);
    const path = `/v2/staffmember/${encodeURIComponent(keys.staff_key)}/location/${encodeURIComponent(keys.location_key ?? '')}/tag`;
    const put = async (tagName: string, effectiveDate: string) => {
      const json = { categoryName: 'Employment', tagName, effectiveDate };
      const { status, body } = await write(path, 'PUT', json);
      expect(status).toBe(200);
      const { Tags } = body.Tags.find((one: { CategoryName: string }) => one.CategoryName === 'Employment');
      // The tags of the demo data begin earlier.
      const ours = Tags.filter(({ EffectiveFromDate }: Tag) => EffectiveFromDate >= '2031');
      return periods(ours.sort((a: Tag, b: Tag) => a.EffectiveFromDate.localeCompare(b.EffectiveFromDate)));
    };
    expect(await put('Full time', '2031-01-01')).toEqual(['Full time 2031-01-01 2100-01-01']);
    expect(await put('Part time', '2033-01-01')).toEqual([
      'Full time 2031-01-01 2033-01-01',
      'Part time 2033-01-01 2100-01-01',
    ]);
    expect(await put('Per diem', '2032-01-01')).toEqual([
      'Full time 2031-01-01 2032-01-01',
      'Per diem 2032-01-01 2033-01-01',
      'Part time 2033-01-01 2100-01-01',
    ]);
    expect(await put('Per diem', '2033-01-01')).toEqual([
      'Full time 2031-01-01 2033-01-01',
      'Per diem 2033-01-01 2100-01-01',
    ]);
  });

  test.each(['2100-01-01', '2150-06-01T00:00:00', '2026-02-29', 'tomorrow'])(
    'addStaffTag 400: rejects the start date %s, because every tag ends on 2100-01-01',
    async (effectiveDate) => {
      const person = await createPerson(server);
      const { status, body } = await write(pathOf(person, '/tag'), 'POST', {
        category: 'Team',
        name: 'Blue',
        effectiveDate,
      });
      expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
        400,
        ['/effectiveDate'],
      ]);
    },
  );

  test.each([
    ['/tag', 'POST', { category: 'Team', name: 'No such tag' }, '/name'],
    ['/tag', 'POST', { category: 'No such category', name: 'Blue' }, '/category'],
    ['/tag', 'POST', { TagKey: 987_654_321 }, '/TagKey'],
  ])('addStaffTag 400: rejects a tag that the company lacks: %s %s %j', async (rest, method, json, pointer) => {
    const person = await createPerson(server);
    const { status, body } = await write(pathOf(person, rest), method, json);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual([expect.objectContaining({ pointer })]);
  });

  test('addStaffTag 400: rejects a category or name that does not match the key', async () => {
    const person = await createPerson(server);
    const post = (json: unknown) => write(pathOf(person, '/tag'), 'POST', json);
    const TagKey = (await post({ category: 'Team', name: 'Blue' })).body.Tags[0].Key;
    for (const [json, pointer] of [
      [{ TagKey, category: 'Language' }, '/category'],
      [{ TagKey, name: 'Gold' }, '/name'],
    ] as const) {
      const { status, body } = await post(json);
      expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer })]]);
    }
    expect((await post({ TagKey, category: 'Team' })).status).toBe(201);
  });

  test('addStaffLocationTag 400: rejects a category that does not match the key', async () => {
    const { keys, tag } = await findKnownPerson(server, 'admin', server === 'scheduling' ? 152 : 153);
    const path = `/v2/staffmember/${encodeURIComponent(keys.staff_key)}/location/${encodeURIComponent(keys.location_key ?? '')}/tag`;
    const { status, body } = await write(path, 'PUT', { TagKey: tag.TagKey, categoryName: 'No such category' });
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/categoryName' })]]);
  });

  test('addStaffLocationTag 400: rejects a tag that the company lacks and suggests a similar one', async () => {
    const { keys } = await findKnownPerson(server, 'admin', server === 'scheduling' ? 152 : 153);
    const path = `/v2/staffmember/${encodeURIComponent(keys.staff_key)}/location/${encodeURIComponent(keys.location_key ?? '')}/tag`;
    const { status, body } = await write(path, 'PUT', { categoryName: 'Employment', tagName: 'Ful time' });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors[0]).toMatchObject({ pointer: '/tagName', detail: expect.stringContaining('Full time') });
  });

  test('a time clock tag is only in TTCMTags', async () => {
    const person = await createPerson(server);
    const json = { category: 'Time Clock', name: 'On call' };
    expect((await write(pathOf(person, '/tag'), 'POST', json)).status).toBe(201);
    const { Tags, TTCMTags } = (await callAs(server, 'admin', pathOf(person, '?$expand=Tags'))).body;
    expect([Tags, TTCMTags.map(({ CategoryName }: { CategoryName: string }) => CategoryName)]).toEqual([
      [],
      ['Time Clock'],
    ]);
    const { body } = await list(server, 'reader', { $filter: `StaffKey eq '${person.StaffKey}'`, includes: 'Tags' });
    expect([body[0].Tags, body[0].TTCMTags]).toEqual([[], []]);
  });
});
