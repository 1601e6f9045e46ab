import { expect, it } from 'vitest';
import { createStubServer, problem, type StubResponse } from '../test/stub-server.ts';
import { createStaffClient, UpstreamError } from './index.ts';

const link = 'staffmember?sinceModifiedTimestamp=2026-01-01&$skiptoken=a';
const person = (StaffKey: string, second: number, more: object = {}) => ({
  StaffKey,
  LastModifiedDateUtc: `2026-01-01T00:00:0${second}Z`,
  ...more,
});
const page = (value: readonly object[], next?: string): StubResponse => ({
  body: { value, ...(next && { '@odata.nextLink': next }) },
});

function create(...responses: readonly StubResponse[]) {
  const server = createStubServer(...responses);
  return { server, client: createStaffClient({ baseUrl: 'https://staff.test', key: 'k', fetch: server.fetch }) };
}

type Pages = readonly { readonly people: readonly { readonly StaffKey: string }[]; readonly token: string }[];
const keysOf = (pages: Pages) => pages.map(({ people }) => people.map(({ StaffKey }) => StaffKey).join(''));
const collect = async <Page>(changes: AsyncIterable<Page>): Promise<Page[]> => {
  const pages: Page[] = [];
  for await (const page of changes) pages.push(page);
  return pages;
};
const lastToken = (pages: Pages): string => pages.at(-1)?.token ?? '';

it('starts with everybody, and continues with those who changed since', async () => {
  const { server, client } = create(
    page([person('a', 3), person('b', 5)], link),
    page([person('c', 4)]),
    page([person('b', 5), person('a', 6)]),
    page([person('a', 6)]),
  );
  const first = await collect(client.changes({ pageSize: 2, expand: ['Tags'] }));
  expect(keysOf(first)).toEqual(['ab', 'c']);
  const second = await collect(client.changes({ since: lastToken(first) }));
  expect(keysOf(second)).toEqual(['a']);
  expect(await collect(client.changes({ since: lastToken(second) }))).toEqual([]);
  expect(server.queries()).toEqual([
    { sinceModifiedTimestamp: '1970-01-01', $expand: 'Tags' },
    { sinceModifiedTimestamp: '2026-01-01', $skiptoken: 'a' },
    { sinceModifiedTimestamp: '2026-01-01T00:00:05Z' },
    { sinceModifiedTimestamp: '2026-01-01T00:00:06Z' },
  ]);
  expect(server.requests.map(({ headers }) => headers.get('Prefer'))).toEqual([
    'maxpagesize=2',
    'maxpagesize=2',
    'maxpagesize=100',
    'maxpagesize=100',
  ]);
});

it('continues a round on the page after the stored token', async () => {
  const { server, client } = create(
    page([person('a', 9)], link),
    page([person('b', 2)]),
    page([person('a', 9), person('b', 9)]),
  );
  let stored = '';
  for await (const { token } of client.changes({ since: '2026-01-01' })) {
    stored = token;
    break;
  }
  const rest = await collect(client.changes({ since: stored }));
  expect(keysOf(rest)).toEqual(['b']);
  expect(server.queries()[1]).toEqual({ sinceModifiedTimestamp: '2026-01-01', $skiptoken: 'a' });
  // Both have the newest time, and only one was received with it.
  expect(keysOf(await collect(client.changes({ since: lastToken(rest) })))).toEqual(['b']);
  expect(server.queries()[2]).toEqual({ sinceModifiedTimestamp: '2026-01-01T00:00:09Z' });
});

it('delivers a person again whose time is the same and whose data is not', async () => {
  const { client } = create(page([person('a', 1)]), page([person('a', 1, { City: 'Bern' })]));
  const since = lastToken(await collect(client.changes()));
  expect(keysOf(await collect(client.changes({ since })))).toEqual(['a']);
});

it('delivers many people who share a time once, with a token of limited size', async () => {
  const people = Array.from({ length: 5_000 }, (_, i) => person(`k${i}`, 1));
  const { client } = create(
    page(people),
    page(people.slice(2_000), link),
    page([...people.slice(0, 2_000), person('b', 2)]),
    page([person('b', 2)]),
  );
  const since = lastToken(await collect(client.changes()));
  expect(since.length).toBeLessThan(500);
  const second = await collect(client.changes({ since }));
  expect(keysOf(second)).toEqual(['', 'b']);
  expect(await collect(client.changes({ since: lastToken(second) }))).toEqual([]);
});

it('delivers only the person who differs of 1,000 who share a time', async () => {
  const people = Array.from({ length: 1_000 }, (_, i) => person(`k${i}`, 1));
  const moved = [...people.slice(1, 999), person('k0', 2), person('k999', 1, { City: 'Bern' })];
  const { client } = create(page(people), page(moved, link), page([]), page([person('k0', 2)]));
  const since = lastToken(await collect(client.changes()));
  expect(since.length).toBeLessThan(18_000);
  const second = await collect(client.changes({ since }));
  expect(keysOf(second)).toEqual(['k0k999', '']);
  // Within a round there are two groups: the people of its beginning, and the newest ones.
  expect(second[0]?.token.length).toBeLessThan(36_000);
  expect(await collect(client.changes({ since: lastToken(second) }))).toEqual([]);
});

it('delivers all of a larger group again when one of them differs, also after an interruption', async () => {
  const people = Array.from({ length: 1_001 }, (_, i) => person(`k${i}`, 1));
  const more = [...people, person('late', 1)];
  const { client } = create(page(people), page(more, link), page([]), page(more), page(more), page(more));
  const since = lastToken(await collect(client.changes()));
  const stored: string[] = [];
  for await (const { people: changed, token } of client.changes({ since })) {
    stored.push(token);
    if (stored.length < 3) expect(changed).toEqual([]);
    else expect(changed).toHaveLength(1_002);
  }
  expect(stored).toHaveLength(3);
  const [resumed] = await collect(client.changes({ since: stored[1] as string }));
  expect(resumed?.people).toHaveLength(1_002);
  expect(await collect(client.changes({ since: stored[2] as string }))).toEqual([]);
});

it('begins a round again when the server rejects the link of a token', async () => {
  const { server, client } = create(page([person('a', 3)], link), problem(400), page([person('a', 3), person('b', 4)]));
  const { value } = await client.changes({ since: '2026-01-01' }).next();
  const since = value?.token ?? '';
  expect(keysOf(await collect(client.changes({ since })))).toEqual(['ab']);
  expect(server.queries()[2]).toEqual({ sinceModifiedTimestamp: '2026-01-01' });
});

it('throws the error of a page, and any other error of a link', async () => {
  const { client } = create(page([person('a', 3)], link), problem(400), problem(502), problem(502));
  const changes = client.changes();
  const { value } = await changes.next();
  await expect(changes.next()).rejects.toMatchObject({ status: 400 });
  const resumed = client.changes({ since: value?.token ?? '', retries: 0 });
  await expect(resumed.next()).rejects.toThrow(UpstreamError);
});

it('selects the key and the time of each person', async () => {
  const { server, client } = create(page([]));
  await collect(client.changes({ select: ['LastName', 'StaffKey'] }));
  expect(server.queries()[0]?.$select).toBe('LastName,StaffKey,LastModifiedDateUtc');
});

it.each(['', 'yesterday', '2026-13-01', '{}', '[]', '["2026-01-01",1]', '["never",[]]', '["2026-01-01",[],5]'])(
  'rejects %j as since and sends nothing',
  async (since) => {
    const { server, client } = create(page([]));
    await expect(client.changes({ since }).next()).rejects.toThrow(RangeError);
    expect(server.requests).toEqual([]);
  },
);

it('upserts with UpdateIfExisting, and returns whether the person is new', async () => {
  const { server, client } = create({ status: 201, body: person('a', 1) }, { body: person('a', 2) });
  const statuses: number[] = [];
  const onResponse = ({ status }: Response) => statuses.push(status);
  const created = await client.upsert({ body: { StaffId: 'S-1' }, onResponse });
  expect(created).toEqual({ outcome: 'created', person: person('a', 1) });
  expect((await client.upsert({ body: { StaffId: 'S-1' }, ifMatch: '"7"', onResponse })).outcome).toBe('updated');
  expect(await server.last().json()).toEqual({ StaffId: 'S-1', UpdateIfExisting: true });
  expect([server.last().headers.get('If-Match'), statuses]).toEqual(['"7"', [201, 200]]);
});
