import { expect, it } from 'vitest';
import { createStubServer, problem, type StubAnswer } from '../test/stub-server.ts';
import { createStaffClient, UpstreamError } from './index.ts';

const baseUrl = 'https://staff.test/behind';
const link = 'staffmember?companyKey=c&$expand=Tags&includes=Tags,Skillset&$skiptoken=a%2Bb';

function create(...answers: readonly StubAnswer[]) {
  const server = createStubServer(...answers);
  return { server, client: createStaffClient({ baseUrl, key: 'k', companyKey: 'c', fetch: server.fetch }) };
}

it('follows the links to the last page, each as it was given', async () => {
  const { server, client } = create(
    { body: { value: [1, 2], '@odata.nextLink': link } },
    { body: { value: [3], '@odata.nextLink': `https://elsewhere.test/v2/${link}` } },
    { body: { value: [] } },
  );
  const pages: unknown[] = [];
  for await (const people of client.pages({ expand: ['Tags'], pageSize: 2, headers: { 'X-Trace': '1' } }))
    pages.push(people);
  expect(pages).toEqual([[1, 2], [3], []]);
  const [, query] = link.split('?');
  expect(server.requests.map(({ url }) => url)).toEqual([
    `${baseUrl}/v2/staffmember?companyKey=c&$expand=Tags`,
    `${baseUrl}/v2/staffmember?${query}`,
    `${baseUrl}/v2/staffmember?${query}`,
  ]);
  for (const { headers } of server.requests) {
    expect(headers.get('Prefer')).toBe('maxpagesize=2');
    expect(headers.get('Accept')).toBe('application/json;odata.metadata=minimal');
    expect([headers.get('X-Trace'), headers.get('X-API-Key')]).toEqual(['1', 'k']);
  }
});

it('gives the bare array of a server that does not page as its only page', async () => {
  const { server, client } = create({ body: [{ StaffKey: 'k' }] });
  const pages: unknown[] = [];
  for await (const people of client.pages()) pages.push(people);
  expect(pages).toEqual([[{ StaffKey: 'k' }]]);
  expect(server.last().headers.get('Prefer')).toBe('maxpagesize=100');
});

it('asks for no page before somebody wants it, nor after somebody has enough', async () => {
  const { server, client } = create({ body: { value: [1], '@odata.nextLink': link } });
  const pages = client.pages();
  expect(server.requests).toEqual([]);
  for await (const _ of pages) break;
  expect(server.requests).toHaveLength(1);
});

it('throws what a page fails with', async () => {
  const { client } = create({ body: { value: [1], '@odata.nextLink': link } }, problem(502));
  const pages = client.pages({ retries: 0 });
  expect(await pages.next()).toEqual({ done: false, value: [1] });
  await expect(pages.next()).rejects.toBeInstanceOf(UpstreamError);
});
