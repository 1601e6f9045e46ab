import { expect, it } from 'vitest';
import { createStubServer, problem, type StubResponse } from '../test/stub-server.ts';
import { ApiProblem, createStaffClient, UpstreamError } from './index.ts';

const baseUrl = 'https://staff.test/behind';
const link = 'staffmember?companyKey=c&$expand=Tags&includes=Tags,Skillset&$skiptoken=a%2Bb';

function create(...responses: readonly StubResponse[]) {
  const server = createStubServer(...responses);
  return { server, client: createStaffClient({ baseUrl, key: 'k', companyKey: 'c', fetch: server.fetch }) };
}

it('follows the links to the last page unchanged', async () => {
  const { server, client } = create(
    { body: { value: [1, 2], '@odata.nextLink': link } },
    { body: { value: [3], '@odata.nextLink': `${baseUrl}/v2/${link}c` } },
    { body: { value: [], '@odata.nextLink': `?${link.split('?')[1]}d` } },
    { body: { value: [] } },
  );
  const pages: unknown[] = [];
  for await (const people of client.pages({ expand: ['Tags'], pageSize: 2, headers: { 'X-Trace': '1' } }))
    pages.push(people);
  expect(pages).toEqual([[1, 2], [3], [], []]);
  const [, query] = link.split('?');
  expect(server.requests.map(({ url }) => url)).toEqual([
    `${baseUrl}/v2/staffmember?companyKey=c&$expand=Tags`,
    `${baseUrl}/v2/staffmember?${query}`,
    `${baseUrl}/v2/staffmember?${query}c`,
    `${baseUrl}/v2/staffmember?${query}d`,
  ]);
  for (const { headers } of server.requests) {
    expect(headers.get('Prefer')).toBe('maxpagesize=2');
    expect(headers.get('Accept')).toBe('application/json;odata.metadata=minimal');
    expect([headers.get('X-Trace'), headers.get('X-API-Key')]).toEqual(['1', 'k']);
  }
});

it('returns the bare array of a server without paging as one page', async () => {
  const { server, client } = create({ body: [{ StaffKey: 'k' }] });
  const pages: unknown[] = [];
  for await (const people of client.pages()) pages.push(people);
  expect(pages).toEqual([[{ StaffKey: 'k' }]]);
  expect(server.last().headers.get('Prefer')).toBe('maxpagesize=100');
});

it('reads a page only when it is needed', async () => {
  const { server, client } = create({ body: { value: [1], '@odata.nextLink': link } });
  const pages = client.pages();
  expect(server.requests).toEqual([]);
  for await (const _ of pages) break;
  expect(server.requests).toHaveLength(1);
});

it('throws the error of a page', async () => {
  const { client } = create({ body: { value: [1], '@odata.nextLink': link } }, problem(502));
  const pages = client.pages({ retries: 0 });
  expect(await pages.next()).toEqual({ done: false, value: [1] });
  await expect(pages.next()).rejects.toBeInstanceOf(UpstreamError);
});

it.each([
  'https://elsewhere.test/v2/staffmember?$skiptoken=a',
  '//elsewhere.test/v2/staffmember?$skiptoken=a',
  '\\\\elsewhere.test/v2/staffmember?$skiptoken=a',
  'http://staff.test/behind/v2/staffmember?$skiptoken=a',
  'https://staff.test:8443/behind/v2/staffmember?$skiptoken=a',
  'https://staff.test@elsewhere.test/behind/v2/staffmember?$skiptoken=a',
  'javascript:alert(1)?$skiptoken=a',
  'data:,?$skiptoken=a',
])('rejects the link %s, which leads to another origin, and sends nothing more', async (foreign) => {
  const { server, client } = create({ body: { value: [1], '@odata.nextLink': foreign } });
  const pages = client.pages();
  expect(await pages.next()).toEqual({ done: false, value: [1] });
  const error = await pages.next().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiProblem);
  expect(error).toMatchObject({ code: 'answer_unreadable', message: expect.stringContaining('another origin') });
  expect(server.requests).toHaveLength(1);
});

it.each([
  ['another list', '/behind/v2/other?$skiptoken=a'],
  ['no URL', 'https://['],
  ['a number', 5],
])('rejects a link that is %s', async (_, next) => {
  const { server, client } = create({ body: { value: [1], '@odata.nextLink': next } });
  const pages = client.pages();
  await pages.next();
  await expect(pages.next()).rejects.toMatchObject({ code: 'answer_unreadable' });
  expect(server.requests).toHaveLength(1);
});

it.each([
  ['the page that it is on', ['a'], 3],
  ['the page before', ['a', 'b'], 6],
  ['one of the pages before', Array.from({ length: 100 }, (_, i) => `t${i}`), 400],
  ['the list itself', [''], 3],
])('rejects a link that leads back to %s', async (_, tokens, requestsMax) => {
  let asked = 0;
  const fetch = async (request: Request) => {
    const token = tokens[asked++ % tokens.length];
    const next = token === '' ? 'staffmember' : `staffmember?$skiptoken=${token}`;
    if (asked > 1_000) throw new Error('endless');
    return createStubServer({ body: { value: [asked], '@odata.nextLink': next } }).fetch(request);
  };
  const client = createStaffClient({ baseUrl, key: 'k', companyKey: 'c', fetch });
  const read = async () => {
    for await (const _ of client.pages({ retries: 0 }));
  };
  await expect(read()).rejects.toMatchObject({
    code: 'answer_unreadable',
    message: expect.stringContaining('again'),
  });
  expect(asked).toBeLessThanOrEqual(requestsMax);
});
