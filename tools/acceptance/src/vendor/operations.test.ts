import { randomUUID } from 'node:crypto';
import { operations } from '@rostergate/staff-server';
import { describe, expect, test } from 'vitest';
import type { TestResponse } from '../call.ts';
import { callAs, companyKey, list, pathOf } from '../staff/callers.ts';
import { changedPeople, unchangedPeople } from '../staff/known-keys.ts';
import { createRequests } from '../staff/requests.ts';
import { vendorAddress } from './start-vendor.ts';
import { company, useVendor } from './use-vendor.ts';

const vendor = useVendor();
const send = (method: string, path: string, json?: unknown) => vendor.as('admin', path, { method, json });
/** Returns the same person from the scheduling server. */
const stored = async (person: { StaffKey: string }, query = '') =>
  (await callAs('scheduling', 'admin', pathOf(person, query))).body;
/** Returns the path of a person at the vendor. */
const at = (person: { StaffKey: string }, rest = '') => pathOf(person, rest);

describe('reads', () => {
  test('vendor listStaffMembers: a bare array, or an envelope on request, with people of the contract', async () => {
    const $filter = "startswith(StaffId,'S-')";
    const options = { $filter, $top: '3', $expand: 'Tags', includes: 'Skillset' };
    const query = new URLSearchParams({ companyKey, ...options });
    const { status, body } = await vendor.as('admin', `/v2/staffmember?${query}`);
    expect([status, body]).toEqual([200, (await list('scheduling', 'admin', options)).body]);
    expect(vendor.asked()).toEqual([['GET', `/v2/staffmember?${query}`]]);
    const counted = await vendor.as('admin', `/v2/staffmember?${query}&$count=true`);
    expect(counted.body).toMatchObject({ '@odata.count': expect.any(Number), value: body });
  });

  test('vendor listStaffMembers: the next links of a list point to the proxy', async () => {
    const $filter = "startswith(StaffId,'S-10')";
    const found: unknown[] = [];
    let path: string | undefined = `staffmember?${new URLSearchParams({ $filter, $select: 'StaffKey' })}`;
    while (path !== undefined) {
      const headers = { Accept: 'application/json;odata.metadata=minimal', Prefer: 'maxpagesize=20' };
      const { status, body, text }: TestResponse = await vendor.as('admin', `/v2/${path}`, { headers });
      expect([status, text.includes(vendorAddress)]).toEqual([200, false]);
      expect(body['@odata.context']).toBe('$metadata#StaffMembers(StaffKey)');
      found.push(...body.value);
      path = body['@odata.nextLink'];
    }
    expect(found).toEqual((await list('scheduling', 'admin', { $filter, $select: 'StaffKey' })).body);
    expect(found.length).toBeGreaterThan(40);
  });

  test('vendor listStaffMembers: streams hundreds of people', async () => {
    const options = { $filter: unchangedPeople, includes: 'Tags,Skillset,Profiles' };
    const { status, body } = await vendor.as('admin', `/v2/staffmember?${new URLSearchParams(options)}`);
    expect(status).toBe(200);
    expect(body.length).toBeGreaterThan(400);
    expect(body).toEqual((await list('scheduling', 'admin', options)).body);
  });

  test('vendor getStaffMember: sends the company that the vendor requires, and returns only members of the contract', async () => {
    const [person] = (await list('scheduling', 'admin', { $filter: "startswith(StaffId,'S-')", $top: '1' })).body;
    const { status, body, headers, text } = await vendor.as('admin', pathOf(person, '?includes=Tags,BadgeIds'));
    expect([status, body]).toEqual([200, await stored(person, '?includes=Tags,BadgeIds')]);
    expect(vendor.asked()).toEqual([['GET', at(person, `?includes=Tags,BadgeIds&CompanyKey=${company}`)]]);
    expect(text).not.toMatch(/SocialSecurityNumber|BirthDate|2468|"Badges"/);
    expect(headers.get('ETag')).toBeNull();
  });

  test('vendor getStaffMember: unknown members only for the key that keeps them, of one account at one time', async () => {
    const [person] = (await list('scheduling', 'admin', { $filter: "startswith(StaffId,'S-')", $top: '1' })).body;
    const [kept, dropped] = await Promise.all([vendor.keeping(pathOf(person)), vendor.as('admin', pathOf(person))]);
    const { SocialSecurityNumber, BirthDate, MobileServiceProvider, ...known } = (await kept.json()) as Readonly<
      Record<string, unknown>
    >;
    expect([kept.status, known]).toEqual([200, dropped.body]);
    expect([SocialSecurityNumber, BirthDate, MobileServiceProvider]).not.toContain(undefined);
    expect(known).not.toHaveProperty('TimeClockKioskPIN');
  });

  /** Compares the response of the proxy with that of the scheduling server; returns the requests to the vendor. */
  async function readBoth(rest: string) {
    const [person] = (await list('scheduling', 'admin', { $filter: "startswith(StaffId,'S-')", $top: '1' })).body;
    const { status, body } = await vendor.as('admin', pathOf(person, rest));
    expect(status).toBe(200);
    const direct = await callAs('scheduling', 'admin', pathOf(person, rest));
    return { body, direct: direct.body, asked: vendor.asked(), path: at(person, rest) };
  }

  test('vendor listStaffLocations: within the company of the key', async () => {
    const { body, direct, asked, path } = await readBoth('/location');
    // The vendor omits the tags of people and locations there.
    expect(body).toEqual(direct.map(withoutTags));
    expect(asked).toEqual([['GET', `${path}?companyKey=${company}`]]);
  });

  test('vendor listPayModifiers: within the company of the key', async () => {
    const { body, direct, asked, path } = await readBoth('/payModifier');
    expect(body).toEqual(direct);
    expect(asked).toEqual([['GET', `${path}?companyKey=${company}`]]);
  });

  test('vendor listRequestLimits: within the company of the key, with includes', async () => {
    const { body, direct, asked, path } = await readBoth('/requestlimit?includes=StaffLimits');
    expect(body).toEqual(direct);
    expect(asked).toEqual([['GET', `${path}&CompanyKey=${company}`]]);
  });

  /** The vendor lacks the operation and receives no request. */
  async function expectMissing(operationId: 'listBadgeIds' | 'listStaffProfiles'): Promise<void> {
    const person = await vendor.person();
    const path = operations[operationId].path.replace('{staff_key}', encodeURIComponent(person.StaffKey));
    const { status, body } = await vendor.as('admin', `/v2${path}`);
    expect([status, body.code, body.kind]).toEqual([501, 'not_implemented', 'NotImplementedError']);
    expect(vendor.asked()).toEqual([]);
  }

  test('vendor listBadgeIds: 501, because the vendor only adds and removes badges', () =>
    expectMissing('listBadgeIds'));

  test('vendor listStaffProfiles: 501, because the vendor only sets profiles', () =>
    expectMissing('listStaffProfiles'));
});

const withoutTags = ({ Staff, Location, ...rest }: { Staff: object; Location: object }) => ({
  ...rest,
  Staff: { ...Staff, Tags: [] },
  Location: { ...Location, Tags: [] },
});

describe('changes', () => {
  test('vendor createStaffMember: sends the company in the body; 201 with the Location of the new person', async () => {
    const json = { StaffId: `vendor-${randomUUID()}`, FirstName: 'Ny' };
    const { status, body, headers } = await send('POST', '/v2/staffmember', json);
    expect([status, body]).toEqual([201, await stored(body)]);
    expect(headers.get('Location')).toBe(pathOf(body));
    expect(vendor.asked()).toEqual([['POST', '/v2/staffmember', { ...json, CompanyKey: companyKey }]]);
    expect((await send('POST', '/v2/staffmember', json)).status).toBe(409);
    const again = await send('POST', '/v2/staffmember', { ...json, UpdateIfExisting: true, City: 'Oslo' });
    expect([again.status, again.body.City]).toEqual([200, 'Oslo']);
    const asked = vendor.seen().slice(-2);
    expect(asked.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  test('vendor createStaffMember: 201 for a new person with UpdateIfExisting too', async () => {
    const json = { StaffId: `vendor-O'${randomUUID()}`, FirstName: 'Ny', UpdateIfExisting: true };
    const { status, body, headers } = await send('POST', '/v2/staffmember', json);
    expect([status, headers.get('Location')]).toEqual([201, pathOf(body)]);
    expect((await send('POST', '/v2/staffmember', { ...json, City: 'Oslo' })).status).toBe(200);
  });

  test('vendor updateStaffMember: changes the sent members, with the company in the body', async () => {
    const person = await vendor.person();
    const { status, body } = await send('PUT', pathOf(person), { City: 'Oslo' });
    expect([status, body]).toEqual([200, await stored(person)]);
    expect(body.City).toBe('Oslo');
    expect(vendor.asked()).toEqual([['PUT', at(person), { City: 'Oslo', CompanyKey: companyKey }]]);
  });

  test('vendor addStaffTag: 201 with the category, which the vendor returns only with the person', async () => {
    const person = await vendor.person();
    const json = { category: 'Team', name: 'Blue', effectiveDate: '2026-02-03T00:00:00' };
    const { status, body } = await send('POST', pathOf(person, '/tag'), json);
    expect([status, [body]]).toEqual([201, (await stored(person, '?includes=Tags')).Tags]);
    expect(vendor.asked()).toEqual([
      ['POST', at(person, '/tag'), { ...json, companyKey }],
      ['GET', at(person, `?CompanyKey=${company}&includes=Tags`)],
    ]);
  });

  test('vendor addStaffLocationTag: a POST at the vendor', async () => {
    // The last person that tests may change: no other file uses that one.
    const options = { $filter: changedPeople, $orderby: 'StaffId desc', $top: '1' };
    const [person] = (await list('scheduling', 'admin', options)).body;
    const [{ Location }] = (await callAs('scheduling', 'admin', pathOf(person, '/location'))).body;
    const path = pathOf(person, `/location/${encodeURIComponent(Location.LocationKey)}/tag`);
    const json = { categoryName: 'Team', tagName: 'Gold' };
    const { status, body } = await send('PUT', path, json);
    const places: { Location: { LocationKey: string }; Tags: unknown }[] = (
      await callAs('scheduling', 'admin', pathOf(person, '/location'))
    ).body;
    const changed = places.find((place) => place.Location.LocationKey === Location.LocationKey);
    expect([status, body.Tags]).toEqual([200, changed?.Tags]);
    expect(vendor.asked()).toEqual([['POST', path, { ...json, companyKey }]]);
  });

  test('vendor setStaffSkillset: adds a new skill by POST and changes an existing one by PUT', async () => {
    const person = await vendor.person();
    const task_key = await someTaskKey();
    const path = pathOf(person, `/skillset/${encodeURIComponent(task_key)}`);
    const added = await send('PUT', path, { IsSkilledMon: true });
    expect([added.status, [added.body]]).toEqual([200, (await stored(person, '?includes=Skillset')).Skillset]);
    const changed = await send('PUT', path, { IsSkilledSat: true });
    expect(changed.body).toMatchObject({ IsSkilledMon: true, IsSkilledSat: true });
    expect(vendor.asked()).toEqual([
      ['PUT', path, { IsSkilledMon: true, companyKey }],
      ['POST', at(person, '/skillset'), { IsSkilledMon: true, taskId: task_key, companyKey }],
      ['PUT', path, { IsSkilledSat: true, companyKey }],
    ]);
  });

  test('vendor removeStaffSkillset: an empty object, although the vendor returns no body', async () => {
    const person = await vendor.person();
    const path = pathOf(person, `/skillset/${encodeURIComponent(await someTaskKey())}`);
    expect((await send('PUT', path, { IsSkilledMon: true })).status).toBe(200);
    const removed = await send('DELETE', path);
    expect([removed.status, removed.body]).toEqual([200, {}]);
    expect(vendor.asked().at(-1)).toEqual(['DELETE', `${path}?companyKey=${company}`]);
    expect((await stored(person, '?includes=Skillset')).Skillset).toEqual([]);
    expect((await send('DELETE', path)).status).toBe(404);
  });

  test('vendor setStaffProfile: the entry of the person that the vendor returns; a new one by POST', async () => {
    const person = await vendor.person();
    const options = { $filter: 'Profiles/any()', $top: '1', $expand: 'Profiles' };
    const [{ Profiles }] = (await list('scheduling', 'admin', options)).body;
    const [{ Name, ProfileKey }] = Profiles;
    const path = pathOf(person, `/profile/${encodeURIComponent(ProfileKey)}`);
    const lookedUp = ['GET', at(person, `?CompanyKey=${company}`)];
    const added = await send('PUT', path, {});
    expect([added.status, added.body]).toEqual([200, { Name, ProfileKey, IsViewable: true, IsSchedulable: false }]);
    const changed = await send('PUT', path, { IsSchedulable: true });
    expect([[changed.body]]).toEqual([(await stored(person, '?includes=Profiles')).Profiles]);
    expect(vendor.asked()).toEqual([
      lookedUp,
      ['PUT', path, {}],
      ['POST', at(person, '/profile'), { UserProfileKey: ProfileKey }],
      lookedUp,
      ['PUT', path, { IsSchedulable: true }],
    ]);
  });

  test('vendor createPayModifier: one modifier in request and response, although the vendor has arrays', async () => {
    const person = await vendor.person();
    const { status, body } = await send('POST', pathOf(person, '/payModifier'), { PositionId: 'P-1' });
    const stored = (await callAs('scheduling', 'admin', pathOf(person, '/payModifier'))).body;
    expect([status, [body]]).toEqual([201, stored]);
    expect(vendor.asked()).toEqual([['POST', at(person, '/payModifier'), [{ PositionId: 'P-1', companyKey }]]]);
  });

  test('vendor updatePayModifier: the changed modifier, with the company in the body', async () => {
    const { path, made, person } = await someModifier();
    const { status, body } = await send('PUT', path, { PositionId: 'P-2' });
    expect([status, body]).toEqual([200, { ...made, PositionId: 'P-2' }]);
    expect(vendor.asked()).toEqual([['PUT', path, { PositionId: 'P-2', companyKey }]]);
    const stored = (await callAs('scheduling', 'admin', pathOf(person, '/payModifier'))).body;
    expect(stored).toEqual([body]);
  });

  test('vendor deletePayModifier: an empty object, with the company in the query', async () => {
    const { path, person } = await someModifier();
    const { status, body } = await send('DELETE', path);
    expect([status, body]).toEqual([200, {}]);
    expect(vendor.asked()).toEqual([['DELETE', `${path}?companyKey=${company}`]]);
    expect((await callAs('scheduling', 'admin', pathOf(person, '/payModifier'))).body).toEqual([]);
  });

  test('vendor setStaffManager: a PUT with a query at the vendor; returns the person, which the vendor omits', async () => {
    const [person, manager] = [await vendor.person(), await vendor.person()];
    const path = pathOf(person, '/manager');
    const byId = await send('POST', path, { ManagerId: manager.StaffId });
    expect([byId.status, byId.body]).toEqual([200, await stored(person)]);
    expect(byId.body.ManagerId).toBe(manager.StaffId);
    const query = `companyKey=${company}&managerId=`;
    expect(vendor.asked()).toEqual([
      ['PUT', at(person, `/manager/?${query}${manager.StaffId}`), { IsClearManagerId: false }],
      ['GET', at(person, `?CompanyKey=${company}`)],
    ]);
    const cleared = await send('POST', path, { IsClearManagerId: true });
    expect([cleared.status, cleared.body.ManagerId]).toEqual([200, null]);
    const byKey = await send('POST', path, { ManagerKey: manager.StaffKey });
    expect([byKey.status, byKey.body.ManagerId]).toEqual([200, manager.StaffId]);
    const unknown = await send('POST', path, { ManagerKey: 'no-such-key' });
    expect([unknown.status, unknown.body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/ManagerKey' })]]);
  });

  async function someTaskKey(): Promise<string> {
    const options = { $filter: 'Skillset/any()', $top: '1', $expand: 'Skillset' };
    return (await list('scheduling', 'admin', options)).body[0].Skillset[0].TaskKey;
  }

  async function someModifier() {
    const person = await vendor.person();
    const json = { PositionId: 'P-1' };
    const own = pathOf(person, '/payModifier');
    const { body: made } = await callAs('scheduling', 'admin', own, { method: 'POST', json });
    return { person, made, path: `${own}/${encodeURIComponent(made.PayModifierKey)}` };
  }
});

test('every operation of the contract has a test here', () => {
  expect(createRequests('x')).toHaveLength(18);
});
