import { describe, expect, test } from 'vitest';
import { staffServers } from '../../server-names.ts';
import { callAs, companyKey, createPerson, list, pathOf } from '../callers.ts';
import { unchangedPeople } from '../known-keys.ts';

/** People of the demo data who have everything that can be expanded. */
const whole = { $filter: `${unchangedPeople} and Tags/any() and Skillset/any() and Profiles/any()`, $top: '5' };
type Person = Readonly<Record<string, unknown>> & { readonly StaffKey: string };

describe.each(staffServers)('%s', (server) => {
  test('listStaffMembers $select: returns the named members once, in any order', async () => {
    const { body } = await list(server, 'reader', { $select: 'LastName,StaffKey,LastName', $top: '3' });
    expect(body).toHaveLength(3);
    for (const person of body) expect(Object.keys(person).sort()).toEqual(['LastName', 'StaffKey']);
  });

  test('listStaffMembers $select: a star returns every member', async () => {
    const some = { $filter: unchangedPeople, $top: '3' };
    const all = await list(server, 'reader', some);
    expect((await list(server, 'reader', { ...some, $select: '*' })).body).toEqual(all.body);
  });

  test.each([
    ['lastName', 'LastName'],
    ['staffkey', 'StaffKey'],
    ['FTE', 'Fte'],
    ['FristName', 'FirstName'],
  ])('rule names are case-sensitive: $select=%s is 400 and suggests %s', async (name, meant) => {
    const { status, body } = await list(server, 'reader', { $select: name });
    expect([status, body.code]).toEqual([400, 'odata_invalid']);
    expect(body.detail).toContain(meant);
    expect(body.errors).toEqual([expect.objectContaining({ parameter: '$select' })]);
  });

  test.each([
    { $filter: "lastname eq 'x'" },
    { $filter: "Lastname eq 'x'" },
    { $orderby: 'lastname' },
    { $expand: 'tags' },
    { $Top: '1' },
    { $FILTER: 'true' },
    { companykey: 'x' },
  ])('rule names are case-sensitive: %j is 400', async (options) => {
    const { status, body } = await list(server, 'reader', options as unknown as Record<string, string>);
    expect([status, body.kind]).toEqual([400, 'ValidationError']);
  });

  test('listStaffMembers $expand: options of a collection affect only that collection', async () => {
    const options = {
      ...whole,
      $expand: 'Skillset($filter=IsSkilledMon;$select=TaskKey;$orderby=TaskName;$top=1),Tags',
    };
    const plain = await list(server, 'admin', { ...whole, $expand: 'Skillset,Tags' });
    const { status, body } = await list(server, 'admin', options);
    expect([status, body.length]).toEqual([200, 5]);
    for (const [i, person] of body.entries()) {
      expect(person.Tags).toEqual(plain.body[i].Tags);
      const skilled = plain.body[i].Skillset.filter((skill: { IsSkilledMon: boolean }) => skill.IsSkilledMon);
      const names = skilled.map(({ TaskName }: { TaskName: string }) => TaskName).sort();
      const first = skilled.find(({ TaskName }: { TaskName: string }) => TaskName === names[0]);
      expect(person.Skillset).toEqual(first === undefined ? [] : [{ TaskKey: first.TaskKey }]);
    }
  });

  test('listStaffMembers $expand: is combined with includes', async () => {
    const both = await list(server, 'admin', { ...whole, $expand: 'Skillset($top=1)', includes: 'Profiles,Skillset' });
    const apart = await list(server, 'admin', { ...whole, $expand: 'Skillset($top=1),Profiles' });
    expect(both.status).toBe(200);
    expect(both.body).toEqual(apart.body);
    for (const { Skillset, Profiles, Tags } of both.body) {
      expect([Skillset.length, Profiles.length > 0, Tags]).toEqual([1, true, null]);
    }
  });

  test('listStaffMembers includes: AvailableProfiles are all of the company, with the flags of the person', async () => {
    const { body } = await list(server, 'admin', { ...whole, includes: 'AvailableProfiles', $expand: 'Profiles' });
    for (const { AvailableProfiles, Profiles } of body) {
      expect(AvailableProfiles.length).toBeGreaterThanOrEqual(Profiles.length);
      for (const own of Profiles) expect(AvailableProfiles).toContainEqual(own);
      const ownKeys = new Set(Profiles.map(({ ProfileKey }: { ProfileKey: string }) => ProfileKey));
      for (const { ProfileKey, IsViewable, IsSchedulable } of AvailableProfiles) {
        if (!ownKeys.has(ProfileKey)) expect([IsViewable, IsSchedulable]).toEqual([true, false]);
      }
    }
  });

  test('getStaffMember $expand: fills the named collections with their options', async () => {
    const [person] = (await list(server, 'admin', whole)).body;
    const read = async (query: string) => (await callAs(server, 'admin', pathOf(person, `?${query}`))).body;
    const { Skillset, Tags, Profiles } = await read('$expand=Skillset($select=TaskKey),Tags');
    expect(Skillset.map((skill: object) => Object.keys(skill))).toEqual(Skillset.map(() => ['TaskKey']));
    expect([Tags.length > 0, Profiles]).toEqual([true, null]);
    const expected = await list(server, 'admin', { $filter: `StaffId eq '${person.StaffId}'`, $expand: 'Tags' });
    expect(await read('$expand=Tags')).toEqual(expected.body[0]);
  });

  test('getStaffMember $orderby: is validated and has no effect', async () => {
    const person = await createPerson(server);
    expect((await callAs(server, 'reader', pathOf(person, '?$orderby=LastName%20desc'))).body).toEqual(person);
    const { status, body } = await callAs(server, 'reader', pathOf(person, '?$orderby=NoSuchProperty'));
    expect([status, body.code]).toEqual([400, 'odata_invalid']);
  });

  test.each(['$top=1', '$skip=0', '$count=true', '$search=x', '$skiptoken=x'])(
    'getStaffMember 400: rejects the list option %s',
    async (query) => {
      const person = await createPerson(server);
      expect((await callAs(server, 'reader', pathOf(person, `?${query}`))).status).toBe(400);
    },
  );

  test('listStaffMembers $orderby: null comes first, last when descending; ties are ordered by StaffKey', async () => {
    const $filter = "startswith(StaffId,'S-')";
    const ask = async ($orderby: string): Promise<Person[]> =>
      (await list(server, 'reader', { $filter, $orderby, $select: 'StaffKey,Npi,City,LastName' })).body;
    const up = await ask('Npi');
    const nulls = up.filter(({ Npi }) => Npi === null).length;
    expect(nulls).toBeGreaterThan(0);
    expect(up.slice(0, nulls).map(({ Npi }) => Npi)).toEqual(Array(nulls).fill(null));
    const down = await ask('Npi desc');
    expect(down.slice(-nulls).map(({ Npi }) => Npi)).toEqual(Array(nulls).fill(null));
    const two = await ask('City desc,LastName asc');
    const byCodePoint = (a: unknown, b: unknown) => Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
    const expected = [...two].sort(
      (a, b) =>
        byCodePoint(b.City, a.City) || byCodePoint(a.LastName, b.LastName) || byCodePoint(a.StaffKey, b.StaffKey),
    );
    expect(two.map(({ StaffKey }) => StaffKey)).toEqual(expected.map(({ StaffKey }) => StaffKey));
  });

  test('listStaffMembers $top: returns at most that many, none for 0', async () => {
    const $filter = "startswith(StaffId,'S-')";
    const count = async ($top: string) =>
      (await list(server, 'reader', { $filter, $top, $select: 'StaffKey' })).body.length;
    expect([await count('0'), await count('1'), await count('7'), await count('5000')]).toEqual([0, 1, 7, 1_000]);
  });

  test('rule order of options: filter, count, order, skip, top, then expand and select', async () => {
    const $filter = `${unchangedPeople} and Fte eq 0.8`;
    const $orderby = 'LastName desc,FirstName';
    const matching: Person[] = (await list(server, 'admin', { $filter, $orderby, $expand: 'Tags' })).body;
    const options = { $select: 'StaffKey', $expand: 'Tags', $top: '5', $skip: '3', $orderby, $count: 'true', $filter };
    const { body } = await list(server, 'admin', options);
    expect(body['@odata.count']).toBe(matching.length);
    expect(body.value).toEqual(
      matching.slice(3, 8).map(({ StaffKey, Tags, TTCMTags }) => ({ StaffKey, Tags, TTCMTags })),
    );
  });

  test('rule envelope: has a context, a count only on request, and no next link after the whole list', async () => {
    const headers = { Accept: 'application/json;odata.metadata=minimal' };
    const ask = async (query: Record<string, string>, more = {}) => {
      const options = { $filter: unchangedPeople, $top: '2', $select: 'StaffKey', ...query };
      const path = `/v2/staffmember?${new URLSearchParams({ companyKey, ...options })}`;
      return callAs(server, 'reader', path, more);
    };
    const accepted = await ask({}, { headers });
    expect(accepted.headers.get('Content-Type')).toContain('odata.metadata=minimal');
    expect(Object.keys(accepted.body).sort()).toEqual(['@odata.context', 'value']);
    const counted = await ask({ $count: 'true' });
    expect(Object.keys(counted.body).sort()).toEqual(['@odata.context', '@odata.count', 'value']);
    expect((await ask({ $count: 'false' })).body).toEqual(accepted.body.value);
    expect((await ask({ $count: 'false' }, { headers })).body).toEqual(accepted.body);
    for (const Accept of ['*/*', 'application/json', 'application/*;q=0.5']) {
      expect((await ask({}, { headers: { Accept } })).body, Accept).toEqual(accepted.body.value);
    }
  });
});
