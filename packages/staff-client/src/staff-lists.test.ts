import { expect, it } from 'vitest';
import { createStubServer, problem } from '../test/stub-server.ts';
import { countOf, createStaffClient, etagOf } from './index.ts';

const baseUrl = 'https://staff.test';

function create(body: unknown = [], options = {}) {
  const server = createStubServer({ body, headers: { ETag: '"7"' } });
  return { server, client: createStaffClient({ baseUrl, key: 'k', fetch: server.fetch, ...options }) };
}

it('sends top, skip, count and includes, each in place of its value in query', async () => {
  const { server, client } = create();
  const query = { $top: 1, $skip: 2, $count: false, includes: ['Tags' as const] };
  await client.listStaffMembers({ top: 5, skip: 0, count: true, includes: ['Skillset'], query });
  await client.getStaffMember({ path: { staff_key: 'k' }, includes: ['BadgeIds'] });
  await client.listRequestLimits({ path: { staff_key: 'k' }, includes: ['StaffLimits'] });
  expect(server.queries()).toEqual([
    { $top: '5', $skip: '0', $count: 'true', includes: 'Skillset' },
    { includes: 'BadgeIds' },
    { includes: 'StaffLimits' },
  ]);
});

it('returns an array with and without a count, which countOf returns', async () => {
  const { client } = create({ '@odata.count': 9, value: [{ StaffKey: 'k' }] });
  const people = await client.listStaffMembers({ count: true });
  expect(people).toEqual([{ StaffKey: 'k' }]);
  expect(countOf(people)).toBe(9);
  const bare = await create([]).client.listStaffMembers();
  expect(() => countOf(bare)).toThrow(TypeError);
});

it('returns the ETag of a list with a count', async () => {
  const { client } = create({ '@odata.count': 9, value: [{ StaffKey: 'k' }] });
  const seen: (string | null)[] = [];
  const onResponse = ({ headers }: Response) => seen.push(headers.get('ETag'));
  const people = await client.listStaffMembers({ count: true, onResponse });
  expect([etagOf(people), countOf(people), seen]).toEqual(['"7"', 9, ['"7"']]);
});

it('writes the options of expanded collections', async () => {
  const { server, client } = create();
  await client.listStaffMembers({
    expand: {
      Tags: { filter: (tag) => tag.CategoryName.eq("O'N;"), select: ['CategoryName'], orderby: ['CategoryName desc'] },
      Skillset: { top: 2, skip: 0, select: [] },
      Profiles: true,
    },
  });
  await client.listStaffMembers({ expand: { Tags: {}, Skillset: undefined } });
  await client.listStaffMembers({ expand: {} });
  expect(server.queries()).toEqual([
    {
      $expand:
        "Tags($filter=CategoryName eq 'O''N;';$select=CategoryName;$orderby=CategoryName desc),Skillset($top=2;$skip=0),Profiles",
    },
    { $expand: 'Tags' },
    {},
  ]);
});

it('iterates over the people of all pages, and reads a page only when it is needed', async () => {
  const link = 'staffmember?$skiptoken=a';
  const server = createStubServer({ body: { value: [1, 2], '@odata.nextLink': link } }, { body: { value: [3] } });
  const client = createStaffClient({ baseUrl, key: 'k', fetch: server.fetch });
  const seen: unknown[] = [];
  for await (const person of client.people({ pageSize: 2 })) seen.push([person, server.requests.length]);
  expect(seen).toEqual([
    [1, 1],
    [2, 1],
    [3, 2],
  ]);
  expect(server.last().headers.get('Prefer')).toBe('maxpagesize=2');
});

it.each(['', '/', '/v2', '/v2/', '/behind/v2'])('accepts a base address that ends in "%s"', async (ending) => {
  const { server, client } = create([], { baseUrl: baseUrl + ending });
  const prefix = baseUrl + ending.replace(/\/?(v2\/?)?$/, '');
  await client.listStaffMembers();
  for await (const _ of client.pages());
  expect(server.requests.map(({ url }) => url)).toEqual([`${prefix}/v2/staffmember`, `${prefix}/v2/staffmember`]);
});

it.each(['listStaffLocations', 'listStaffProfiles', 'listPayModifiers', 'listBadgeIds', 'listRequestLimits'] as const)(
  '%s returns undefined while the response is unchanged',
  async (name) => {
    const server = createStubServer({ body: [], headers: { ETag: '"7"' } }, { status: 304, headers: { ETag: '"7"' } });
    const client = createStaffClient({ baseUrl, key: 'k', fetch: server.fetch });
    const path = { staff_key: 'k' };
    const read = client[name] as (request: object) => Promise<object>;
    const list = await read({ path });
    expect(await read({ path, ifNoneMatch: etagOf(list) })).toBeUndefined();
    expect(server.last().headers.get('If-None-Match')).toBe('"7"');
  },
);

it('returns undefined for an unchanged list', async () => {
  const server = createStubServer({ status: 304, headers: { ETag: '"7"' } });
  const client = createStaffClient({ baseUrl, key: 'k', fetch: server.fetch });
  expect(await client.listStaffMembers({ ifNoneMatch: '"7"' })).toBeUndefined();
});

it('names the first fault in the message of an error', async () => {
  const errors = [{ parameter: '$top', detail: 'must be >= 0' }, { detail: 'and more' }];
  const server = createStubServer(problem(400, { detail: 'Correct the request.', errors }));
  const client = createStaffClient({ baseUrl, key: 'k', fetch: server.fetch });
  await expect(client.listStaffMembers({ top: -1 })).rejects.toMatchObject({
    message: 'Correct the request. ($top: must be >= 0)',
    detail: 'Correct the request.',
  });
});
