import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyFiles } from '../src/company-files/company-file.ts';
import { type AppResponse, companyKey, expectProblem, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ body_bytes_max: 1_000_000 });
});
afterAll(() => app.stop());

const names = companyFiles.map(({ name }) => name);
const csv = { 'Content-Type': 'text/csv' };

interface Import {
  readonly json?: unknown;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const get = (name: string, accept = 'application/json') =>
  app.asAdmin(`/v2/admin/${name}`, { headers: { Accept: accept } });
const merge = (name: string, options: Import, query = '') =>
  app.asAdmin(`/v2/admin/${name}${query}`, { ...options, method: 'PATCH' });
const replace = (name: string, options: Import, query = '') =>
  app.asAdmin(`/v2/admin/${name}${query}`, { ...options, method: 'PUT' });

/** Returns the versions of all catalogues and of all people. */
async function readState(): Promise<unknown> {
  const tags = [];
  for (const name of names) tags.push((await get(name)).headers.get('ETag'));
  const { body } = await app.asAdmin(`/v2/staffmember?companyKey=${companyKey}&$select=StaffKey,LastModifiedDateUtc`);
  return [tags, body];
}

const countsOf = ({ body: { added, changed, same, removed } }: AppResponse) => [added, changed, same, removed];
const places = ({ body }: AppResponse) => body.errors.map(({ pointer }: { pointer: string }) => pointer);

describe('an exported catalogue', () => {
  it.each(['application/json', 'text/csv'])('put back as %s changes nothing', async (type) => {
    const before = await readState();
    for (const name of names) {
      const { status, headers, text } = await get(name, type);
      expect([status, headers.get('Content-Type')?.split(';')[0]]).toEqual([200, type]);
      const etag = headers.get('ETag') ?? '';
      const put = await replace(name, { body: text, headers: { 'Content-Type': type, 'If-Match': etag } });
      expect([name, put.status, put.body]).toEqual([
        ...[name, 200],
        {
          catalogue: name,
          rows: put.body.same,
          added: 0,
          changed: 0,
          same: put.body.same,
          removed: 0,
          is_written: true,
        },
      ]);
      expect(put.body.same).toBeGreaterThan(0);
    }
    expect(await readState()).toEqual(before);
  });

  it('restores a catalogue that was changed in between', async () => {
    const before = await get('badges');
    const person = before.body[0].StaffId;
    const changed = await replace('badges', { json: [{ StaffId: person, BadgeId: 'only', BadgeGroup: null }] });
    expect(countsOf(changed)).toEqual([1, 0, 0, before.body.length]);
    expect((await get('badges')).body).toHaveLength(1);
    expect(countsOf(await replace('badges', { json: before.body }))).toEqual([before.body.length, 0, 0, 1]);
    const after = await get('badges');
    expect([after.body, after.headers.get('ETag')]).toEqual([before.body, before.headers.get('ETag')]);
  });

  it('contains no PIN, and a PIN survives putting the export back', async () => {
    await merge('staff', { json: [{ StaffId: 'PIN-1', TimeClockKioskPIN: '4711' }] });
    for (const type of ['application/json', 'text/csv'])
      expect((await get('staff', type)).text).not.toMatch(/PIN"|PIN,|4711/);
    await replace('staff', { json: (await get('staff')).body });
    const kept = await merge('staff', { json: [{ StaffId: 'PIN-1', TimeClockKioskPIN: '4711' }] });
    expect(countsOf(kept)).toEqual([0, 0, 1, 0]);
  });
});

describe('an import', () => {
  it('adds, changes and removes rows, and makes new versions of the people who show them', async () => {
    expect(countsOf(await merge('tag-categories', { json: [{ CategoryName: 'Http', IsTimeClock: false }] }))).toEqual([
      1, 0, 0, 0,
    ]);
    const rows = 'CategoryName,TagName\nHttp,Gold\nHttp,Silver\n';
    expect(countsOf(await merge('tags', { body: rows, headers: csv }))).toEqual([2, 0, 0, 0]);
    expect(countsOf(await merge('tasks', { json: [{ TaskKey: 'http-1', TaskName: 'OR 1' }] }))).toEqual([1, 0, 0, 0]);
    const path = await app.newPerson('N-http');
    expect(
      (await merge('skillset', { json: [{ StaffId: 'N-http', TaskKey: 'http-1', IsSkilledMon: true }] })).status,
    ).toBe(200);
    const before = (await app.asAdmin(path)).headers.get('ETag');
    expect(countsOf(await merge('tasks', { json: [{ TaskKey: 'http-1', TaskName: 'Theatre 1' }] }))).toEqual([
      0, 1, 0, 0,
    ]);
    const { headers, body } = await app.asAdmin(`${path}?includes=Skillset`);
    expect([headers.get('ETag') === before, body.Skillset[0].TaskName]).toEqual([false, 'Theatre 1']);
    const [entry] = await app.store.listAudit(companyKey, { limit: 1 });
    expect(entry).toMatchObject({
      account: 'admin@demo.example',
      operation: 'mergeCatalogue',
      changedFields: ['Skillset'],
    });
    const { body: tasks } = await get('tasks');
    const fewer = tasks.filter(({ TaskKey }: { TaskKey: string }) => TaskKey !== 'http-1');
    const used = await replace('tasks', { json: fewer });
    expectProblem(used, 400, 'validation_failed');
    expect(used.body.errors).toEqual([{ pointer: '', detail: expect.stringContaining('which 1 row of skillset use') }]);
  });

  it('writes nothing in a dry run', async () => {
    const before = await readState();
    const added = await merge('profiles', { json: [{ ProfileKey: 'dry', Name: 'Dry' }] }, '?dry_run=true');
    expect([countsOf(added), added.body.is_written]).toEqual([[1, 0, 0, 0], false]);
    const emptied = await replace('badges', { json: [] }, '?dry_run=true');
    expect([emptied.body.removed > 0, emptied.body.is_written]).toEqual([true, false]);
    expect(await readState()).toEqual(before);
  });

  it.each(['', '?dry_run=true'])('names every invalid row with its member and writes nothing%s', async (query) => {
    const before = await readState();
    const rows = [
      { StaffId: 'no-such-person', BadgeId: 'b-1' },
      { StaffId: 'S-1001', BadgeId: 7 },
      { StaffId: 'S-1001', Colour: 'red' },
      { StaffId: 'S-1001', BadgeId: 'b-2' },
      { StaffId: 'S-1001', BadgeId: 'b-2' },
    ];
    const json = await merge('badges', { json: rows }, query);
    expectProblem(json, 400, 'validation_failed');
    expect(places(json)).toEqual(['/0/StaffId', '/1/BadgeId', '/2', '/4/BadgeId']);
    const text = 'StaffId,BadgeId\nno-such-person,b-1\nS-1001,"b\n';
    const { status, body } = await replace('badges', { body: text, headers: csv }, query);
    expect([status, body.errors.map(({ detail }: { detail: string }) => detail.split(':')[0])]).toEqual([
      400,
      ['Line 2, column 1, StaffId', 'Line 3'],
    ]);
    expect(await readState()).toEqual(before);
  });

  it('lists the first 20 faults and counts the others', async () => {
    const json = Array.from({ length: 30 }, (_, i) => ({ StaffId: `none-${i}`, BadgeId: 'b' }));
    const { body } = await merge('badges', { json });
    expect([body.errors.length, body.detail]).toEqual([20, expect.stringContaining('the first 20 of 30 faults')]);
  });

  it('gives a tag with a number far above the highest another one, so that all numbers stay in their range', async () => {
    const rows = [{ CategoryName: 'Team', TagName: 'far', TagKey: 2_147_483_647 }];
    expect(await merge('tags', { json: rows })).toMatchObject({ status: 200 });
    const { body } = await get('tags');
    const highest = Math.max(...body.map(({ TagKey }: { TagKey: number }) => TagKey));
    expect(highest).toBeLessThan(1_000_000);
  });

  it('of a reversed hierarchy names only the row that makes a cycle', async () => {
    const id = (i: number) => `R-${String(i).padStart(3, '0')}`;
    const up = Array.from({ length: 30 }, (_, i) => ({ StaffId: id(i), ManagerId: i < 29 ? id(i + 1) : null }));
    expect((await merge('staff', { json: up })).status).toBe(200);
    const down = up.map(({ StaffId }, i) => ({ StaffId, ManagerId: id(Math.max(0, i - 1)) }));
    const rejected = await merge('staff', { json: down }, '?dry_run=true');
    expectProblem(rejected, 400, 'validation_failed');
    expect(places(rejected)).toEqual(['/0/ManagerId']);
  });

  it('counts a person whose manager alone changes as changed', async () => {
    await merge('staff', { json: [{ StaffId: 'M-boss' }, { StaffId: 'M-report' }] });
    const json = [{ StaffId: 'M-report', ManagerId: 'M-boss' }];
    expect(countsOf(await merge('staff', { json }, '?dry_run=true'))).toEqual([0, 1, 0, 0]);
    expect(countsOf(await merge('staff', { json }))).toEqual([0, 1, 0, 0]);
    expect(countsOf(await merge('staff', { json }))).toEqual([0, 0, 1, 0]);
  });

  it('rejects a second row with the name of a row without its key, which would then identify neither', async () => {
    await merge('tasks', { json: [{ TaskKey: 'stored', TaskName: 'Stored' }] });
    const unkeyed = { TaskName: 'Twice' };
    const keyed = { TaskKey: 'twice', TaskName: 'Twice' };
    const renamed = { TaskKey: 'stored', TaskName: 'Twice' };
    for (const json of [
      [unkeyed, unkeyed],
      [keyed, unkeyed],
      [unkeyed, keyed],
      [renamed, unkeyed],
      [{ TaskName: 'Stored' }, { TaskKey: 'other', TaskName: 'Stored' }],
    ]) {
      const rejected = await merge('tasks', { json });
      expectProblem(rejected, 400, 'validation_failed');
      expect(places(rejected)).toEqual(['/1/TaskKey']);
    }
    const others = [keyed, { TaskKey: 'again', TaskName: 'Twice' }, { TaskName: 'Stored' }];
    expect(countsOf(await merge('tasks', { json: others }))).toEqual([2, 0, 1, 0]);
  });

  it('rejects what the contract does not allow in a response', async () => {
    await merge('staff', { json: [{ StaffId: 'X-1' }] });
    await merge('tasks', { json: [{ TaskKey: 'x', TaskName: 'X' }] });
    await merge('locations', { json: [{ LocationKey: 'x', Name: 'X' }] });
    const skill = { StaffId: 'X-1', TaskKey: 'x', MonOccurrence: '' };
    const skills = await merge('skillset', { json: [skill] }, '?dry_run=true');
    expect([skills.status, places(skills)]).toEqual([400, ['/0/MonOccurrence']]);
    const location = { StaffId: 'X-1', LocationKey: 'x', Credentials: [[1]] };
    const locations = await merge('staff-locations', { json: [location] }, '?dry_run=true');
    expect([locations.status, places(locations)]).toEqual([400, ['/0/Credentials']]);
  });

  it('of many rows with unknown members lists the first faults', async () => {
    const json = Array.from({ length: 20_000 }, () => ({ q: 1 }));
    const { status, body } = await merge('staff', { json });
    expect([status, body.errors.length]).toEqual([400, 20]);
    expect(body.detail).toContain('20000');
  });

  it('of two administrators with the same version, one is rejected', async () => {
    const etag = (await get('profiles')).headers.get('ETag') ?? '';
    const change = (Name: string) =>
      merge('profiles', { json: [{ ProfileKey: 'race', Name }], headers: { 'If-Match': etag } });
    const responses = await Promise.all([change('One'), change('Two')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
    expectProblem(responses.find(({ status }) => status === 412) as AppResponse, 412, 'precondition_failed');
    const { body } = await get('profiles');
    const names = body.flatMap((row: { ProfileKey: string; Name: string }) =>
      row.ProfileKey === 'race' ? [row.Name] : [],
    );
    expect(names).toEqual([responses[0].status === 200 ? 'One' : 'Two']);
    for (const tag of ['*', (await get('profiles', 'text/csv')).headers.get('ETag') ?? '']) {
      const again = await merge('profiles', { json: [], headers: { 'If-Match': tag } }, '?dry_run=true');
      expect(again.status).toBe(200);
    }
  });
});

describe('the catalogues of a company', () => {
  const operations = [['GET'], ['PATCH', []], ['PUT', []]] as [method: string, json?: unknown][];

  it.each(operations)('%s: are for its administrators only', async (method, json) => {
    for (const name of names) {
      const path = `/v2/admin/${name}`;
      expectProblem(await app.call(path, { method, json }), 401, 'token_missing');
      expectProblem(await app.call(path, { as: 'reader', method, json }), 403, 'scope_missing');
    }
  });

  it('are those of the account', async () => {
    const other = await app.call('/v2/admin/tags', { as: 'otherCompany' });
    expect([other.status, other.body]).toEqual([200, []]);
    const json = [{ ProfileKey: 'profile-4', Name: 'Other' }];
    const before = (await get('profiles')).headers.get('ETag');
    expect((await app.call('/v2/admin/profiles', { as: 'otherCompany', method: 'PUT', json })).status).toBe(200);
    expect((await get('profiles')).headers.get('ETag')).toBe(before);
  });

  it('have no other names, parameters and forms', async () => {
    expectProblem(await get('accounts'), 400, 'validation_failed');
    expectProblem(await get('tags?dry_run=true'), 400, 'validation_failed');
    expectProblem(await merge('tags', { json: {} }), 400, 'validation_failed');
    expectProblem(await merge('tags', { json: [7] }), 400, 'validation_failed');
    expectProblem(await merge('tags', { body: '', headers: csv }), 400, 'validation_failed');
    expectProblem(
      await merge('tags', { body: 'a', headers: { 'Content-Type': 'text/plain' } }),
      415,
      'media_type_unsupported',
    );
    expectProblem(await merge('tags', { body: 'x'.repeat(1_000_001), headers: csv }), 413, 'body_too_large');
  });

  it('are not exported when they are larger than a request body may be', async () => {
    const people = Array.from({ length: 260 }, (_, i) => ({
      StaffId: `L-${i}`,
      ContactInstructions: 'x'.repeat(4_000),
    }));
    for (const json of [people.slice(0, 130), people.slice(130)])
      expect((await merge('staff', { json })).status).toBe(200);
    expectProblem(await get('staff'), 400, 'export_too_large');
    expectProblem(await get('staff', 'text/csv'), 400, 'export_too_large');
  });
});
