import { expect, test } from 'vitest';
import { call, type TestResponse } from '../call.ts';
import { callAs, list, type Role } from '../staff/callers.ts';
import { unchangedPeople } from '../staff/known-keys.ts';

const set = '/v2/StaffMembers';
const read = (path: string, headers: Readonly<Record<string, string>> = {}, role: Role = 'admin') =>
  callAs('scheduling', role, set + path, { headers });
const query = (options: Readonly<Record<string, string>>, headers = {}, role: Role = 'admin') =>
  read(`?${new URLSearchParams({ $filter: unchangedPeople, ...options })}`, headers, role);

const collections = ['Tags', 'TTCMTags', 'Skillset', 'Profiles', 'AvailableProfiles', 'BadgeIds'];

/** Converts what the contract returns to the form of the root: dates have an offset, and no collection is null. */
function toOData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toOData);
  if (typeof value === 'string') return value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)$/, '$1Z');
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name, one]) => one !== null || !collections.includes(name));
  return Object.fromEntries(members.map(([name, one]) => [name, toOData(one)]));
}

/** Expects the people of `listStaffMembers` with the same options, and some. */
async function expectSameList(options: Readonly<Record<string, string>>): Promise<TestResponse> {
  const response = await query(options);
  const { body } = await list('scheduling', 'admin', { $filter: unchangedPeople, ...options });
  expect(response.status).toBe(200);
  expect(response.body.value).toEqual(toOData(body.value ?? body));
  expect(response.body.value.length).toBeGreaterThan(0);
  return response;
}

function expectError({ status, body }: TestResponse, expected: number, code: string, target?: string): void {
  expect([status, body.error.code, body.error.target]).toEqual([expected, code, target]);
}

/** Returns the key of a person. */
const someKey = async (): Promise<string> =>
  (await query({ $top: '1', $orderby: 'LastName,StaffKey', $select: 'StaffKey' })).body.value[0].StaffKey;

test('listODataStaffMembers 200: returns the people of the list with offsets, and without null collections', async () => {
  const { headers, body } = await expectSameList({});
  expect(headers.get('Content-Type')).toBe('application/json;odata.metadata=minimal');
  expect(new URL(body['@odata.context']).hash).toBe('#StaffMembers');
  expect(body.value[0].StartDate).toMatch(/T00:00:00Z$/);
  expect(Object.keys(body.value[0])).not.toContain('Tags');
});

test('listODataStaffMembers 200: hides collections from an account without admin', async () => {
  const { body } = await query({ $expand: 'Tags', $top: '5' }, {}, 'reader');
  for (const { Tags, TTCMTags } of body.value) expect([Tags, TTCMTags]).toEqual([[], []]);
});

test('listODataStaffMembers $select: returns the selected properties', async () => {
  await expectSameList({ $select: 'StaffKey,LastName,EndDate' });
});

test('listODataStaffMembers $filter: chooses people, also by their tags', async () => {
  await expectSameList({ $filter: `${unchangedPeople} and Tags/any(t:t/Tags/any(e:e/Key gt 0))` });
});

test('listODataStaffMembers $orderby: orders the people', async () => {
  await expectSameList({ $orderby: 'LastName desc,StaffKey' });
});

test('listODataStaffMembers $expand: adds collections with their options', async () => {
  await expectSameList({ $expand: 'Tags($select=CategoryName),Skillset($filter=IsSkilledMon;$top=1)' });
});

test('listODataStaffMembers $top: and the other options of a part have the effect that they have in the list', async () => {
  await expectSameList({ $top: '3', $orderby: 'City,StaffKey' });
});

test('listODataStaffMembers $skip: leaves out the first people', async () => {
  await expectSameList({ $skip: '3', $top: '2', $orderby: 'City,StaffKey' });
});

test('listODataStaffMembers $count: adds the number of people to the envelope', async () => {
  const { body } = await expectSameList({ $count: 'true', $top: '1' });
  expect(String(body['@odata.count'])).toBe((await read(`/$count?$filter=${unchangedPeople}`)).text);
});

test('listODataStaffMembers $skiptoken: the links of the pages stay below the root', async () => {
  const keys: string[] = [];
  let next: string | undefined = `StaffMembers?$filter=${unchangedPeople}&$select=StaffKey&$orderby=LastName`;
  for (let pages = 0; next !== undefined && pages < 20; pages++) {
    const prefer = { Prefer: 'odata.maxpagesize=200' };
    const { body }: TestResponse = await callAs('scheduling', 'admin', `/v2/${next}`, { headers: prefer });
    keys.push(...body.value.map(({ StaffKey }: { StaffKey: string }) => StaffKey));
    next = body['@odata.nextLink'];
    expect(next ?? 'StaffMembers?').toMatch(/^StaffMembers\?/);
  }
  const whole = await query({ $select: 'StaffKey', $orderby: 'LastName' });
  expect(keys).toEqual(whole.body.value.map(({ StaffKey }: { StaffKey: string }) => StaffKey));
  expect(keys.length).toBeGreaterThan(200);
});

test('listODataStaffMembers Prefer: limits the people per page, and changes are not tracked', async () => {
  const { headers, body } = await query({}, { Prefer: 'maxpagesize=2, odata.track-changes' });
  expect([headers.get('Preference-Applied'), body.value.length]).toEqual(['maxpagesize=2', 2]);
  expect(Object.keys(body)).toEqual(['@odata.context', 'value', '@odata.nextLink']);
});

test('listODataStaffMembers $format: accepts JSON only', async () => {
  await expectSameList({ $top: '1' });
  expect((await query({ $top: '1', $format: 'json' })).status).toBe(200);
  expectError(await query({ $format: 'atom' }), 400, 'validation_failed', '$format');
});

test('listODataStaffMembers 400: names the wrong option in an error of OData', async () => {
  expectError(await read('?$filter=Nobody eq 1'), 400, 'odata_invalid', '$filter');
  expectError(await read('?companyKey=x'), 400, 'validation_failed', 'companyKey');
});

test('listODataStaffMembers 401: a login is needed', async () => {
  const response = await call('scheduling', set);
  expectError(response, 401, 'token_missing');
  expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
});

test('listODataStaffMembers 501: names the unsupported option', async () => {
  expectError(await read('?$filter=geo.length(null) eq 1'), 501, 'odata_unsupported', '$filter');
});

test('listODataStaffMembers $search: is not supported', async () => {
  expectError(await read('?$search=cardiology'), 501, 'odata_unsupported', '$search');
});

test('countODataStaffMembers 200: returns the number as plain text, in the version of the client', async () => {
  const { headers, text } = await read(`/$count?$filter=${unchangedPeople}`, { 'OData-MaxVersion': '4.0' });
  expect([headers.get('Content-Type'), headers.get('OData-Version')]).toEqual(['text/plain', '4.0']);
  expect(Number(text)).toBe((await query({})).body.value.length);
});

test('countODataStaffMembers $filter: an account without admin counts no person by tags', async () => {
  expect(Number((await read('/$count?$filter=Tags/any()')).text)).toBeGreaterThan(0);
  expect((await read('/$count?$filter=Tags/any()', {}, 'reader')).text).toBe('0');
});

test('countODataStaffMembers 400: rejects the options that shape a list', async () => {
  for (const option of ['$top', '$orderby', '$select', '$expand', '$format']) {
    expectError(await read(`/$count?${option}=1`), 400, 'validation_failed', option);
  }
});

test('countODataStaffMembers 401: a login is needed', async () => {
  expectError(await call('scheduling', `${set}/$count`), 401, 'token_missing');
});

test('countODataStaffMembers 501: names the unsupported option', async () => {
  expectError(await read('/$count?$filter=geo.length(null) eq 1'), 501, 'odata_unsupported', '$filter');
});

test('countODataStaffMembers $search: is not supported', async () => {
  expectError(await read('/$count?$search=cardiology'), 501, 'odata_unsupported', '$search');
});

test('getODataStaffMember 200: returns the person of the read, with the version', async () => {
  const key = await someKey();
  const { headers, body } = await read(`/${key}`);
  const { '@odata.context': context, '@odata.etag': etag, ...person } = body;
  expect([new URL(context).hash, etag]).toEqual(['#StaffMembers/$entity', headers.get('ETag')]);
  expect(person).toEqual(toOData((await callAs('scheduling', 'admin', `/v2/staffmember/${key}`)).body));
});

test('getODataStaffMember staff_key: is a segment, or a string in parentheses', async () => {
  const key = await someKey();
  const { body } = await read(`/${key}`);
  for (const form of [`('${key}')`, `(StaffKey='${key}')`, `%28%27${key}%27%29`]) {
    expect((await read(form)).body).toEqual(body);
  }
});

test('getODataStaffMember $select: returns the selected properties', async () => {
  const { body } = await read(`('${await someKey()}')?$select=LastName`);
  expect(Object.keys(body)).toEqual(['@odata.context', '@odata.etag', 'LastName']);
});

test('getODataStaffMember $expand: adds collections', async () => {
  const key = await someKey();
  const { body } = await read(`('${key}')?$expand=Profiles`);
  const { body: person } = await callAs('scheduling', 'admin', `/v2/staffmember/${key}?$expand=Profiles`);
  expect(body.Profiles).toEqual(toOData(person.Profiles));
});

test('getODataStaffMember $format: accepts JSON only', async () => {
  const path = `('${await someKey()}')?$format`;
  expect((await read(`${path}=application/json`)).status).toBe(200);
  expectError(await read(`${path}=xml`), 400, 'validation_failed', '$format');
});

test('getODataStaffMember 304: the client has the current version', async () => {
  const key = await someKey();
  const etag = (await read(`('${key}')`)).headers.get('ETag') ?? '';
  const again = await read(`('${key}')`, { 'If-None-Match': etag });
  expect([again.status, again.text, again.headers.get('ETag')]).toEqual([304, '', etag]);
});

test('getODataStaffMember If-None-Match: must be a list of entity tags', async () => {
  expectError(
    await read(`('${await someKey()}')`, { 'If-None-Match': '7' }),
    400,
    'validation_failed',
    'If-None-Match',
  );
});

test('getODataStaffMember 400: rejects the options of lists', async () => {
  expectError(await read("('nobody')?$filter=true"), 400, 'validation_failed', '$filter');
});

test('getODataStaffMember 401: a login is needed', async () => {
  expectError(await call('scheduling', `${set}('nobody')`), 401, 'token_missing');
});

test('getODataStaffMember 404: the key is unknown, or of another company', async () => {
  expectError(await read("('nobody')"), 404, 'not_found');
  expectError(await read(`('${await someKey()}')`, {}, 'otherCompany'), 404, 'not_found');
});

test('getODataStaffMember 501: names the unsupported option', async () => {
  expectError(await read("('nobody')?$expand=Tags($count=true)"), 501, 'odata_unsupported', '$expand');
});

test('the OData root is read-only and has no other paths', async () => {
  const { status, headers, body } = await callAs('scheduling', 'admin', set, { method: 'POST', json: {} });
  expect([status, headers.get('Allow'), body.error.code]).toEqual([405, 'GET, HEAD, OPTIONS', 'method_not_allowed']);
  expectError(await read("('nobody')/Tags"), 404, 'route_not_found');
});
