import {
  AuthorizationError,
  countOf,
  createStaffClient,
  etagOf,
  NotFoundError,
  PreconditionError,
  staffFilter,
  ValidationError,
} from '@rostergate/staff-client';
import { describe, expect, inject, test } from 'vitest';
import { entityOf } from '../../../../apps/scheduling/src/entity-model.ts';
import { unchangedPeople } from '../staff/known-keys.ts';
import { differs } from '../staff/proxy-differences.ts';

const { urls, credentials } = inject('servers');
const companyKey = credentials.COMPANY_KEY;

const logIn = (email: string, password: string, baseUrl = urls.scheduling) =>
  createStaffClient({ baseUrl, login: { email, password }, companyKey });
const clients = {
  scheduling: {
    admin: logIn(credentials.SCHEDULING_ADMIN_EMAIL, credentials.SCHEDULING_ADMIN_PASSWORD),
    reader: logIn(credentials.SCHEDULING_EMAIL, credentials.SCHEDULING_PASSWORD),
    atVersion: logIn(credentials.SCHEDULING_EMAIL, credentials.SCHEDULING_PASSWORD, `${urls.scheduling}/v2`),
  },
  'staff-proxy': {
    admin: createStaffClient({ baseUrl: urls['staff-proxy'], key: credentials.STAFF_PROXY_ADMIN_KEY }),
    reader: createStaffClient({ baseUrl: urls['staff-proxy'], key: credentials.STAFF_PROXY_KEY }),
    atVersion: createStaffClient({ baseUrl: `${urls['staff-proxy']}/v2/`, key: credentials.STAFF_PROXY_KEY }),
  },
};

describe.each(['scheduling', 'staff-proxy'] as const)('%s', (server) => {
  const { admin, reader, atVersion } = clients[server];

  test('finds one person by StaffKey, with tags for the admin and none for the reader', async () => {
    const $filter = `${unchangedPeople} and Tags/any()`;
    const [first] = await admin.listStaffMembers({ query: { $filter, $top: 1 } });
    const request = staffFilter((s) => s.StaffKey.eq(first?.StaffKey ?? ''));
    const [forAdmin, ...others] = await admin.listStaffMembers({ filter: request, expand: ['Tags'] });
    expect(others).toEqual([]);
    expect(forAdmin?.Tags.length).toBeGreaterThan(0);
    const [forReader] = await reader.listStaffMembers({ filter: request, expand: ['Tags'] });
    expect(forReader).toEqual({ ...forAdmin, Tags: [], TTCMTags: [] });
  });

  test('returns null for collections that are not expanded, and omits fields that are not selected', async () => {
    const [plain] = await admin.listStaffMembers({ query: { $top: 1 } });
    const collections = ['Tags', 'TTCMTags', 'Skillset', 'Profiles', 'AvailableProfiles', 'BadgeIds'] as const;
    expect(collections.map((name) => plain?.[name])).toEqual(collections.map(() => null));
    const { names } = entityOf('StaffMemberDetailDto');
    expect(Object.keys(plain ?? {}).sort()).toEqual([...names].sort());
    const [chosen] = await admin.listStaffMembers({
      select: ['LastName', 'Tags'],
      expand: ['Profiles'],
      query: { $top: 1, includes: ['AvailableProfiles'] },
    });
    expect(Object.keys(chosen ?? {}).sort()).toEqual(['AvailableProfiles', 'LastName', 'Profiles', 'Tags']);
    expect(chosen?.Tags).toBeNull();
  });

  test('a filter finds the matching people', async () => {
    const since = new Date('2020-01-01');
    const people = await reader.listStaffMembers({
      filter: (s) => s.LastName.contains("'").and(s.Fte.ge(0.5), s.StartDate.gt(since), s.IsActive.or(s.Npi.eq(null))),
      orderby: ['LastName desc', 'StaffKey'],
    });
    const all = await reader.listStaffMembers();
    const fits = ({ LastName, Fte, StartDate, IsActive, Npi }: (typeof all)[number]) =>
      LastName.includes("'") && (Fte ?? 0) >= 0.5 && new Date(`${StartDate}Z`) > since && (IsActive || Npi === null);
    expect(people.length).toBeGreaterThan(0);
    expect(people.map((one) => one.StaffKey).sort()).toEqual(
      all
        .filter(fits)
        .map((one) => one.StaffKey)
        .sort(),
    );
    const names = people.map((one) => one.LastName);
    expect(names).toEqual([...names].sort().reverse());
  });

  test('a filter over collections finds the matching people', async () => {
    const [someone] = await admin.listStaffMembers({
      expand: ['Skillset'],
      filter: (s) => s.Skillset.any(),
      query: { $top: 1 },
    });
    const task = someone?.Skillset[0]?.TaskName ?? '';
    const filter = staffFilter((s) => s.Skillset.any((skill) => skill.TaskName.eq(task)));
    const found = await admin.listStaffMembers({ filter, expand: ['Skillset'] });
    expect(found.every(({ Skillset }) => Skillset.some(({ TaskName }) => TaskName === task))).toBe(true);
    expect(found.map((one) => one.StaffKey)).toContain(someone?.StaffKey);
    const forReader = reader.listStaffMembers({ filter });
    if (differs(server, 'condition on hidden data')) {
      await expect(forReader).rejects.toMatchObject({ status: 403, code: 'scope_missing' });
    } else expect(await forReader).toEqual([]);
  });

  test('pages contain every person once, in order', async () => {
    const request = {
      select: ['StaffKey'],
      orderby: ['LastName'],
      filter: staffFilter((s) => s.StaffId.startsWith('S-')),
    } as const;
    const sizes: number[] = [];
    const keys: string[] = [];
    for await (const people of reader.pages({ ...request, pageSize: 300 })) {
      sizes.push(people.length);
      keys.push(...people.map((one) => one.StaffKey));
    }
    expect(sizes).toEqual([300, 300, 300, 100]);
    expect(keys).toEqual((await reader.listStaffMembers(request)).map((one) => one.StaffKey));
  });

  test('returns the same tags and skills of a person as the list', async () => {
    const [person] = await admin.listStaffMembers({
      filter: (s) => s.Tags.any().and(s.Skillset.any()),
      expand: ['Tags', 'Skillset'],
      query: { $top: 1 },
    });
    const staffKey = person?.StaffKey ?? '';
    expect(await admin.staffTags(staffKey)).toEqual(person?.Tags);
    expect(await admin.staffSkillset(staffKey)).toEqual(person?.Skillset);
    expect(await reader.staffTags(staffKey)).toEqual([]);
    await expect(admin.staffTags("no 'such' person")).rejects.toThrow(NotFoundError);
  });

  test('a write with the ETag of a read succeeds once', async () => {
    const body = { StaffId: `C-${server}`, FirstName: 'Ada', LastName: 'Osei', UpdateIfExisting: true };
    const { StaffKey: staff_key } = await admin.createStaffMember({ body });
    const path = { staff_key };
    const person = await admin.getStaffMember({ path });
    expect(await admin.getStaffMember({ path, ifNoneMatch: etagOf(person) })).toBeUndefined();
    const changed = await admin.updateStaffMember({ path, body: { Fte: 0.5 }, ifMatch: etagOf(person) });
    expect(changed.Fte).toBe(0.5);
    const again = admin.updateStaffMember({ path, body: { Fte: 0.7 }, ifMatch: etagOf(person) });
    await expect(again).rejects.toThrow(PreconditionError);
    expect(etagOf(changed)).not.toBe(etagOf(person));
    expect((await admin.getStaffMember({ path })).Fte).toBe(0.5);
  });

  test('counts the matches of a list, which is still an array', async () => {
    const people = await reader.listStaffMembers({ filter: (s) => s.StaffId.startsWith('S-'), count: true, top: 1 });
    expect([countOf(people), people.length]).toEqual([1_000, 1]);
  });

  test('iterates over everybody, at an address that ends in /v2', async () => {
    const filter = staffFilter((s) => s.StaffId.startsWith('S-'));
    const keys = new Set<string>();
    for await (const { StaffKey } of atVersion.people({ filter, select: ['StaffKey'], pageSize: 400 }))
      keys.add(StaffKey);
    expect(keys.size).toBe(1_000);
  });

  test('changes() continues a round after its stored token, and delivers deactivated people once', async () => {
    const ids = [1, 2, 3].map((n) => `U-${server}-${n}`);
    const [first] = await Promise.all(ids.map((StaffId) => admin.upsert({ body: { StaffId } })));
    const since = '2020-01-01T00:00:00Z';
    let token = '';
    const received: { StaffId: string; IsActive: boolean }[] = [];
    for await (const { people, ...page } of atVersion.changes({
      since,
      pageSize: 400,
      select: ['StaffId', 'IsActive'],
    })) {
      received.push(...people);
      token = page.token;
      break;
    }
    for await (const { people, ...page } of reader.changes({ since: token, select: ['StaffId', 'IsActive'] })) {
      received.push(...people);
      token = page.token;
    }
    const namedIn = (people: typeof received) => people.filter(({ StaffId }) => ids.includes(StaffId));
    expect(
      namedIn(received)
        .map(({ StaffId }) => StaffId)
        .sort(),
    ).toEqual(ids);
    // Other files change the other people meanwhile, who are received again.
    const unchanged = received.map(({ StaffId }) => StaffId).filter((id) => id.startsWith('S-') && id < 'S-1500');
    expect(new Set(unchanged).size).toBe(unchanged.length);

    const deactivated = await admin.upsert({ body: { StaffId: ids[0] ?? '', IsActive: false } });
    expect([first?.outcome, deactivated.outcome]).toEqual(['created', 'updated']);
    const changed: typeof received = [];
    for await (const { people } of reader.changes({ since: token, select: ['StaffId', 'IsActive'] }))
      changed.push(...people);
    expect(namedIn(changed)).toEqual([expect.objectContaining({ StaffId: ids[0], IsActive: false })]);
  });

  test('returns the selected fields of the items that nested options choose', async () => {
    const [person] = await admin.listStaffMembers({
      filter: (s) => s.Tags.any(),
      expand: { Tags: { select: ['CategoryName'], orderby: ['CategoryName desc'], top: 1 } },
      top: 1,
    });
    expect(person?.Tags).toEqual([{ CategoryName: expect.any(String) }]);
  });

  test('the message of an error names the first fault', async () => {
    await expect(reader.listStaffMembers({ top: -1 })).rejects.toThrow('($top: ');
  });

  test('reads each part of a person', async () => {
    const [person] = await admin.listStaffMembers({ query: { $top: 1, includes: ['Tags', 'Skillset'] } });
    const path = { staff_key: person?.StaffKey ?? '' };
    expect(await admin.getStaffMember({ path, query: { includes: ['Tags', 'Skillset'] } })).toEqual(person);
    const lists = [
      await admin.listStaffLocations({ path }),
      await admin.listStaffProfiles({ path }),
      await admin.listPayModifiers({ path }),
      await admin.listBadgeIds({ path }),
      await admin.listRequestLimits({ path, query: { includes: ['StaffLimits'] } }),
    ];
    for (const list of lists) expect(list).toBeInstanceOf(Array);
  });

  test('throws the error classes of the problems in the contract', async () => {
    const path = { staff_key: 'no-such-person' };
    await expect(reader.getStaffMember({ path })).rejects.toThrow(NotFoundError);
    await expect(reader.updateStaffMember({ path, body: { Fte: 1 } })).rejects.toThrow(AuthorizationError);
    await expect(reader.listStaffMembers({ query: { $filter: 'Fte eq' } })).rejects.toThrow(ValidationError);
  });

  test('a misspelled field is a compiler error and a server error', async () => {
    const path = { staff_key: 'no-such-person' };
    // @ts-expect-error a person has no FristName
    await expect(admin.updateStaffMember({ path, body: { FristName: 'Ada' } })).rejects.toThrow(ValidationError);
  });
});
