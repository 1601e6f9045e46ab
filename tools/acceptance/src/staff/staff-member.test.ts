import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, createPerson, list, pathOf } from './callers.ts';

describe.each(staffServers)('%s', (server) => {
  const write = (path: string, method: string, json: unknown) => callAs(server, 'admin', path, { method, json });
  const read = async (path: string) => (await callAs(server, 'reader', path)).body;

  test('createStaffMember 201: returns a Location of the person, and CHANGEME for missing names', async () => {
    const StaffId = `new-${randomUUID()}`;
    const { status, headers, body } = await write('/v2/staffmember', 'POST', { StaffId, Email: 'ny@demo.example' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ StaffId, CompKey: companyKey, FirstName: 'CHANGEME', LastName: 'CHANGEME' });
    const location = headers.get('Location') ?? '';
    expect(new URL(location, 'http://here').pathname).toBe(pathOf(body));
    expect(await read(pathOf(body))).toMatchObject({ StaffKey: body.StaffKey, Email: 'ny@demo.example' });
  });

  test('createStaffMember 409: rejects a StaffId in use and changes nothing', async () => {
    const person = await createPerson(server, { City: 'Oslo' });
    const { status, body } = await write('/v2/staffmember', 'POST', { StaffId: person.StaffId, City: 'Bergen' });
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(await read(pathOf(person))).toEqual(person);
  });

  test('createStaffMember 200: UpdateIfExisting changes the person with the StaffId', async () => {
    const person = await createPerson(server, { City: 'Oslo', Zip: '0150' });
    const again = { StaffId: person.StaffId, City: 'Bergen', UpdateIfExisting: true };
    const { status, headers, body } = await write('/v2/staffmember', 'POST', again);
    expect([status, body.StaffKey, body.City, headers.get('Location')]).toEqual([200, person.StaffKey, 'Bergen', null]);
    const { LastModifiedDateUtc, ...expected } = { ...person, City: 'Bergen' };
    expect(body).toMatchObject(expected);
    expect(Date.parse(body.LastModifiedDateUtc)).toBeGreaterThanOrEqual(Date.parse(LastModifiedDateUtc));
    expect(await read(pathOf(person))).toEqual(body);
  });

  test('createStaffMember 201: UpdateIfExisting creates a person for an unknown StaffId', async () => {
    const json = { StaffId: `new-${randomUUID()}`, UpdateIfExisting: true };
    const { status, body } = await write('/v2/staffmember', 'POST', json);
    expect([status, body.StaffId, body.Abbrev]).toEqual([201, json.StaffId, 'CHANGEME']);
  });

  test('updateStaffMember 200: changes sent members, clears null ones and leaves the rest', async () => {
    const person = await createPerson(server, { City: 'Oslo', Zip: '0150', Fte: 1, IsActive: true });
    const { status, body } = await write(pathOf(person), 'PUT', { Fte: 0.8, Zip: null, LastName: "O'Neil-Ødegård" });
    expect(status).toBe(200);
    const expected = { City: 'Oslo', Zip: null, Fte: 0.8, LastName: "O'Neil-Ødegård", IsActive: true };
    expect(body).toMatchObject(expected);
    expect(await read(pathOf(person))).toMatchObject(expected);
  });

  test('updateStaffMember 409: rejects the StaffId of another person', async () => {
    const [one, other] = [await createPerson(server), await createPerson(server)];
    expect((await write(pathOf(one), 'PUT', { StaffId: other.StaffId })).status).toBe(409);
  });

  test('getStaffMember 200: returns the person as in the list, and rejects companyKey', async () => {
    const person = await createPerson(server);
    const { status, body } = await callAs(server, 'reader', pathOf(person));
    expect(status).toBe(200);
    const listed = await list(server, 'reader', { $filter: `StaffKey eq '${person.StaffKey}'` });
    expect(listed.body).toEqual([body]);
    const rejected = await callAs(server, 'reader', pathOf(person, `?companyKey=${companyKey}`));
    expect([rejected.status, rejected.body.errors?.[0]?.parameter]).toEqual([400, 'companyKey']);
  });

  test('setStaffManager 200: sets by StaffId or key, and clears', async () => {
    const [person, chief] = [await createPerson(server), await createPerson(server, { FirstName: 'Ada' })];
    const path = pathOf(person, '/manager');
    for (const json of [{ ManagerId: chief.StaffId }, { ManagerKey: chief.StaffKey }]) {
      const { status, body } = await write(path, 'POST', json);
      expect([status, body.ManagerId, body.Manager]).toEqual([200, chief.StaffId, expect.stringContaining('Ada')]);
      expect((await read(pathOf(person))).ManagerId).toBe(chief.StaffId);
      const cleared = await write(path, 'POST', { IsClearManagerId: true });
      expect([cleared.status, cleared.body.ManagerId, cleared.body.Manager]).toEqual([200, null, null]);
    }
    expect((await write(path, 'POST', { ManagerId: 'no-such-id' })).status).toBe(400);
    expect((await write(path, 'POST', { ManagerKey: person.StaffKey })).status).toBe(400);
  });
});
