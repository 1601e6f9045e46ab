import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, createPerson, list, pathOf } from './callers.ts';

describe.each(staffServers)('%s', (server) => {
  const write = (path: string, method: string, json: unknown) => callAs(server, 'admin', path, { method, json });
  const read = async (path: string) => (await callAs(server, 'reader', path)).body;

  test('createStaffMember 201: a Location that leads to the person, CHANGEME for names left out', async () => {
    const StaffId = `new-${randomUUID()}`;
    const { status, headers, body } = await write('/v2/staffmember', 'POST', { StaffId, Email: 'ny@demo.example' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ StaffId, CompKey: companyKey, FirstName: 'CHANGEME', LastName: 'CHANGEME' });
    const location = headers.get('Location') ?? '';
    expect(new URL(location, 'http://here').pathname).toBe(pathOf(body));
    expect(await read(pathOf(body))).toMatchObject({ StaffKey: body.StaffKey, Email: 'ny@demo.example' });
  });

  test('createStaffMember 409: refuses a StaffId that is taken, and changes nothing', async () => {
    const person = await createPerson(server, { City: 'Oslo' });
    const { status, body } = await write('/v2/staffmember', 'POST', { StaffId: person.StaffId, City: 'Bergen' });
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(await read(pathOf(person))).toEqual(person);
  });

  test('createStaffMember 200: with UpdateIfExisting the person who has the StaffId is changed as sent', async () => {
    const person = await createPerson(server, { City: 'Oslo', Zip: '0150' });
    const again = { StaffId: person.StaffId, City: 'Bergen', UpdateIfExisting: true };
    const { status, headers, body } = await write('/v2/staffmember', 'POST', again);
    expect([status, body.StaffKey, body.City, headers.get('Location')]).toEqual([200, person.StaffKey, 'Bergen', null]);
    const { LastModifiedDateUtc, ...expected } = { ...person, City: 'Bergen' };
    expect(body).toMatchObject(expected);
    expect(Date.parse(body.LastModifiedDateUtc)).toBeGreaterThanOrEqual(Date.parse(LastModifiedDateUtc));
    expect(await read(pathOf(person))).toEqual(body);
  });

  test('createStaffMember 201: with UpdateIfExisting a StaffId that nobody has makes a person', async () => {
    const json = { StaffId: `new-${randomUUID()}`, UpdateIfExisting: true };
    const { status, body } = await write('/v2/staffmember', 'POST', json);
    expect([status, body.StaffId, body.Abbrev]).toEqual([201, json.StaffId, 'CHANGEME']);
  });

  test('updateStaffMember 200: changes what is sent, clears what is null, leaves the rest', async () => {
    const person = await createPerson(server, { City: 'Oslo', Zip: '0150', Fte: 1, IsActive: true });
    const { status, body } = await write(pathOf(person), 'PUT', { Fte: 0.8, Zip: null, LastName: "O'Neil-Ødegård" });
    expect(status).toBe(200);
    const expected = { City: 'Oslo', Zip: null, Fte: 0.8, LastName: "O'Neil-Ødegård", IsActive: true };
    expect(body).toMatchObject(expected);
    expect(await read(pathOf(person))).toMatchObject(expected);
  });

  test('updateStaffMember 409: refuses a StaffId that somebody else has', async () => {
    const [one, other] = [await createPerson(server), await createPerson(server)];
    expect((await write(pathOf(one), 'PUT', { StaffId: other.StaffId })).status).toBe(409);
  });

  test('getStaffMember 200: the person as in the list, and no companyKey is taken', async () => {
    const person = await createPerson(server);
    const { status, body } = await callAs(server, 'reader', pathOf(person));
    expect(status).toBe(200);
    const listed = await list(server, 'reader', { $filter: `StaffKey eq '${person.StaffKey}'` });
    expect(listed.body).toEqual([body]);
    const refused = await callAs(server, 'reader', pathOf(person, `?companyKey=${companyKey}`));
    expect([refused.status, refused.body.errors?.[0]?.parameter]).toEqual([400, 'companyKey']);
  });

  test('setStaffManager 200: by StaffId, by key, and cleared again', async () => {
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
