import { afterAll, beforeAll, expect, it } from 'vitest';
import { companyKey, expectProblem, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const list = `/v2/staffmember?companyKey=${companyKey}`;
const envelope = { Accept: 'application/json;odata.metadata=minimal' };
const pages = (size: number) => ({ headers: { ...envelope, Prefer: `odata.maxpagesize=${size}` } });

/** Follows the links to the end; sends `headers` with each request. */
async function follow(path: string, headers: Record<string, string>): Promise<{ sizes: number[]; people: object[] }> {
  const sizes: number[] = [];
  const people: object[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    if (sizes.length > 200) throw new Error('The pages have no end.');
    const { status, body } = await app.asAdmin(next, { headers });
    expect(status).toBe(200);
    sizes.push(body.value.length);
    people.push(...body.value);
    const link: string | undefined = body['@odata.nextLink'];
    next = link && `/v2/${link}`;
  }
  return { sizes, people };
}

it.each([
  '',
  '&$orderby=City desc,LastName',
  "&$filter=contains(LastName,'e')&$expand=Tags",
  '&$count=true&$select=StaffKey',
  '&%24orderby=LastName+desc&dateFormat=x',
  '&$orderby=case(Fte gt 0.5:INF,true:0)',
  '&$orderby=case(Fte gt 0.5:-INF,Fte gt 0.2:NaN,true:Fte) desc',
  '&$orderby=cast(Fte,Edm.Double) mul 1e300 mul 1e300 desc',
  '&$orderby=Fte mul 1e300 mul 1e300 desc,City',
  '&$orderby=-RegHours,(RegHours mul 0) desc',
])('listStaffMembers 200: links lead through the whole list: %s', async (options) => {
  const whole = (await app.asAdmin(list + options, { headers: envelope })).body.value;
  expect((await follow(list + options, pages(17).headers)).people).toEqual(whole);
});

it('listStaffMembers 200: $skip and $top count across pages', async () => {
  const whole = (await app.asAdmin(`${list}&$skip=5&$top=25`)).body;
  const { sizes, people } = await follow(`${list}&$skip=5&$top=25`, pages(10).headers);
  expect(people).toEqual(whole);
  expect(sizes).toEqual([10, 10, 5]);
  expect((await follow(`${list}&$top=20`, pages(10).headers)).sizes).toEqual([10, 10]);
});

it('listStaffMembers 200: reports its page size, and keeps it when later pages request none', async () => {
  const { headers, body } = await app.asAdmin(list, pages(50));
  expect(headers.get('Preference-Applied')).toBe('maxpagesize=50');
  expect(headers.get('OData-Version')).toBe('4.01');
  expect(headers.get('Vary')).toMatch(/Accept, Prefer/);
  const next = await app.asAdmin(`/v2/${body['@odata.nextLink']}`);
  expect(next.body.value).toHaveLength(50);
  expect(next.headers.get('Preference-Applied')).toBeNull();
});

it('listStaffMembers 200: never limits a bare array', async () => {
  const { body, headers } = await app.asAdmin(list, { headers: { Prefer: 'maxpagesize=10' } });
  expect(body).toHaveLength(120);
  expect(headers.get('Preference-Applied')).toBeNull();
  expect(headers.get('Vary')).toMatch(/Accept, Prefer/);
});

it('listStaffMembers 200: each page has the count of all matches', async () => {
  const first = await app.asAdmin(`${list}&$count=true`, pages(100));
  const second = await app.asAdmin(`/v2/${first.body['@odata.nextLink']}`, pages(100));
  expect([first.body['@odata.count'], second.body['@odata.count'], second.body.value.length]).toEqual([120, 120, 20]);
});

it('listStaffMembers 400: rejects a malformed token, and one of another query', async () => {
  const { body } = await app.asAdmin(`${list}&$orderby=City`, pages(10));
  const token = String(body['@odata.nextLink']).split('$skiptoken=')[1];
  const rejected = [
    `${list}&$skiptoken=${token}`,
    `${list}&$orderby=City desc&$skiptoken=${token}`,
    `${list}&$skiptoken=x`,
  ];
  for (const path of rejected) {
    const response = await app.asAdmin(path);
    expectProblem(response, 400, 'odata_invalid');
    expect(response.body.errors[0].parameter).toBe('$skiptoken');
  }
  expectProblem(await app.call(`${list}&$orderby=City&$skiptoken=${token}`, { as: 'reader' }), 400, 'odata_invalid');
});

it('listStaffMembers 200: links continue after long texts', async () => {
  const long = 'é'.repeat(400);
  for (const StaffId of ['N-long-1', 'N-long-2']) {
    await app.put(await app.newPerson(StaffId), { City: long, LastName: long, FirstName: long });
  }
  const options = `${list}&$filter=startswith(StaffId,'N-long')&$orderby=City,LastName,FirstName`;
  expect((await follow(options, pages(1).headers)).sizes).toEqual([1, 1]);
});

it('listStaffMembers 400: rejects an order by values that are too long for a link', async () => {
  for (const StaffId of ['N-huge-1', 'N-huge-2']) {
    const { status } = await app.put(await app.newPerson(StaffId), { ContactInstructions: 'é'.repeat(4_000) });
    expect(status).toBe(200);
  }
  const options = `${list}&$filter=startswith(StaffId,'N-huge')&$orderby=ContactInstructions`;
  const { status, body } = await app.asAdmin(options, { headers: envelope });
  expect([status, body.value.length]).toEqual([200, 2]);
  const response = await app.asAdmin(options, pages(1));
  expectProblem(response, 400, 'odata_invalid');
  expect(response.body.errors[0].parameter).toBe('$orderby');
  const shorter = options.replace('ContactInstructions', 'substring(ContactInstructions,0,100)');
  expect((await follow(shorter, pages(1).headers)).sizes).toEqual([1, 1]);
});

it('listStaffMembers 400: rejects a query that is too long for a link', async () => {
  const queryOf = (length: number) => `${list}&$top=2&$filter=City%20ne%20%27${'x'.repeat(length)}%27`;
  const { body } = await app.asAdmin(queryOf(0), pages(1));
  const longest = 16_384 - `/v2/${body['@odata.nextLink']}`.length;
  expect((await follow(queryOf(longest), pages(1).headers)).sizes).toEqual([1, 1]);
  expectProblem(await app.asAdmin(queryOf(longest + 1), pages(1)), 400, 'odata_invalid');
  expect((await app.asAdmin(queryOf(longest + 1), { headers: envelope })).status).toBe(200);
});

it('listStaffMembers 200: handles numbers of any size', async () => {
  const person = await app.newPerson('N-large');
  await app.put(person, { RegHours: 1e308, Fte: 5e-324 });
  const queries: [filter: string, finds: boolean][] = [
    ['RegHours mul 10 eq null', true],
    ['cast(RegHours,Edm.Double) mul 10 eq INF', true],
    ['RegHours add RegHours gt 1', false],
    ['Fte div 10 eq 0', true],
    ['Fte mul Fte eq 0', true],
    ['RegHours div Fte eq null', true],
    ['RegHours mod Fte eq null', true],
    ['round(RegHours) eq RegHours', true],
    ['-RegHours lt 0', true],
    ['Fte div (RegHours sub RegHours) eq null', true],
  ];
  for (const [filter, finds] of queries) {
    const options = `&$filter=(${filter}) and StaffId eq 'N-large'`;
    const { status, body } = await app.asAdmin(list + options);
    expect([filter, status, body.length]).toEqual([filter, 200, Number(finds)]);
    expect((await app.asAdmin(`${list}&$filter=${filter}`)).status).toBe(200);
    expect((await app.asAdmin(`${list}&$orderby=${filter}`)).status).toBe(200);
  }
  await app.put(person, { RegHours: null, Fte: null });
});

it('listStaffMembers 200: writes a number the same way with every database', async () => {
  const person = await app.newPerson('N-number');
  const numbers: [number, string][] = [
    [24, '24'],
    [0.1, '0.1'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1e15, '1e+15'],
    [123456789012345, '123456789012345'],
    [1e-5, '1e-05'],
    [0.0001, '0.0001'],
    [1e300, '1e+300'],
    [5e-324, '5e-324'],
  ];
  for (const [number, text] of numbers) {
    const written = await app.put(person, { RegHours: number });
    const selected = await app.asAdmin(`${person}?$select=RegHours`);
    expect([written.text.includes(`"RegHours":${text},`), selected.text]).toEqual([true, `{"RegHours":${text}}`]);
  }
});

it('getStaffMember 200: ignores sinceModifiedTimestamp, but rejects an invalid one', async () => {
  const person = await app.somePerson();
  expect((await app.asAdmin(`${person}?sinceModifiedTimestamp=2099-01-01`)).status).toBe(200);
  expectProblem(await app.asAdmin(`${person}?sinceModifiedTimestamp=2024-02-31`), 400, 'validation_failed');
});
