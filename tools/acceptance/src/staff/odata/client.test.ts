import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { staffServers } from '../../server-names.ts';
import { callAs, companyKey, createPerson, list } from '../callers.ts';

/** A third-party client, to read queries as others write them. Node cannot import its module form. */
const { default: buildQuery } = createRequire(import.meta.url)('odata-query') as typeof import('odata-query');

interface Person {
  readonly StaffKey: string;
  readonly StaffId: string;
  readonly LastName: string;
  readonly Fte: number | null;
  readonly StartDate: string | null;
  readonly Tags: unknown;
}

describe.each(staffServers)('%s', (server) => {
  const ask = async (query: Parameters<typeof buildQuery>[0]): Promise<Person[]> => {
    const path = `/v2/staffmember${buildQuery(query)}&companyKey=${companyKey}`;
    const { status, body } = await callAs(server, 'admin', path);
    expect(status, path).toBe(200);
    return body;
  };

  test('listStaffMembers $select: with $filter, $orderby and $top of a third-party client', async () => {
    const people = await ask({
      filter: { and: [{ Fte: { ge: 0.8 } }, { Fte: { lt: 1 } }, { not: { LastName: 'Smith' } }] },
      orderBy: ['LastName desc', 'StaffKey'],
      top: 25,
      select: ['StaffKey', 'LastName', 'Fte'],
    });
    expect(people).toHaveLength(25);
    for (const person of people) {
      expect(Object.keys(person).sort()).toEqual(['Fte', 'LastName', 'StaffKey']);
      expect(person.Fte).toBeGreaterThanOrEqual(0.8);
      expect(person.Fte).toBeLessThan(1);
      expect(person.LastName).not.toBe('Smith');
    }
    const names = people.map(({ LastName }) => LastName);
    expect(names).toEqual([...names].sort().reverse());
  });

  test('listStaffMembers $filter: finds a name with an apostrophe', async () => {
    const people = await ask({ filter: { LastName: "O'Neil" }, select: ['LastName'] });
    expect(people.length).toBeGreaterThan(0);
    expect(new Set(people.map(({ LastName }) => LastName))).toEqual(new Set(["O'Neil"]));
  });

  test('listStaffMembers $filter: finds a name with characters that a URL must escape', async () => {
    const { StaffKey } = await createPerson(server, { FirstName: '小龙', LastName: `Łącki & Søn+ #1% ${server}` });
    const found = await ask({ filter: { LastName: `Łącki & Søn+ #1% ${server}` } });
    expect(found.map((person) => person.StaffKey)).toEqual([StaffKey]);
  });

  test.each(['StaffKey eq %s', "StaffKey eq '%s'", '%s eq StaffKey and IsActive ne null'])(
    'rule keys are strings: one that looks like a GUID works quoted and bare: %s',
    async (template) => {
      const [person] = await ask({ filter: 'length(StaffKey) eq 36', top: 1 });
      const { status, body } = await list(server, 'reader', { $filter: template.replace('%s', `${person?.StaffKey}`) });
      expect([status, body.map(({ StaffKey }: Person) => StaffKey)]).toEqual([200, [person?.StaffKey]]);
    },
  );

  test('listStaffMembers $orderby: null is lowest in an order and unknown in comparisons', async () => {
    const without = await ask({ filter: 'StartDate eq null', select: ['StaffKey', 'StartDate'] });
    const early = await ask({ filter: 'StartDate lt 2100-01-01', select: ['StaffKey'] });
    expect(without.length).toBeGreaterThan(0);
    const earlyKeys = new Set(early.map(({ StaffKey }) => StaffKey));
    expect(without.filter(({ StaffKey }) => earlyKeys.has(StaffKey))).toEqual([]);
    const [first] = await ask({ orderBy: 'StartDate', top: 1 });
    expect(first?.StartDate).toBeNull();
  });

  test('listStaffMembers $filter: collections are filtered by any and all', async () => {
    const [tagged] = await ask({ filter: { Tags: { any: { CategoryName: 'Team' } } }, expand: 'Tags', top: 1 });
    expect(tagged?.Tags).toContainEqual(expect.objectContaining({ CategoryName: 'Team' }));
    const unskilled = await ask({ filter: 'not Skillset/any()', expand: 'Skillset', top: 5 });
    for (const person of unskilled) expect(person).toMatchObject({ Skillset: [], Tags: null });
  });

  test('listStaffMembers $expand: fills the named collections and leaves the others null', async () => {
    const [person] = await ask({ expand: ['Tags', 'Skillset'], filter: "StaffId eq 'S-1001'" });
    expect(person).toMatchObject({ Tags: expect.any(Array), Skillset: expect.any(Array), Profiles: null });
  });

  test('listStaffMembers $count: counts in an envelope regardless of $top and $skip', async () => {
    const options = { $filter: "startswith(StaffId,'S-')", $count: 'true', $top: '2', $skip: '3' };
    const { status, body } = await list(server, 'reader', options);
    expect([status, body['@odata.count'], body.value.length]).toEqual([200, 1_000, 2]);
  });

  test('rule envelope: it is sent to clients that accept it; otherwise the list is a bare array', async () => {
    const path = `/v2/staffmember?companyKey=${companyKey}&$top=1`;
    const headers = { Accept: 'application/json;odata.metadata=minimal' };
    expect((await callAs(server, 'reader', path, { headers })).body.value).toHaveLength(1);
    expect((await callAs(server, 'reader', path)).body).toHaveLength(1);
  });
});
