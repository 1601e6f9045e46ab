import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { TestResponse } from '../call.ts';
import { staffServers } from '../server-names.ts';
import { callAs, createPerson, list, pathOf } from './callers.ts';
import { findKnownPerson, readAll } from './known-keys.ts';

const pointersOf = ({ body }: TestResponse) => body.errors.map(({ pointer }: { pointer: string }) => pointer).sort();

describe.each(staffServers)('%s', (server) => {
  const write = (path: string, method: string, json: unknown, headers = {}) =>
    callAs(server, 'admin', path, { method, json, headers });
  const read = async (person: { StaffKey: string }) => (await callAs(server, 'admin', pathOf(person))).body;

  test.each([
    ['FristName', 'FirstName'],
    ['firstname', 'FirstName'],
    ['LastNme', 'LastName'],
    ['UpdateIfExist', 'UpdateIfExisting'],
  ])('rule unknown members: rejects %s, suggests %s and creates no person', async (name, meant) => {
    const StaffId = `never-${randomUUID()}`;
    const response = await write('/v2/staffmember', 'POST', { StaffId, [name]: 'x' });
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    expect(response.body.errors).toEqual([
      expect.objectContaining({ pointer: `/${name}`, detail: expect.stringContaining(meant) }),
    ]);
    expect((await list(server, 'admin', { $filter: `StaffId eq '${StaffId}'` })).body).toEqual([]);
  });

  test.each([
    'CompKey',
    'StaffKey',
    'LastModifiedDateUtc',
    'UserLastLoginDateTimeUtc',
    'SourceOfLogin',
    'Tags',
    'TTCMTags',
    'Skillset',
    'Profiles',
    'AvailableProfiles',
    'BadgeIds',
    'Revision',
    'companyKey',
    '__proto__',
  ])('rule what the server keeps: %s cannot be set', async (name) => {
    const person = await createPerson(server);
    // As text, because an object literal cannot have a member __proto__.
    const body = `{"City":"Oslo","${name}":null}`;
    const headers = { 'Content-Type': 'application/json' };
    const response = await callAs(server, 'admin', pathOf(person), { method: 'PUT', body, headers });
    expect([response.status, pointersOf(response)]).toEqual([400, [`/${name}`]]);
    expect(await read(person)).toEqual(person);
  });

  test('rule every fault: all faults of the result are reported at once, and nothing changes', async () => {
    const person = await createPerson(server, { StartDate: '2026-01-01', PayrollEndDate: '2026-01-01' });
    const json = {
      EndDate: '2025-01-01',
      PayrollStartDate: '2027-01-01',
      ManagerId: 'no-such-id',
      BgColor: 'blue-ish',
      City: 'Oslo',
    };
    const response = await write(pathOf(person), 'PUT', json);
    expect(response.status).toBe(400);
    expect(pointersOf(response)).toEqual(['/BgColor', '/EndDate', '/ManagerId', '/PayrollStartDate']);
    expect(await read(person)).toEqual(person);
  });

  test('rule every fault: the same rules apply to an update by UpdateIfExisting', async () => {
    const person = await createPerson(server, { StartDate: '2026-01-01' });
    const json = { StaffId: person.StaffId, UpdateIfExisting: true, EndDate: '2025-01-01', ManagerId: person.StaffId };
    const response = await write('/v2/staffmember', 'POST', json);
    expect([response.status, pointersOf(response)]).toEqual([400, ['/EndDate', '/ManagerId']]);
    expect(await read(person)).toEqual(person);
  });

  test('rule order of checks: syntax, then the person, the version, the result, and conflicts with others', async () => {
    const [person, other] = [await createPerson(server), await createPerson(server)];
    const unknown = '/v2/staffmember/no-such-person';
    const stale = { 'If-Match': '"0"' };
    const bad = { surprise: 1, ManagerId: 'no-such-id', StaffId: other.StaffId };
    const { surprise: _, ...formed } = bad;
    expect((await write(unknown, 'PUT', bad, stale)).status).toBe(400);
    expect((await write(unknown, 'PUT', formed, stale)).status).toBe(404);
    expect((await write(pathOf(person), 'PUT', formed, stale)).status).toBe(412);
    expect((await write(pathOf(person), 'PUT', formed)).status).toBe(400);
    expect((await write(pathOf(person), 'PUT', { StaffId: other.StaffId })).status).toBe(409);
    expect(await read(person)).toEqual(person);
  });

  test('rule order of lists: locations, profiles, pay modifiers, badges and limits are ordered by their keys', async () => {
    const { person } = await findKnownPerson(server, 'admin', server === 'scheduling' ? 155 : 156);
    for (let i = 0; i < 3; i++) await write(pathOf(person, '/payModifier'), 'POST', { PositionId: `P-${i}` });
    const keysOf = {
      location: ({ Location }: { Location: { LocationKey: string } }) => Location.LocationKey,
      profile: ({ ProfileKey }: { ProfileKey: string }) => ProfileKey,
      payModifier: ({ PayModifierKey }: { PayModifierKey: string }) => PayModifierKey,
      badgeId: ({ BadgeId }: { BadgeId: string }) => BadgeId,
      requestlimit: ({ Key }: { Key: string }) => Key,
    };
    for (const [path, keyOf] of Object.entries(keysOf)) {
      const { status, body } = await callAs(server, 'admin', pathOf(person, `/${path}`));
      expect([status, Array.isArray(body)], path).toEqual([200, true]);
      const keys: string[] = body.map(keyOf);
      expect(keys, path).toEqual([...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    }
  });

  test('rule everybody reads: an account without admin rights may use every read', async () => {
    const { person } = await findKnownPerson(server, 'admin', server === 'scheduling' ? 157 : 158);
    for (const path of ['', '/location', '/profile', '/payModifier', '/badgeId', '/requestlimit']) {
      expect((await callAs(server, 'reader', pathOf(person, path))).status, path).toBe(200);
    }
    expect((await list(server, 'reader', { $top: '1' })).status).toBe(200);
  });

  test('rule nothing changed: a write without a change keeps the version and the time of change', async () => {
    const person = await createPerson(server, { City: 'Oslo' });
    const before = await readAll(server, 'admin', person);
    const etag = (await callAs(server, 'admin', pathOf(person))).headers.get('ETag');
    const same = await write(pathOf(person), 'PUT', { City: 'Oslo' });
    expect([same.status, same.body]).toEqual([200, person]);
    expect((await callAs(server, 'admin', pathOf(person))).headers.get('ETag')).toBe(etag);
    expect(await readAll(server, 'admin', person)).toEqual(before);
  });

  test('updateStaffMember 200: accepts everything that the single read returns, except read-only members', async () => {
    const person = await createPerson(server, { City: 'Oslo', Fte: 0.7, StartDate: '2024-02-29', Npi: '1234567890' });
    const readOnly = [
      'CompKey',
      'StaffKey',
      'LastModifiedDateUtc',
      'UserLastLoginDateTimeUtc',
      'SourceOfLogin',
      'Tags',
    ];
    const collections = ['TTCMTags', 'Skillset', 'Profiles', 'AvailableProfiles', 'BadgeIds'];
    const json = Object.fromEntries(
      Object.entries(person).filter(([name]) => ![...readOnly, ...collections].includes(name)),
    );
    const { status, body } = await write(pathOf(person), 'PUT', json);
    expect([status, body]).toEqual([200, person]);
  });
});
