import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, createPerson, list, pathOf } from './callers.ts';
import { unchangedPeople } from './known-keys.ts';

describe.each(staffServers)('%s', (server) => {
  const modifiersOf = async (person: { StaffKey: string }) =>
    (await callAs(server, 'admin', pathOf(person, '/payModifier'))).body;
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

  test('createPayModifier 201: returns the modifier, which is then listed', async () => {
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

  test('updatePayModifier 200: changes only the sent members', async () => {
    const person = await createPerson(server);
    const { body: created } = await create(person, fields);
    const path = pathOf(person, `/payModifier/${encodeURIComponent(created.PayModifierKey)}`);
    const json = { EndDate: '2026-12-31T00:00:00', TaskTagCategory: 'Shift type', TaskTagName: 'Night' };
    const { status, body } = await callAs(server, 'admin', path, { method: 'PUT', json });
    expect(status).toBe(200);
    expect(body).toEqual({ ...created, EndDate: json.EndDate, TaskTagKey: expect.any(Number) });
    expect(await modifiersOf(person)).toEqual([body]);
  });

  test('deletePayModifier 200: deletes the modifier; a second delete is 404', async () => {
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
    const rejected = await callAs(server, 'admin', path, { method: 'PUT', json: { PositionId: 'stolen' } });
    expect(rejected.status).toBe(404);
    expect(await modifiersOf(owner)).toEqual([created]);
  });

  test('createPayModifier 400: rejects a tag that the company lacks', async () => {
    const person = await createPerson(server);
    const { status, body } = await create(person, { ...fields, LocationTagName: 'Nowhere' });
    expect([status, body.kind]).toEqual([400, 'ValidationError']);
    expect(await modifiersOf(person)).toEqual([]);
  });

  test('listPayModifiers 200: returns only the modifiers of the person, without tags for the reader', async () => {
    const [person, other] = [await createPerson(server), await createPerson(server)];
    const made = [(await create(person, fields)).body, (await create(person, { PositionId: 'POS-8' })).body];
    await create(other, fields);
    const listed = await modifiersOf(person);
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(expect.arrayContaining(made));
    const hidden = { PayModifierTagKeys: [], LocationTagKey: null, TaskTagKey: null };
    const { body } = await callAs(server, 'reader', pathOf(person, '/payModifier'));
    expect(body).toEqual(listed.map((modifier: object) => ({ ...modifier, ...hidden })));
  });

  test('createPayModifier 400: lists every fault, and adds nothing', async () => {
    const person = await createPerson(server);
    const json = {
      LocationTagCategory: 'Region',
      TaskTagCategory: 'Shift type',
      TaskTagName: 'No such shift',
      PayModifierTags: [{ CategoryKey: 1, TagKey: 987_654_321 }],
      StartDate: '2026-07-01T00:00:00',
      EndDate: '2026-06-30T00:00:00',
    };
    const { status, body } = await create(person, json);
    expect([status, body.kind]).toEqual([400, 'ValidationError']);
    const pointers: string[] = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).toEqual(expect.arrayContaining(['/TaskTagName', '/EndDate']));
    expect(pointers.some((pointer) => pointer.startsWith('/LocationTag'))).toBe(true);
    expect(pointers.some((pointer) => pointer.startsWith('/PayModifierTags/0'))).toBe(true);
    expect(await modifiersOf(person)).toEqual([]);
  });

  test('updatePayModifier 400: validates the result together with the stored members', async () => {
    const person = await createPerson(server);
    const { body: created } = await create(person, fields);
    const path = pathOf(person, `/payModifier/${encodeURIComponent(created.PayModifierKey)}`);
    for (const json of [{ StartDate: '2026-07-01' }, { EndDate: '2025-12-31' }, { LocationTagName: 'Nowhere' }]) {
      const { status, body } = await callAs(server, 'admin', path, { method: 'PUT', json });
      expect([status, body.kind], JSON.stringify(json)).toEqual([400, 'ValidationError']);
    }
    expect(await modifiersOf(person)).toEqual([created]);
    const both = { StartDate: '2027-01-01T00:00:00', EndDate: '2027-01-01T00:00:00' };
    const moved = await callAs(server, 'admin', path, { method: 'PUT', json: both });
    expect([moved.status, moved.body]).toEqual([200, { ...created, ...both }]);
  });

  test('updatePayModifier 200: sent tags replace the stored ones, and an empty list clears them', async () => {
    const [tagged] = await findTagged();
    const person = await createPerson(server);
    const reference = ({ CategoryKey, TagKey }: { CategoryKey: number; TagKey: number }) => ({ CategoryKey, TagKey });
    const { body: created } = await create(person, { ...fields, PayModifierTags: [reference(tagged)] });
    expect(created.PayModifierTagKeys).toEqual([tagged]);
    const path = pathOf(person, `/payModifier/${encodeURIComponent(created.PayModifierKey)}`);
    const put = async (json: unknown) => (await callAs(server, 'admin', path, { method: 'PUT', json })).body;
    expect((await put({ PositionId: 'POS-9' })).PayModifierTagKeys).toEqual([tagged]);
    expect((await put({ PayModifierTags: [] })).PayModifierTagKeys).toEqual([]);
    expect((await put({ PayModifierTags: [reference(tagged)] })).PayModifierTagKeys).toEqual([tagged]);
  });

  test('updatePayModifier 200: null for both category and name clears a tag; for only one it is 400', async () => {
    const person = await createPerson(server);
    const { body: created } = await create(person, fields);
    const path = pathOf(person, `/payModifier/${encodeURIComponent(created.PayModifierKey)}`);
    const put = (json: unknown) => callAs(server, 'admin', path, { method: 'PUT', json });
    expect((await put({ LocationTagCategory: null })).status).toBe(400);
    const cleared = await put({ LocationTagCategory: null, LocationTagName: null });
    expect([cleared.status, cleared.body]).toEqual([200, { ...created, LocationTagKey: null }]);
  });

  test('createPayModifier 400: rejects a repeated tag and a wrong category', async () => {
    const [tagged] = await findTagged();
    const person = await createPerson(server);
    const { CategoryKey, TagKey } = tagged;
    for (const PayModifierTags of [
      [
        { CategoryKey, TagKey },
        { CategoryKey, TagKey },
      ],
      [{ CategoryKey: CategoryKey + 1, TagKey }],
    ]) {
      expect((await create(person, { PayModifierTags })).status).toBe(400);
    }
    expect(await modifiersOf(person)).toEqual([]);
  });

  /** Returns a tag of a pay modifier in the demo data. */
  async function findTagged() {
    const people = (await list(server, 'admin', { $filter: unchangedPeople, $top: '100', $select: 'StaffKey' })).body;
    for (const person of people) {
      for (const { PayModifierTagKeys } of await modifiersOf(person)) {
        if (PayModifierTagKeys.length > 0) return PayModifierTagKeys;
      }
    }
    throw new Error('No pay modifier of the demo data has a tag.');
  }
});
