import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyKey, expectProblem, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const list = `/v2/staffmember?companyKey=${companyKey}`;

describe('listStaffMembers', () => {
  it('200: a bare array of the company, for both kinds of account', async () => {
    for (const as of ['admin', 'reader'] as const) {
      const { status, body, headers } = await app.call(list, { as });
      expect([status, body.length]).toEqual([200, 120]);
      expect(headers.get('Content-Type')).toMatch(/^application\/json(;|$)/);
    }
    expect((await app.asAdmin(`${list}&$filter=LastName eq 'Nobody'`)).body).toEqual([]);
  });

  it('200: one person by key and with tags, which are empty for non-admins', async () => {
    const key = (await app.asAdmin(`${list}&$top=1`)).body[0].StaffKey;
    const one = `${list}&%24filter=${encodeURIComponent(`StaffKey eq '${key}'`).replaceAll('%20', '+')}&$expand=Tags`;
    const [admin, reader] = [await app.asAdmin(one), await app.call(one, { as: 'reader' })];
    expect(admin.body).toMatchObject([{ StaffKey: key, Tags: expect.any(Array), Skillset: null }]);
    expect(admin.body[0].Tags.length).toBeGreaterThan(0);
    expect(reader.body).toMatchObject([{ StaffKey: key, Tags: [], TTCMTags: [] }]);
  });

  it('200: the envelope for $count, or when Accept names it', async () => {
    const counted = await app.asAdmin(`${list}&$count=true&$top=2`);
    expect(counted.body).toEqual({
      '@odata.context': expect.any(String),
      '@odata.count': 120,
      value: [expect.anything(), expect.anything()],
    });
    const Accept = 'application/json;odata.metadata=minimal';
    const accepted = await app.asAdmin(`${list}&$top=1&$select=LastName`, { headers: { Accept } });
    expect(accepted.headers.get('Content-Type')).toBe(Accept);
    expect(Object.keys(accepted.body)).toEqual(['@odata.context', 'value']);
    expect((await app.asAdmin(`${list}&$count=false&$top=1`)).body).toHaveLength(1);
  });

  it('200: accepts dates of vendor clients', async () => {
    const { body } = await app.asAdmin(`${list}&dateFormat=yyyy-MM-dd&sinceModifiedTimestamp=2100-01-01T00:00:00`);
    expect(body).toEqual([]);
  });

  it.each([
    ['/v2/staffmember', 'companyKey'],
    [`${list}&unknown=1`, 'unknown'],
    [`${list}&includes=`, 'includes'],
    [`${list}&includes=Nonsense`, 'includes'],
    [`${list}&$top=-1`, '$top'],
    [`${list}&$filter=LastNam eq 'x'`, '$filter'],
    [`${list}&$filter=TimeClockKioskPIN eq '1'`, '$filter'],
    [`${list}&$orderby=TimeClockKioskPIN`, '$orderby'],
    [`${list}&sinceModifiedTimestamp=2026-02-31`, 'sinceModifiedTimestamp'],
    [`${list}&$unknown=1`, '$unknown'],
  ])('400: %s names %s', async (path, parameter) => {
    const response = await app.asAdmin(path);
    expect(response.status).toBe(400);
    expect(response.body.kind).toBe('ValidationError');
    expect(response.body.errors.map((fault: { parameter: string }) => fault.parameter.split('/')[0])).toContain(
      parameter,
    );
  });

  it('403: the company of another account', async () => {
    expectProblem(await app.asAdmin('/v2/staffmember?companyKey=other-company'), 403, 'company_forbidden');
    expectProblem(await app.asAdmin('/v2/staffmember?companyKey=no-company'), 403, 'company_forbidden');
  });

  it('501: unsupported OData features', async () => {
    const response = await app.asAdmin(`${list}&$search=cardiology`);
    expectProblem(response, 501, 'odata_unsupported');
    expect(response.body.errors).toMatchObject([{ parameter: '$search' }]);
  });

  it('405: for other methods, with the allowed ones', async () => {
    const response = await app.asAdmin('/v2/staffmember', { method: 'PATCH' });
    expectProblem(response, 405, 'method_not_allowed');
    expect(response.headers.get('Allow')).toBe('GET, HEAD, OPTIONS, POST');
  });
});

describe('getStaffMember', () => {
  it('200: the person, with selected, expanded and included properties', async () => {
    const { body } = await app.asAdmin(`${await app.somePerson()}?$select=LastName&$expand=Profiles&includes=BadgeIds`);
    expect(Object.keys(body).sort()).toEqual(['BadgeIds', 'LastName', 'Profiles']);
  });

  it('200: any key, with quotes and blanks', async () => {
    const { body } = await app.asAdmin(list);
    for (const { StaffKey } of body.filter((person: { StaffKey: string }) => !/^[\w-]+$/.test(person.StaffKey))) {
      expect((await app.asAdmin(`/v2/staffmember/${encodeURIComponent(StaffKey)}`)).body).toMatchObject({ StaffKey });
    }
  });

  it('404: unknown, of another company, or not matched by the filter', async () => {
    const path = await app.somePerson();
    expectProblem(await app.asAdmin('/v2/staffmember/nobody'), 404, 'not_found');
    expectProblem(await app.call(path, { as: 'otherCompany' }), 404, 'not_found');
    expectProblem(await app.asAdmin(`${path}?$filter=LastName eq 'Nobody'`), 404, 'not_found');
  });

  it('400: rejects companyKey and $top', async () => {
    expect((await app.asAdmin(`${await app.somePerson()}?companyKey=${companyKey}`)).status).toBe(400);
    expect((await app.asAdmin(`${await app.somePerson()}?$top=1`)).status).toBe(400);
  });
});

describe('createStaffMember', () => {
  it('201 with its Location, 409 again, 200 with UpdateIfExisting', async () => {
    const created = await app.post('/v2/staffmember', { StaffId: 'N-1', TimeClockKioskPIN: 'pin-4711-pin' });
    expect([created.status, created.body.LastName]).toEqual([201, 'CHANGEME']);
    expect(created.text).not.toMatch(/PIN|pin-4711/);
    expect((await app.asAdmin(String(created.headers.get('Location')))).body).toEqual(created.body);
    expectProblem(await app.post('/v2/staffmember', { StaffId: 'N-1' }), 409, 'conflict');
    const updated = await app.post('/v2/staffmember', { StaffId: 'N-1', City: 'Bern', UpdateIfExisting: true });
    expect([updated.status, updated.body.City, updated.body.StaffKey]).toEqual([200, 'Bern', created.body.StaffKey]);
    expect(app.logText()).not.toContain('pin-4711-pin');
  });

  it('400: names every fault', async () => {
    const { status, body } = await app.post('/v2/staffmember', { FirstName: 7, Fte: 'full', Nickname: 'x' });
    expect(status).toBe(400);
    const pointers = body.errors.map((fault: { pointer: string }) => fault.pointer);
    expect(new Set(pointers)).toEqual(new Set(['/Fte', '/FirstName', '/Nickname', '/StaffId']));
  });

  it('400 for invalid JSON, 415 for another media type', async () => {
    const json = { 'Content-Type': 'application/json' };
    expect((await app.asAdmin('/v2/staffmember', { body: '{', headers: json })).status).toBe(400);
    const text = { 'Content-Type': 'text/plain' };
    expectProblem(await app.asAdmin('/v2/staffmember', { body: 'x', headers: text }), 415, 'media_type_unsupported');
  });
});

describe('updateStaffMember', () => {
  it('200: changes what is sent', async () => {
    const path = await app.newPerson('N-2');
    const { status, body } = await app.put(path, { FirstName: 'Zoë', StartDate: '2026-01-02', Npi: null });
    expect(status).toBe(200);
    expect(body).toMatchObject({ FirstName: 'Zoë', StartDate: '2026-01-02T00:00:00', LastName: 'CHANGEME' });
  });

  it('400: rejects a change of keys, an empty body, and invalid dates', async () => {
    const path = await app.newPerson('N-3');
    for (const json of [{ StaffKey: 'x' }, { Tags: [] }, {}, { StartDate: '2026-02-31' }, { LastName: null }]) {
      expect([json, (await app.put(path, json)).status]).toEqual([json, 400]);
    }
  });
});
