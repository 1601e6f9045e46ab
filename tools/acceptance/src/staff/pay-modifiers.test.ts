import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, createPerson, pathOf } from './callers.ts';

describe.each(staffServers)('%s', (server) => {
  const modifiersOf = async (person: { StaffKey: string }) =>
    (await callAs(server, 'reader', pathOf(person, '/payModifier'))).body;
  const create = (person: { StaffKey: string }, json: unknown) =>
    callAs(server, 'admin', pathOf(person, '/payModifier'), { method: 'POST', json });

  const fields = {
    LocationTagCategory: 'Region',
    LocationTagName: 'North',
    PositionId: 'POS-7',
    IsPrimaryPosition: true,
    StartDate: '2026-01-01T00:00:00',
    EndDate: '2026-06-30T00:00:00',
  };

  test('createPayModifier 201: the modifier, which is then listed', async () => {
    const person = await createPerson(server);
    expect(await modifiersOf(person)).toEqual([]);
    const { status, body } = await create(person, fields);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      CompanyKey: companyKey,
      StaffMemberKey: person.StaffKey,
      PositionId: 'POS-7',
      IsPrimaryPosition: true,
      StartDate: fields.StartDate,
      EndDate: fields.EndDate,
      LocationTagKey: expect.any(Number),
      TaskTagKey: null,
    });
    expect(await modifiersOf(person)).toEqual([body]);
  });

  test('updatePayModifier 200: changes what is sent and leaves the rest', async () => {
    const person = await createPerson(server);
    const { body: created } = await create(person, fields);
    const path = pathOf(person, `/payModifier/${encodeURIComponent(created.PayModifierKey)}`);
    const json = { EndDate: '2026-12-31T00:00:00', TaskTagCategory: 'Shift type', TaskTagName: 'Night' };
    const { status, body } = await callAs(server, 'admin', path, { method: 'PUT', json });
    expect(status).toBe(200);
    expect(body).toEqual({ ...created, EndDate: json.EndDate, TaskTagKey: expect.any(Number) });
    expect(await modifiersOf(person)).toEqual([body]);
  });

  test('deletePayModifier 200: it is gone, and once more is 404', async () => {
    const person = await createPerson(server);
    const { body: created } = await create(person, fields);
    const path = pathOf(person, `/payModifier/${encodeURIComponent(created.PayModifierKey)}`);
    const deleted = await callAs(server, 'admin', path, { method: 'DELETE' });
    expect([deleted.status, deleted.body]).toEqual([200, {}]);
    expect(await modifiersOf(person)).toEqual([]);
    expect((await callAs(server, 'admin', path, { method: 'DELETE' })).status).toBe(404);
  });

  test('updatePayModifier 404: a modifier of one person cannot be changed through another', async () => {
    const [owner, other] = [await createPerson(server), await createPerson(server)];
    const { body: created } = await create(owner, fields);
    const path = pathOf(other, `/payModifier/${encodeURIComponent(created.PayModifierKey)}`);
    const refused = await callAs(server, 'admin', path, { method: 'PUT', json: { PositionId: 'stolen' } });
    expect(refused.status).toBe(404);
    expect(await modifiersOf(owner)).toEqual([created]);
  });

  test('createPayModifier 400: refuses a tag that the company does not have', async () => {
    const person = await createPerson(server);
    const { status, body } = await create(person, { ...fields, LocationTagName: 'Nowhere' });
    expect([status, body.kind]).toEqual([400, 'ValidationError']);
    expect(await modifiersOf(person)).toEqual([]);
  });
});
