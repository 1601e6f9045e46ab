import { afterAll, beforeAll, expect, it } from 'vitest';
import { companyKey, expectProblem, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const list = `/v2/staffmember?companyKey=${companyKey}`;

it.each([
  ["$filter=LastName eq @n&@n='Chen'", "$filter=LastName eq 'Chen'"],
  ["@n='Chen'&$filter=LastName%20eq%20%40n%20or%20Fte%20lt%20@f&%40f=0.5", "$filter=LastName eq 'Chen' or Fte lt 0.5"],
  ['$filter=LastName in @list&@list=["Chen","O\'Neil"]', "$filter=LastName in ('Chen','O''Neil')"],
  ['$orderby=@key desc,StaffKey&@key=tolower(City)', '$orderby=tolower(City) desc,StaffKey'],
  ["$expand=Tags($filter=CategoryName eq @c)&@c='Team'", "$expand=Tags($filter=CategoryName eq 'Team')"],
  ["$expand=Tags(@c='Team';$filter=CategoryName eq @c)", "$expand=Tags($filter=CategoryName eq 'Team')"],
  ["$filter=Tags/any(t:t/CategoryName eq @c)&@c='Team'", "$filter=Tags/any(t:t/CategoryName eq 'Team')"],
])('listStaffMembers 200: %s is %s', async (aliased, plain) => {
  const found = await app.asAdmin(`${list}&${aliased}`);
  expect(found.status).toBe(200);
  expect(found.text).toBe((await app.asAdmin(`${list}&${plain}`)).text);
  expect(found.body.length).toBeGreaterThan(0);
});

it('listStaffMembers 200: passes an alias on from page to page', async () => {
  const options = "&$filter=LastName ne @n&@n='Chen'&$orderby=@o&@o=City";
  const whole = (await app.asAdmin(list + options)).body;
  const people: object[] = [];
  let next: string | undefined = list + options;
  for (let pages = 0; next !== undefined && pages < 20; pages++) {
    const { body } = await app.asAdmin(next, {
      headers: { Accept: 'application/json;odata.metadata=minimal', Prefer: 'maxpagesize=30' },
    });
    people.push(...body.value);
    next = body['@odata.nextLink'] && `/v2/${body['@odata.nextLink']}`;
  }
  expect(people).toEqual(whole);
});

it('getStaffMember 200: accepts an alias', async () => {
  const person = await app.somePerson();
  const { body } = await app.asAdmin(person);
  expect((await app.asAdmin(`${person}?$filter=StaffId eq @id&@id='${body.StaffId}'`)).body).toEqual(body);
  expectProblem(await app.asAdmin(`${person}?$filter=StaffId eq @id&@id='x'`), 404, 'not_found');
});

it.each([
  ['$filter=LastName eq @n', '$filter', 'At offset 12'],
  ["$top=1&@n='Chen'", '@n', 'not used'],
  ['$filter=@n&@n=@m&@m=@n', '@m', 'refers to itself'],
  ["$filter=LastName eq @n&@n='a'&@n='b'", '@n', 'twice'],
  ['$filter=LastName eq @n&@n=5', '$filter', 'At offset 12'],
  ['$filter=LastName eq @n&@n=', '@n', 'At offset 0'],
  ['$filter=LastName eq @n&@n', '@n', '"="'],
  ['$filter=LastName eq @n&@n=LastNmae', '@n', 'LastName'],
  ["$top=1&@='x'", '@', 'name'],
  ["$top=1&@1='x'", '@1', 'name'],
  ['$filter=TimeClockKioskPIN eq @n&@n=null', '$filter', 'TimeClockKioskPIN'],
  ['$filter=LastName eq @n&@n=TimeClockKioskPIN', '@n', 'TimeClockKioskPIN'],
])('listStaffMembers 400: rejects %s, and names %s', async (options, parameter, detail) => {
  const response = await app.asAdmin(`${list}&${options}`);
  expectProblem(response, 400, 'odata_invalid');
  expect(response.body.errors).toEqual([{ parameter, detail: expect.stringContaining(detail) }]);
});

it('listStaffMembers 400: rejects undeclared parameters, also beside an alias', async () => {
  const response = await app.asAdmin(`${list}&$filter=LastName eq @n&@n='x'&n='x'&other=1`);
  expectProblem(response, 400, 'validation_failed');
  expect(response.body.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual(['n', 'other']);
});

it('listStaffMembers 200: hides admin-only data within an alias', async () => {
  const options = "&$filter=@c&@c=Tags/any(t:t/CategoryName eq 'Team')";
  expect((await app.asAdmin(list + options)).body.length).toBeGreaterThan(0);
  expect((await app.call(list + options, { as: 'reader' })).body).toEqual([]);
});

it.each(['$search=%231', '$filter=Model.Available', '$filter=Model.Available eq true'])(
  'listStaffMembers: rejects %s',
  async (options) => {
    const { status } = await app.asAdmin(`${list}&${options}`);
    expect(status).toBe(options.startsWith('$search') ? 501 : 400);
  },
);
