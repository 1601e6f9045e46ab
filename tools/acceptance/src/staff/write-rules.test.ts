import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../call.ts';
import { staffServers } from '../server-names.ts';
import { callAs, createPerson, list, pathOf } from './callers.ts';
import { findKnownPerson, readAll } from './known-keys.ts';

const pointersOf = ({ body }: Answer) => body.errors.map(({ pointer }: { pointer: string }) => pointer).sort();

describe.each(staffServers)('%s', (server) => {
  const write = (path: string, method: string, json: unknown, headers = {}) =>
    callAs(server, 'admin', path, { method, json, headers });
  const read = async (person: { StaffKey: string }) => (await callAs(server, 'admin', pathOf(person))).body;

  test.each([
    ['FristName', 'FirstName'],
    ['firstname', 'FirstName'],
    ['LastNme', 'LastName'],
    ['UpdateIfExist', 'UpdateIfExisting'],
  ])('rule unknown members: %s is refused, and %s is asked for; nobody is made', async (name, meant) => {
    const StaffId = `never-${randomUUID()}`;
    const answer = await write('/v2/staffmember', 'POST', { StaffId, [name]: 'x' });
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.errors).toEqual([
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
    // As text: an object with a member __proto__ cannot be written otherwise.
    const body = `{"City":"Oslo","${name}":null}`;
    const headers = { 'Content-Type': 'application/json' };
    const answer = await callAs(server, 'admin', pathOf(person), { method: 'PUT', body, headers });
    expect([answer.status, pointersOf(answer)]).toEqual([400, [`/${name}`]]);
    expect(await read(person)).toEqual(person);
  });

  test('rule every fault: rules of the outcome are told all at once too, and nothing is changed', async () => {
    const person = await createPerson(server, { StartDate: '2026-01-01', PayrollEndDate: '2026-01-01' });
    const json = {
      EndDate: '2025-01-01',
      PayrollStartDate: '2027-01-01',
      ManagerId: 'no-such-id',
      BgColor: 'blue-ish',
      City: 'Oslo',
    };
    const answer = await write(pathOf(person), 'PUT', json);
    expect(answer.status).toBe(400);
    expect(pointersOf(answer)).toEqual(['/BgColor', '/EndDate', '/ManagerId', '/PayrollStartDate']);
    expect(await read(person)).toEqual(person);
  });

  test('rule every fault: the same rules hold where UpdateIfExisting makes an update of it', async () => {
    const person = await createPerson(server, { StartDate: '2026-01-01' });
    const json = { StaffId: person.StaffId, UpdateIfExisting: true, EndDate: '2025-01-01', ManagerId: person.StaffId };
    const answer = await write('/v2/staffmember', 'POST', json);
    expect([answer.status, pointersOf(answer)]).toEqual([400, ['/EndDate', '/ManagerId']]);
    expect(await read(person)).toEqual(person);
  });

  test('rule order of checks: the form, then the person, the version, the outcome, and what others have', async () => {
    const [person, other] = [await createPerson(server), await createPerson(server)];
    const nobody = '/v2/staffmember/no-such-person';
    const stale = { 'If-Match': '"0"' };
    const bad = { surprise: 1, ManagerId: 'no-such-id', StaffId: other.StaffId };
    const { surprise: _, ...formed } = bad;
    expect((await write(nobody, 'PUT', bad, stale)).status).toBe(400);
    expect((await write(nobody, 'PUT', formed, stale)).status).toBe(404);
    expect((await write(pathOf(person), 'PUT', formed, stale)).status).toBe(412);
    expect((await write(pathOf(person), 'PUT', formed)).status).toBe(400);
    expect((await write(pathOf(person), 'PUT', { StaffId: other.StaffId })).status).toBe(409);
    expect(await read(person)).toEqual(person);
  });

  test('rule order of lists: locations, profiles, pay modifiers, badges and limits come by their keys', async () => {
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

  test('rule everybody reads: an account that is no admin is let through by every read', async () => {
    const { person } = await findKnownPerson(server, 'admin', server === 'scheduling' ? 157 : 158);
    for (const path of ['', '/location', '/profile', '/payModifier', '/badgeId', '/requestlimit']) {
      expect((await callAs(server, 'reader', pathOf(person, path))).status, path).toBe(200);
    }
    expect((await list(server, 'reader', { $top: '1' })).status).toBe(200);
  });

  test('rule nothing changed: what changes nothing leaves the version and the moment of change as they are', async () => {
    const person = await createPerson(server, { City: 'Oslo' });
    const before = await readAll(server, 'admin', person);
    const etag = (await callAs(server, 'admin', pathOf(person))).headers.get('ETag');
    const same = await write(pathOf(person), 'PUT', { City: 'Oslo' });
    expect([same.status, same.body]).toEqual([200, person]);
    expect((await callAs(server, 'admin', pathOf(person))).headers.get('ETag')).toBe(etag);
    expect(await readAll(server, 'admin', person)).toEqual(before);
  });

  test('updateStaffMember 200: takes back all that the single read gives, but for what the server keeps', async () => {
    const person = await createPerson(server, { City: 'Oslo', Fte: 0.7, StartDate: '2024-02-29', Npi: '1234567890' });
    const kept = ['CompKey', 'StaffKey', 'LastModifiedDateUtc', 'UserLastLoginDateTimeUtc', 'SourceOfLogin', 'Tags'];
    const collections = ['TTCMTags', 'Skillset', 'Profiles', 'AvailableProfiles', 'BadgeIds'];
    const json = Object.fromEntries(
      Object.entries(person).filter(([name]) => ![...kept, ...collections].includes(name)),
    );
    const { status, body } = await write(pathOf(person), 'PUT', json);
    expect([status, body]).toEqual([200, person]);
  });
});
