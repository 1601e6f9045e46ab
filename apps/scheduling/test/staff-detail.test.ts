import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyKey, expectProblem, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const list = `/v2/staffmember?companyKey=${companyKey}`;
async function taskKey(): Promise<string> {
  const { body } = await app.asAdmin(`${list}&$filter=Skillset/any()&$expand=Skillset&$top=1`);
  return encodeURIComponent(body[0].Skillset[0].TaskKey);
}

describe('the collections of a person', () => {
  it('setStaffManager: 200 sets and clears, 400 for an unknown person and for oneself', async () => {
    const [path, boss] = [await app.newPerson('N-4'), await app.asAdmin(await app.newPerson('N-5'))];
    const set = await app.post(`${path}/manager`, { ManagerKey: boss.body.StaffKey });
    expect([set.status, set.body.ManagerId]).toEqual([200, 'N-5']);
    expect((await app.post(`${path}/manager`, { IsClearManagerId: true })).body.ManagerId).toBeNull();
    for (const json of [{ ManagerId: 'nobody' }, { ManagerId: 'N-4' }, {}, { IsClearManagerId: false }]) {
      expect([json, (await app.post(`${path}/manager`, json)).status]).toEqual([json, 400]);
    }
  });

  it('addStaffTag: 201, 400 for an unknown tag; GET is 405', async () => {
    const path = `${await app.newPerson('N-6')}/tag`;
    const { status, body } = await app.post(path, { category: 'Team', name: 'Gold', effectiveDate: '2026-01-01' });
    expect([status, body.CategoryName, body.Tags[0].EffectiveFromDate]).toEqual([201, 'Team', '2026-01-01T00:00:00']);
    expect((await app.post(path, { TagKey: body.Tags[0].Key })).status).toBe(201);
    for (const json of [{ category: 'Team', name: 'No' }, { category: 'Team' }, { TagKey: 99_999 }, {}]) {
      expect([json, (await app.post(path, json)).status]).toEqual([json, 400]);
    }
    const read = await app.asAdmin(path);
    expectProblem(read, 405, 'method_not_allowed');
    expect(read.headers.get('Allow')).toBe('OPTIONS, POST');
  });

  it('skillset: 200 sets and removes, 404 for an unknown task; GET is 405', async () => {
    const [path, task] = [`${await app.newPerson('N-7')}/skillset`, await taskKey()];
    const set = await app.put(`${path}/${task}`, { IsSkilledMon: true, MonOccurrence: 'Weekly' });
    expect([set.status, set.body.IsSkilledMon, set.body.IsSkilledTue]).toEqual([200, true, false]);
    expect((await app.put(`${path}/${task}`, { IsSkilledMon: 'yes' })).status).toBe(400);
    expect((await app.put(`${path}/nothing`, { IsSkilledMon: true })).status).toBe(404);
    const removed = await app.remove(`${path}/${task}`);
    expect([removed.status, removed.body]).toEqual([200, {}]);
    expect((await app.remove(`${path}/${task}`)).status).toBe(404);
    const read = await app.asAdmin(path);
    expectProblem(read, 405, 'method_not_allowed');
    expect(read.headers.get('Allow')).toBe('OPTIONS');
  });

  it('profile: 200 sets and lists, empty for non-admins, 404 for an unknown profile', async () => {
    const path = `${await app.newPerson('N-8')}/profile`;
    const given = await app.put(`${path}/profile-4`, { IsSchedulable: true });
    expect([given.status, given.body]).toMatchObject([
      200,
      { ProfileKey: 'profile-4', IsViewable: true, IsSchedulable: true },
    ]);
    expect((await app.asAdmin(path)).body).toEqual([given.body]);
    expect((await app.call(path, { as: 'reader' })).body).toEqual([]);
    expect((await app.put(`${path}/nothing`, {})).status).toBe(404);
    expect((await app.put(`${path}/profile-4`, { IsViewable: 1 })).status).toBe(400);
  });

  it('location: 200 lists and tags, 400 for an unknown tag and 404 for an unknown location', async () => {
    const { body } = await app.asAdmin(`${await app.somePerson()}/location`);
    const path = `${await app.somePerson()}/location/${encodeURIComponent(body[0].Location.LocationKey)}/tag`;
    const tagged = await app.put(path, { categoryName: 'Language', tagName: 'Polski' });
    expect(tagged.status).toBe(200);
    expect(tagged.body.Tags.flatMap((one: { Tags: { Name: string }[] }) => one.Tags.map((tag) => tag.Name))).toContain(
      'Polski',
    );
    expect((await app.put(path, { categoryName: 'Language', tagName: 'Klingon' })).status).toBe(400);
    const elsewhere = `${await app.somePerson()}/location/nowhere/tag`;
    expect((await app.put(elsewhere, { categoryName: 'Language', tagName: 'Polski' })).status).toBe(404);
  });

  it('payModifier: 201, 200, 200 {} and then 404; 400 names every fault', async () => {
    const path = `${await app.newPerson('N-9')}/payModifier`;
    const created = await app.post(path, {
      LocationTagCategory: 'Region',
      LocationTagName: 'North',
      StartDate: '2026-01-01',
    });
    expect(created.status).toBe(201);
    const one = `${path}/${created.body.PayModifierKey}`;
    expect((await app.put(one, { EndDate: '2026-12-31' })).body.EndDate).toBe('2026-12-31T00:00:00');
    const rejected = await app.put(one, { EndDate: '2025-12-31', TaskTagCategory: 'No', TaskTagName: 'No' });
    expect(rejected.body.errors.map((fault: { pointer: string }) => fault.pointer)).toEqual([
      '/TaskTagCategory',
      '/EndDate',
    ]);
    expect((await app.asAdmin(path)).body).toHaveLength(1);
    expect([(await app.remove(one)).body, (await app.remove(one)).status]).toEqual([{}, 404]);
  });

  it('badgeId and requestlimit: 200, and 400 for unknown includes', async () => {
    expect((await app.asAdmin(`${await app.somePerson()}/badgeId`)).body).toEqual(expect.any(Array));
    const limits = `${await app.somePerson()}/requestlimit`;
    expect((await app.asAdmin(`${limits}?includes=ShiftsCredit,StaffLimits`)).status).toBe(200);
    expect((await app.asAdmin(`${limits}?includes=Nothing`)).status).toBe(400);
  });
});
