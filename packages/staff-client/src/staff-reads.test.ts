import { describe, expect, it } from 'vitest';
import { createStubServer } from '../test/stub-server.ts';
import { createStaffClient, etagOf, NotFoundError, staffFilter } from './index.ts';

const baseUrl = 'https://staff.test';

function create(options = {}, body: unknown = []) {
  const server = createStubServer({ body });
  return { server, client: createStaffClient({ baseUrl, key: 'k', fetch: server.fetch, ...options }) };
}

describe('the requested fields and collections', () => {
  it('are sent as OData options', async () => {
    const { server, client } = create();
    await client.listStaffMembers({
      filter: (s) => s.LastName.startsWith("O'N").and(s.Fte.ge(0.5)),
      expand: ['Tags', 'Skillset'],
      select: ['StaffKey', 'LastName'],
      orderby: ['LastName', 'Fte desc'],
      query: { includes: ['AvailableProfiles'], $top: 5 },
    });
    expect(server.queries()).toEqual([
      {
        $filter: "startswith(LastName,'O''N') and Fte ge 0.5",
        $expand: 'Tags,Skillset',
        $select: 'StaffKey,LastName',
        $orderby: 'LastName,Fte desc',
        includes: 'AvailableProfiles',
        $top: '5',
      },
    ]);
  });

  it('are the same for one person', async () => {
    const { server, client } = create({}, {});
    const path = { staff_key: 'k' };
    await client.getStaffMember({ path, expand: ['Tags'], query: { includes: ['BadgeIds'], $select: 'StaffKey' } });
    expect(server.queries()).toEqual([{ $expand: 'Tags', includes: 'BadgeIds', $select: 'StaffKey' }]);
  });

  it('are sent only if there are any', async () => {
    const { server, client } = create();
    await client.listStaffMembers();
    await client.listStaffMembers({ expand: [], select: [], orderby: [], filter: undefined, query: { includes: [] } });
    expect(server.requests.map(({ url }) => url)).toEqual([`${baseUrl}/v2/staffmember`, `${baseUrl}/v2/staffmember`]);
  });

  it('may be raw text, which typed options replace', async () => {
    const { server, client } = create();
    const query = { $filter: 'Fte eq 1', $expand: 'Tags($top=1)', $select: 'StaffKey', $orderby: 'Fte' };
    await client.listStaffMembers({ query });
    await client.listStaffMembers({ query, filter: staffFilter((s) => s.IsActive), orderby: ['Abbrev'] });
    expect(server.queries()).toEqual([query, { ...query, $filter: 'IsActive', $orderby: 'Abbrev' }]);
  });
});

describe('the company', () => {
  it('is added to calls about a company that name none', async () => {
    const { server, client } = create({ companyKey: 'c' });
    await client.listStaffMembers();
    await client.listStaffMembers({ query: { companyKey: 'd' } });
    await client.getStaffMember({ path: { staff_key: 'k' } });
    await client.createStaffMember({ body: { StaffId: 'S-1' } });
    await client.getHealth();
    expect(server.queries()).toEqual([{ companyKey: 'c' }, { companyKey: 'd' }, {}, {}, {}]);
  });
});

describe('a collection of one person', () => {
  it.each(['Tags', 'Skillset'] as const)('is read from the list: %s', async (name) => {
    const { server, client } = create({ companyKey: 'c' }, [{ StaffKey: "O'B", [name]: [{}] }]);
    const read = name === 'Tags' ? client.staffTags : client.staffSkillset;
    expect(await read("O'B")).toEqual([{}]);
    const want = { companyKey: 'c', $filter: "StaffKey eq 'O''B'", $select: 'StaffKey', $expand: name };
    expect(server.queries()).toEqual([want]);
    expect(new URL(server.last().url).pathname).toBe('/v2/staffmember');
  });

  it('of an unknown person is a NotFoundError', async () => {
    const { client } = create();
    const error = await client.staffTags('k').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ status: 404, code: 'not_found', name: 'NotFoundError' });
  });

  it('takes a company, a signal and headers like other calls', async () => {
    const { server, client } = create({}, [{ Tags: [] }]);
    await client.staffTags('k', { query: { companyKey: 'd' }, headers: { 'X-Trace': '1' } });
    expect(server.queries()[0]).toMatchObject({ companyKey: 'd' });
    expect(server.last().headers.get('X-Trace')).toBe('1');
    await expect(client.staffTags('k', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
});

describe('versions', () => {
  it('of a response are returned by etagOf, and sent with a write', async () => {
    const server = createStubServer({ body: { StaffKey: 'k' }, headers: { ETag: '"7"' } });
    const client = createStaffClient({ baseUrl, key: 'k', fetch: server.fetch });
    const path = { staff_key: 'k' };
    const person = await client.getStaffMember({ path });
    await client.updateStaffMember({ path, body: { Fte: 1 }, ifMatch: etagOf(person) });
    expect(server.last().headers.get('If-Match')).toBe('"7"');
    expect(etagOf(await client.listBadgeIds({ path }))).toBe('"7"');
  });

  it('of other values are a TypeError', async () => {
    const { client } = create();
    const people = await client.listStaffMembers();
    expect(() => etagOf(people)).toThrow(TypeError);
    expect(() => etagOf({ ...people })).toThrow(TypeError);
  });

  it('make an unchanged read undefined', async () => {
    const server = createStubServer({ status: 304, headers: { ETag: '"7"' } });
    const client = createStaffClient({ baseUrl, key: 'k', fetch: server.fetch });
    expect(await client.getStaffMember({ path: { staff_key: 'k' }, ifNoneMatch: '"7"' })).toBeUndefined();
    expect(server.last().headers.get('If-None-Match')).toBe('"7"');
  });
});
