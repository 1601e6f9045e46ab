import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallOptions, TestResponse } from '../call.ts';
import { type SchedulingProcess, startScheduling } from '../scheduling-process.ts';
import { callAs, type Role } from '../staff/callers.ts';

const bytesMax = 100_000;

let server: SchedulingProcess;
beforeAll(async () => {
  const env = { ROSTERGATE_SCHEDULING_SEED: 'none', ROSTERGATE_SCHEDULING_BODY_BYTES_MAX: String(bytesMax) };
  server = await startScheduling({ env });
  await merge('tag-categories', { json: [{ CategoryName: 'Team', IsTimeClock: false }] });
  await merge('staff', { json: [{ StaffId: 'N-1', FirstName: 'Zoë', TimeClockKioskPIN: '73914' }] });
});
afterAll(() => server?.stop());

const callFor =
  (method: string) =>
  (name: string, options: CallOptions = {}, role: Role = 'admin') =>
    server.callAs(role, `/v2/admin/${name}`, { method, ...options });
const [read, merge, replace] = [callFor('GET'), callFor('PATCH'), callFor('PUT')];
const csv = { 'Content-Type': 'text/csv' };
const badge = (BadgeId: unknown) => ({ StaffId: 'N-1', BadgeId });
const codeOf = ({ status, body }: TestResponse) => [status, body.code];
const countsOf = ({ status, body: { added, changed, same, removed } }: TestResponse) => [
  ...[status, added, changed, same, removed],
];

test('exportCatalogue 200: returns every row as JSON or CSV, with names and without PINs', async () => {
  await merge('tags', { json: [{ CategoryName: 'Team', TagName: 'Red' }] });
  await merge('staff-tags', { json: [{ StaffId: 'N-1', CategoryName: 'Team', TagName: 'Red' }] });
  const { status, headers, body } = await read('staff-tags');
  expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json']);
  expect(body).toMatchObject([{ StaffId: 'N-1', CategoryName: 'Team', TagName: 'Red' }]);
  const text = await read('staff-tags', { headers: { Accept: 'text/csv' } });
  expect([text.status, text.headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(text.text).toMatch(/^StaffId,CategoryName,TagName,EffectiveFromDate,EffectiveToDate\r\nN-1,Team,Red,/);
  for (const Accept of ['application/json', 'text/csv']) {
    expect((await read('staff', { headers: { Accept } })).text).not.toMatch(/PIN|73914/);
  }
});

test('exportCatalogue catalogue: names one of the files of a company', async () => {
  const { status, body } = await read('accounts');
  expect([status, body.errors[0].parameter]).toEqual([400, 'catalogue']);
});

test('exportCatalogue 400: rejects a catalogue that is larger than a request body may be', async () => {
  const rows = (part: number) =>
    Array.from({ length: 20 }, (_, i) => ({ LocationKey: `l-${part}-${i}`, Name: 'L', Notes: 'x'.repeat(4_000) }));
  for (const part of [1, 2]) expect((await merge('locations', { json: rows(part) })).status).toBe(200);
  expect(codeOf(await read('locations'))).toEqual([400, 'export_too_large']);
});

test('exportCatalogue 401: a login is needed', async () => {
  expect(codeOf(await server.call('/v2/admin/tags'))).toEqual([401, 'token_missing']);
});

test('exportCatalogue 403: rejects an account without admin', async () => {
  expect(codeOf(await read('tags', {}, 'reader'))).toEqual([403, 'scope_missing']);
});

test('mergeCatalogue 200: adds and changes rows, and removes none', async () => {
  const json = [{ CategoryName: 'Team', TagName: 'Gold' }];
  const before = (await read('tags')).body.length;
  expect(countsOf(await merge('tags', { json }))).toEqual([200, 1, 0, 0, 0]);
  expect(countsOf(await merge('tags', { body: 'CategoryName,TagName\nTeam,Gold\n', headers: csv }))).toEqual([
    ...[200, 0, 0, 1, 0],
  ]);
  expect((await read('tags')).body).toHaveLength(before + 1);
  await merge('tasks', { json: [{ TaskKey: 't-1', TaskName: 'OR 1', TaskAbbrev: 'OR' }] });
  const change = [
    { TaskKey: 't-1', TaskName: 'OR 2' },
    { TaskKey: 't-2', TaskName: 'OR 3' },
  ];
  expect(countsOf(await merge('tasks', { json: change }))).toEqual([200, 1, 1, 0, 0]);
  expect(countsOf(await merge('tasks', { json: [{ TaskKey: 't-2', TaskAbbrev: null }] }))).toEqual([200, 0, 0, 1, 0]);
  expect((await read('tasks')).body).toMatchObject([{ TaskName: 'OR 2', TaskAbbrev: 'OR' }, { TaskName: 'OR 3' }]);
});

test('replaceCatalogue 200: adds, changes and removes rows', async () => {
  await merge('profiles', { json: ['p-1', 'p-2'].map((ProfileKey) => ({ ProfileKey, Name: ProfileKey })) });
  const rows = [
    { ProfileKey: 'p-2', Name: 'Two' },
    { ProfileKey: 'p-3', Name: 'Three' },
  ];
  expect(countsOf(await replace('profiles', { json: rows }))).toEqual([200, 1, 1, 0, 1]);
  expect((await read('profiles')).body).toEqual(rows);
});

test('mergeCatalogue 400: lists the first 20 faults with row and member, and writes nothing', async () => {
  const json = [...Array.from({ length: 30 }, (_, i) => badge(i)), badge('b-1')];
  const { status, body } = await merge('badges', { json });
  expect([status, body.code, body.errors.length]).toEqual([400, 'validation_failed', 20]);
  expect(body.errors[1]).toMatchObject({ pointer: '/1/BadgeId' });
  expect((await read('badges')).body).toEqual([]);
});

test('replaceCatalogue 200: removes the tags of a location with the location of the person', async () => {
  const own = { StaffId: 'N-1', LocationKey: 'own' };
  await merge('tags', { json: [{ CategoryName: 'Team', TagName: 'Red' }] });
  await merge('locations', { json: [{ LocationKey: 'own', Name: 'Own' }] });
  await merge('staff-locations', { json: [own] });
  await merge('staff-location-tags', { json: [{ ...own, CategoryName: 'Team', TagName: 'Red' }] });
  expect((await read('staff-location-tags')).body).toHaveLength(1);
  expect(countsOf(await replace('staff-locations', { json: [] }))).toEqual([200, 0, 0, 0, 1]);
  expect((await read('staff-location-tags')).body).toEqual([]);
});

test('replaceCatalogue 400: names what is invalid, and which catalogue uses a row that is missing', async () => {
  const body = 'StaffId,BadgeId\nN-1,b-1\nN-2,b-2\n';
  const invalid = await replace('badges', { body, headers: csv });
  expect([invalid.status, invalid.body.errors[0].detail]).toEqual([
    400,
    expect.stringMatching(/^Line 3, column 1, StaffId: /),
  ]);
  expect((await read('badges')).body).toEqual([]);
  await merge('tasks', { json: [{ TaskKey: 'used', TaskName: 'Used' }] });
  await merge('skillset', { json: [{ StaffId: 'N-1', TaskKey: 'used' }] });
  const used = await replace('tasks', { json: [] });
  expect([used.status, used.body.errors[0].detail]).toEqual([400, expect.stringContaining('1 row of skillset')]);
});

test.each(['accounts', 'tags?surprise=1'])('mergeCatalogue catalogue: rejects %s', async (name) => {
  expect(codeOf(await merge(name, { json: [] }))).toEqual([400, 'validation_failed']);
});

test.each(['accounts', 'tags?surprise=1'])('replaceCatalogue catalogue: rejects %s', async (name) => {
  expect(codeOf(await replace(name, { json: [] }))).toEqual([400, 'validation_failed']);
});

test('mergeCatalogue dry_run: counts and writes nothing', async () => {
  const { status, body } = await merge('profiles?dry_run=true', { json: [{ ProfileKey: 'dry', Name: 'Dry' }] });
  expect([status, body.added, body.is_written]).toEqual([200, 1, false]);
  expect((await read('profiles')).text).not.toContain('dry');
});

test('replaceCatalogue dry_run: counts and writes nothing', async () => {
  const { body: before } = await read('staff');
  const { status, body } = await replace('staff?dry_run=true', { json: [] });
  expect([status, body.removed, body.is_written]).toEqual([200, before.length, false]);
  expect((await read('staff')).body).toEqual(before);
});

/** Returns the codes of writes with the version of an export, and again with it after a change. */
async function writeTwice(write: typeof merge): Promise<unknown[]> {
  const { headers, body } = await read('tag-categories');
  const options = { headers: { 'If-Match': headers.get('ETag') ?? '' } };
  const json = [...body, { CategoryName: `Another ${body.length}`, IsTimeClock: false }];
  return [
    codeOf(await write('tag-categories', { ...options, json })),
    codeOf(await write('tag-categories', { ...options, json: body })),
  ];
}

test('mergeCatalogue If-Match: writes to the version of an export only', async () => {
  expect(await writeTwice(merge)).toEqual([
    [200, undefined],
    [412, 'precondition_failed'],
  ]);
});

test('replaceCatalogue If-Match: writes to the version of an export only', async () => {
  expect(await writeTwice(replace)).toEqual([
    [200, undefined],
    [412, 'precondition_failed'],
  ]);
});

test('mergeCatalogue 412: an outdated version changes nothing', async () => {
  const before = (await read('profiles')).body;
  const options = { json: [{ ProfileKey: 'late', Name: 'Late' }], headers: { 'If-Match': '"old"' } };
  expect(codeOf(await merge('profiles', options))).toEqual([412, 'precondition_failed']);
  expect((await read('profiles')).body).toEqual(before);
});

test('replaceCatalogue 412: an outdated version changes nothing', async () => {
  const before = (await read('profiles')).body;
  expect(codeOf(await replace('profiles', { json: [], headers: { 'If-Match': 'W/"old"' } }))).toEqual([
    ...[412, 'precondition_failed'],
  ]);
  expect((await read('profiles')).body).toEqual(before);
});

test('mergeCatalogue 401: a login is needed', async () => {
  const { status } = await server.call('/v2/admin/tags', { method: 'PATCH', json: [] });
  expect(status).toBe(401);
});

test('replaceCatalogue 401: a login is needed', async () => {
  const { status } = await server.call('/v2/admin/tags', { method: 'PUT', json: [] });
  expect(status).toBe(401);
});

test('mergeCatalogue 403: rejects an account without admin', async () => {
  expect(codeOf(await merge('tags', { json: [] }, 'reader'))).toEqual([403, 'scope_missing']);
});

test('replaceCatalogue 403: rejects an account without admin', async () => {
  expect(codeOf(await replace('tags', { json: [] }, 'reader'))).toEqual([403, 'scope_missing']);
});

test('mergeCatalogue 413: rejects a body above the limit', async () => {
  expect(codeOf(await merge('tags', { body: 'x'.repeat(bytesMax + 1), headers: csv }))).toEqual([
    413,
    'body_too_large',
  ]);
});

test('replaceCatalogue 413: rejects a body above the limit', async () => {
  expect(codeOf(await replace('tags', { body: 'x'.repeat(bytesMax + 1), headers: csv }))).toEqual([
    413,
    'body_too_large',
  ]);
});

test('mergeCatalogue 415: rejects another media type', async () => {
  const options = { body: 'a', headers: { 'Content-Type': 'text/plain' } };
  expect(codeOf(await merge('tags', options))).toEqual([415, 'media_type_unsupported']);
});

test('replaceCatalogue 415: rejects another media type', async () => {
  const options = { body: 'a', headers: { 'Content-Type': 'text/plain' } };
  expect(codeOf(await replace('tags', options))).toEqual([415, 'media_type_unsupported']);
});

test('the staff proxy does not serve the catalogues', async () => {
  expect(codeOf(await callAs('staff-proxy', 'admin', '/v2/admin/tags'))).toEqual([404, 'route_not_found']);
});
