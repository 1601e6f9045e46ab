import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, list } from './callers.ts';
import { differs } from './proxy-differences.ts';

interface Person {
  readonly CompKey: string;
  readonly StaffKey: string;
  readonly StaffId: string;
  readonly FirstName: string;
  readonly LastName: string;
  readonly Npi: string | null;
  readonly Tags: readonly unknown[] | null;
  readonly Skillset: readonly unknown[];
}

/** The order of a database: by code point, unlike JavaScript, which compares code units. */
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe.each(staffServers)('%s', (server) => {
  test('listStaffMembers 200: returns the whole company by StaffKey, collections null', async () => {
    const { status, body } = await list(server, 'reader');
    expect(status).toBe(200);
    expect(body.filter(isOfDemo)).toHaveLength(1_000);
    const keys = body.map(({ StaffKey }: Person) => StaffKey);
    expect(keys).toEqual([...keys].sort(byCodePoint));
    expect(new Set(keys).size).toBe(keys.length);
    for (const person of body) expect([person.CompKey, person.Tags]).toEqual([companyKey, null]);
  });

  test('listStaffMembers $orderby: ties are ordered by StaffKey', async () => {
    const { body } = await list(server, 'reader', { $orderby: 'LastName', $filter: "startswith(StaffId,'S-')" });
    const expected = [...body].sort(
      (a: Person, b: Person) => byCodePoint(a.LastName, b.LastName) || byCodePoint(a.StaffKey, b.StaffKey),
    );
    expect(body.map(({ StaffKey }: Person) => StaffKey)).toEqual(expected.map(({ StaffKey }: Person) => StaffKey));
  });

  test('listStaffMembers $skip: pages by $top and $skip form the list', async () => {
    const $filter = "startswith(StaffId,'S-')";
    const whole = (await list(server, 'reader', { $filter, $select: 'StaffKey' })).body;
    const pages: Person[] = [];
    for (let skip = 0; skip < 1_000; skip += 400) {
      const page = await list(server, 'reader', { $filter, $select: 'StaffKey', $top: '400', $skip: String(skip) });
      pages.push(...page.body);
    }
    expect(pages).toEqual(whole);
  });

  test('the demo company has the irregularities of real data', async () => {
    const people: Person[] = (await list(server, 'admin', { $expand: 'Tags,Skillset' })).body.filter(isOfDemo);
    for (const { Tags } of people) expect(Tags?.length).toBeGreaterThan(0);
    const share = (isSo: (person: Person) => boolean) => people.filter(isSo).length / people.length;
    expect(share(({ Skillset }) => Skillset.length === 0)).toBeCloseTo(0.05, 1);
    expect(share(({ Npi }) => Npi === null)).toBeCloseTo(0.05, 1);
    expect(people.some(({ LastName }) => LastName === "O'Neil")).toBe(true);
    expect(people.some(({ FirstName }) => /[^\x20-\x7e]/.test(FirstName))).toBe(true);
  });

  test('listStaffMembers companyKey: is required here and optional at the proxy', async () => {
    const { status, body } = await callAs(server, 'reader', '/v2/staffmember?$top=1');
    if (differs(server, 'omitted companyKey')) expect([status, body[0].CompKey]).toEqual([200, companyKey]);
    else expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter: 'companyKey' })]]);
  });
});

function isOfDemo({ StaffId }: Person): boolean {
  return StaffId.startsWith('S-');
}
