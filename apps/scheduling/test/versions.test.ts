import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteStore } from '../src/store/sqlite-store.ts';
import { type AppResponse, expectProblem, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
/** Path of a person that no test changes. */
let personPath: string;
/** The ETag of that person. */
let current: string;
beforeAll(async () => {
  app = await startApp();
  personPath = await app.somePerson();
  current = tagOf(await app.asAdmin(personPath));
});
afterAll(() => app.stop());

const tagOf = (response: AppResponse) => String(response.headers.get('ETag'));
const put = (path: string, json: unknown, headers: Record<string, string>) =>
  app.asAdmin(path, { method: 'PUT', json, headers });

describe('the ETag', () => {
  it('is the version of the person on every read, and strong even when compression is accepted', async () => {
    const path = personPath;
    for (const part of ['', '/location', '/profile', '/payModifier', '/badgeId', '/requestlimit']) {
      const response = await app.asAdmin(path + part, { headers: { 'Accept-Encoding': 'br, gzip' } });
      expect([part, response.status, tagOf(response)]).toEqual([part, 200, current]);
      expect(current).toMatch(/^"1-[\da-z]{8}"$/);
      expect(response.headers.get('Cache-Control')).toBe('private, no-cache, no-transform');
    }
  });

  it('is the new version on the response of every write, and not in the body', async () => {
    const created = await app.post('/v2/staffmember', { StaffId: 'V-1' });
    const path = String(created.headers.get('Location'));
    const responses = [
      created,
      await app.put(path, { City: 'Bern' }),
      await app.post('/v2/staffmember', { StaffId: 'V-1', City: 'Uri', UpdateIfExisting: true }),
      await app.post(`${path}/tag`, { category: 'Team', name: 'Gold' }),
      await app.put(`${path}/skillset/task-5`, { IsSkilledMon: true }),
      await app.remove(`${path}/skillset/task-5`),
      await app.put(`${path}/profile/profile-4`, {}),
      await app.post(`${path}/payModifier`, { PositionId: 'P' }),
    ];
    const modifier = `${path}/payModifier/${responses.at(-1)?.body.PayModifierKey}`;
    responses.push(await app.put(modifier, { PositionId: 'Q' }), await app.remove(modifier));
    responses.push(await app.post(`${path}/manager`, { ManagerKey: (await app.asAdmin(personPath)).body.StaffKey }));
    expect(responses.map((response) => [response.status < 300, tagOf(response).split('-')[0]])).toEqual(
      responses.map((_, i) => [true, `"${i + 1}`]),
    );
    for (const { text } of responses) expect(text).not.toMatch(/etag|revision/i);
    expect(tagOf(await app.asAdmin(path))).toBe(tagOf(responses.at(-1) as AppResponse));
  });

  it('is not on lists', async () => {
    expect((await app.asAdmin('/v2/staffmember?companyKey=demo-company&$top=1')).headers.get('ETag')).toBeNull();
  });
});

describe('If-Match', () => {
  it('accepts the stored version, a list that contains it, and *', async () => {
    const path = await app.newPerson('M-1');
    let tag = tagOf(await app.asAdmin(path));
    for (const [i, tags] of ['TAG', '"1", TAG', '*', '"x", W/"4", TAG'].entries()) {
      const response = await put(path, { City: `Bern ${i}` }, { 'If-Match': tags.replace('TAG', tag) });
      expect([tags, response.status]).toEqual([tags, 200]);
      tag = tagOf(response);
    }
  });

  it.each(['"9"', 'W/TAG', '"1"', '"1-gzip"'])('%s: 412, and nothing has changed', async (tags) => {
    const path = await app.newPerson(`M-2 ${tags}`);
    const before = await app.asAdmin(path);
    const named = { 'If-Match': tags.replace('TAG', tagOf(before)) };
    const response = await put(path, { City: 'Bern' }, named);
    expectProblem(response, 412, 'precondition_failed');
    expect(response.body).toMatchObject({ kind: 'PreconditionError', detail: expect.stringMatching(/[Rr]ead/) });
    expect((await app.asAdmin(path)).body).toEqual(before.body);
  });

  it.each(['1', '"1', '*, "1"', ','])('%s: 400 names the header', async (tags) => {
    const response = await put(personPath, { City: 'Bern' }, { 'If-Match': tags });
    expectProblem(response, 400, 'validation_failed');
    expect(response.body.errors).toEqual([expect.objectContaining({ header: 'If-Match' })]);
  });

  it('is checked after the person is found and the body is valid', async () => {
    const stale = { 'If-Match': '"0"' };
    expectProblem(await put('/v2/staffmember/nobody', { City: 'Bern' }, stale), 404, 'not_found');
    expectProblem(await put(personPath, { Cty: 'Bern' }, stale), 400, 'validation_failed');
    const impossible = { StartDate: '2026-02-31' };
    expectProblem(await put(personPath, impossible, stale), 412, 'precondition_failed');
  });

  it('rejects a creation, and checks the version for UpdateIfExisting', async () => {
    const send = (json: unknown, tags: string) =>
      app.asAdmin('/v2/staffmember', { method: 'POST', json, headers: { 'If-Match': tags } });
    expectProblem(await send({ StaffId: 'M-3' }, '*'), 412, 'precondition_failed');
    const path = await app.newPerson('M-3');
    const update = { StaffId: 'M-3', City: 'Bern', UpdateIfExisting: true };
    expectProblem(await send(update, '"2"'), 412, 'precondition_failed');
    expect((await send(update, tagOf(await app.asAdmin(path)))).status).toBe(200);
  });

  it('is ignored by reads', async () => {
    expect((await app.asAdmin(personPath, { headers: { 'If-Match': '"0"' } })).status).toBe(200);
  });
});

describe('If-None-Match', () => {
  const read = (path: string, tags: string, as: 'admin' | 'reader' = 'admin') =>
    app.call(path, { as, headers: { 'If-None-Match': tags } });

  it.each(['TAG', 'W/TAG', '"0", TAG', '*'])('%s: 304 with the ETag and no body', async (tags) => {
    for (const options of ['', '?$select=LastName', '?includes=BadgeIds', "?$filter=LastName ne 'x'"]) {
      const response = await read(personPath + options, tags.replace('TAG', current));
      expect([options, response.status, response.text, tagOf(response)]).toEqual([options, 304, '', current]);
      expect(response.headers.get('Content-Length')).toBeNull();
      expect(response.headers.get('Vary')).toContain('Authorization');
    }
  });

  it.each(['?includes=AvailableProfiles', '?$expand=Tags', '?$expand=Skillset', '?includes=Profiles'])(
    '200 for %s, which shows names of the company',
    async (options) => {
      const response = await read(personPath + options, current);
      expect([response.status, tagOf(response)]).toEqual([200, current]);
    },
  );

  it('200 after a change of the person, and 404 when the filter does not match', async () => {
    const path = await app.newPerson('N-1');
    const first = tagOf(await app.asAdmin(path));
    const second = tagOf(await app.put(path, { City: 'Bern' }));
    expect((await read(path, first)).body).toMatchObject({ City: 'Bern' });
    expect((await read(path, second)).status).toBe(304);
    expectProblem(await read(`${path}?$filter=City eq 'Uri'`, second), 404, 'not_found');
    expect((await read(path, second, 'reader')).status).toBe(304);
  });

  it('400 names an invalid header', async () => {
    expectProblem(await read(personPath, '1'), 400, 'validation_failed');
  });

  it('304 to HEAD too', async () => {
    const headers = { 'If-None-Match': current };
    expect((await app.asAdmin(personPath, { method: 'HEAD', headers })).status).toBe(304);
  });
});

describe('a restored backup', () => {
  it('gives new changes other ETags than the lost changes had', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scheduling-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [live, backup] = [join(folder, 'live.sqlite'), join(folder, 'backup.sqlite')];
    const serve = async <T>(file: string, writtenAt: string, work: (server: RunningApp) => Promise<T>): Promise<T> => {
      const server = await startApp({}, () => openSqliteStore({ file, clock: () => Date.parse(writtenAt) }));
      try {
        return await work(server);
      } finally {
        await server.stop();
      }
    };
    const path = await serve(live, '2027-01-04T08:00:00Z', (server) => server.newPerson('B-1'));
    await copyFile(live, backup);
    const lost = await serve(live, '2027-01-04T09:00:00Z', (server) => server.put(path, { City: 'Bern' }));
    await serve(backup, '2027-01-04T10:00:00Z', async (server) => {
      const later = await server.put(path, { City: 'Uri' });
      expect([lost.status, later.status]).toEqual([200, 200]);
      expect(tagOf(later)).not.toBe(tagOf(lost));
      const change = { method: 'PUT', json: { City: 'Basel' }, headers: { 'If-Match': tagOf(lost) } };
      expectProblem(await server.asAdmin(path, change), 412, 'precondition_failed');
      const read = await server.asAdmin(path, { headers: { 'If-None-Match': tagOf(lost) } });
      expect([read.status, read.body.City, tagOf(read)]).toEqual([200, 'Uri', tagOf(later)]);
    });
  });
});
