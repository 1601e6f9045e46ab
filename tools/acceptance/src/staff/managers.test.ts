import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, createPerson, pathOf } from './callers.ts';

describe.each(staffServers)('%s', (server) => {
  const write = (path: string, method: string, json: unknown) => callAs(server, 'admin', path, { method, json });
  const read = async (person: { StaffKey: string }) => (await callAs(server, 'reader', pathOf(person))).body;

  test('rule no circle of managers: no person becomes their own manager, directly or through others', async () => {
    const people: { StaffKey: string; StaffId: string }[] = [await createPerson(server)];
    for (let i = 0; i < 4; i++) people.push(await createPerson(server, { ManagerId: people.at(-1)?.StaffId }));
    const [first, last] = [people[0], people.at(-1)] as [(typeof people)[0], (typeof people)[0]];
    const before = await read(first);
    for (const below of people) {
      const tries = [
        await write(pathOf(first, '/manager'), 'POST', { ManagerKey: below.StaffKey }),
        await write(pathOf(first, '/manager'), 'POST', { ManagerId: below.StaffId }),
        await write(pathOf(first), 'PUT', { ManagerId: below.StaffId }),
        await write('/v2/staffmember', 'POST', {
          ...{ StaffId: first.StaffId, UpdateIfExisting: true, ManagerId: below.StaffId },
        }),
      ];
      expect(tries.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    }
    expect(await read(first)).toEqual(before);
    expect((await write(pathOf(last, '/manager'), 'POST', { ManagerKey: first.StaffKey })).status).toBe(200);
  });

  test('rule no circle of managers: of two concurrent changes that would close one, only one succeeds', async () => {
    const [one, other] = [await createPerson(server), await createPerson(server)];
    const responses = await Promise.all([
      write(pathOf(one, '/manager'), 'POST', { ManagerKey: other.StaffKey }),
      write(pathOf(other, '/manager'), 'POST', { ManagerKey: one.StaffKey }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test.each([
    [{ ManagerId: 'no-such-id' }, '/ManagerId'],
    [{ ManagerKey: 'no-such-key' }, '/ManagerKey'],
  ])('setStaffManager 400: rejects an unknown manager: %j', async (json, pointer) => {
    const person = await createPerson(server);
    const { status, body } = await write(pathOf(person, '/manager'), 'POST', json);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual([expect.objectContaining({ pointer })]);
  });

  test.each([
    [{}],
    [{ ManagerId: 'a', ManagerKey: 'b' }],
    [{ ManagerId: 'a', IsClearManagerId: true }],
    [{ IsClearManagerId: false }],
  ])('setStaffManager 400: requires exactly one member: %j', async (json) => {
    const person = await createPerson(server);
    const { status, body } = await write(pathOf(person, '/manager'), 'POST', json);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });

  test('updateStaffMember 200: the name of the manager follows from ManagerId and is accepted unchanged', async () => {
    const chief = await createPerson(server, { FirstName: 'Ada', LastName: 'Lovelace' });
    const person = await createPerson(server, { ManagerId: chief.StaffId });
    expect([person.ManagerId, person.Manager]).toEqual([chief.StaffId, 'Ada Lovelace']);
    expect((await write(pathOf(person), 'PUT', { Manager: 'Ada Lovelace', City: 'Oslo' })).status).toBe(200);
    expect((await write(pathOf(person), 'PUT', { Manager: 'Charles Babbage' })).status).toBe(400);
    await write(pathOf(chief), 'PUT', { LastName: 'Byron', StaffId: `${chief.StaffId}-2` });
    expect(await read(person)).toMatchObject({ Manager: 'Ada Byron', ManagerId: `${chief.StaffId}-2` });
    expect((await write(pathOf(person), 'PUT', { ManagerId: null })).body).toMatchObject({
      Manager: null,
      ManagerId: null,
    });
  });
});
