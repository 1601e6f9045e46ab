import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyKey, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const set = '/v2/StaffMembers';
const envelope = 'application/json;odata.metadata=minimal';

/** Returns the people of the contract's list in the form of the root: dates with an offset, no null collections. */
async function listOf(options: string): Promise<Record<string, unknown>[]> {
  const { body } = await app.asAdmin(`/v2/staffmember?companyKey=${companyKey}&${options}`);
  return (body as Record<string, unknown>[]).map(toOData);
}

const collections = ['Tags', 'TTCMTags', 'Skillset', 'Profiles', 'AvailableProfiles', 'BadgeIds'];

function toOData(value: unknown): Record<string, unknown> {
  const members = Object.entries(value as object).filter(([name, one]) => one !== null || !collections.includes(name));
  return Object.fromEntries(members.map(([name, one]) => [name, toODataValue(one)]));
}

function toODataValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toOData);
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(value) ? `${value}Z` : value;
}

describe('the entity set', () => {
  it.each([
    '',
    '$top=3&$orderby=LastName desc',
    '$filter=Fte lt 1&$select=StaffKey,LastName,StartDate',
    "$filter=Tags/any(t:t/CategoryName eq 'Employment')&$expand=Tags&$top=150",
    '$expand=Skillset($filter=IsSkilledMon;$top=1),Profiles&$select=LastName&$skip=10&$top=5',
    '$select=Tags,City&$top=2',
    "$filter=StartDate gt 2015-01-01T00:00:00Z and LastName ne @n&@n='Chen'",
  ])(
    'returns for %j the people of the list, with dates and collections as $metadata describes them',
    async (options) => {
      const { status, headers, body } = await app.asAdmin(`${set}?${options}`);
      expect([status, headers.get('Content-Type'), headers.get('OData-Version')]).toEqual([200, envelope, '4.01']);
      expect(body.value).toEqual(await listOf(options));
      expect(body.value.length).toBeGreaterThan(0);
    },
  );

  it('streams a whole company', async () => {
    const { body } = await app.asAdmin(`${set}?$expand=Tags`, { headers: { Accept: 'application/json' } });
    expect(body.value).toHaveLength(120);
    expect(new URL(body['@odata.context']).pathname + new URL(body['@odata.context']).hash).toBe(
      '/v2/$metadata#StaffMembers(Tags())',
    );
  });

  it('counts, and divides into pages whose links stay below the root', async () => {
    const sizes: number[] = [];
    const people: unknown[] = [];
    let next: string | undefined = 'StaffMembers?$count=true&$orderby=City&$format=json';
    while (next !== undefined) {
      expect(next).toMatch(/^StaffMembers\?/);
      const { body, headers } = await app.asAdmin(`/v2/${next}`, { headers: { Prefer: 'odata.maxpagesize=50' } });
      expect([body['@odata.count'], headers.get('Preference-Applied')]).toEqual([120, 'maxpagesize=50']);
      sizes.push(body.value.length);
      people.push(...body.value);
      next = body['@odata.nextLink'];
    }
    expect(sizes).toEqual([50, 50, 20]);
    expect(people).toEqual(await listOf('$orderby=City'));
  });

  it('follows the version that the client asks for', async () => {
    const path = `${set}?$top=1&$select=LastName&$expand=Tags,Skillset($select=TaskKey)`;
    for (const [headers, version, context] of [
      [{}, '4.01', '(LastName,Tags(),Skillset(TaskKey))'],
      [{ 'OData-MaxVersion': '4.0' }, '4.0', '(LastName,Skillset(TaskKey))'],
      [{ 'OData-Version': '4.0' }, '4.0', '(LastName,Skillset(TaskKey))'],
      [{ 'OData-Version': '4.0', 'OData-MaxVersion': '4.01' }, '4.01', '(LastName,Tags(),Skillset(TaskKey))'],
    ] as const) {
      const { headers: sent, body } = await app.asAdmin(path, { headers });
      expect(sent.get('OData-Version')).toBe(version);
      expect(body['@odata.context']).toContain(`/v2/$metadata#StaffMembers${context}`);
    }
  });

  it('tracks no changes', async () => {
    const { body, headers } = await app.asAdmin(set, { headers: { Prefer: 'odata.track-changes' } });
    expect([Object.keys(body), headers.get('Preference-Applied')]).toEqual([['@odata.context', 'value'], null]);
  });

  it('counts as a path', async () => {
    const { headers, text } = await app.asAdmin(`${set}/$count?$filter=Fte lt 1`);
    expect([headers.get('Content-Type'), Number(text)]).toEqual([
      'text/plain',
      (await listOf('$filter=Fte lt 1')).length,
    ]);
  });

  it('shows an account without admin no tags, and finds none', async () => {
    const { body } = await app.call(`${set}?$expand=Tags,Profiles&$top=5`, { as: 'reader' });
    expect(body.value.map(({ Tags, Profiles }: Record<string, unknown>) => [Tags, Profiles])).toEqual(
      Array.from({ length: 5 }, () => [[], []]),
    );
    expect((await app.call(`${set}/$count?$filter=Tags/any()`, { as: 'reader' })).text).toBe('0');
  });

  it('has the people of the company of the account only', async () => {
    const added = await app.call('/v2/staffmember', { as: 'otherCompany', json: { StaffId: 'O-1' } });
    const { body } = await app.call(set, { as: 'otherCompany' });
    expect(body.value.map(({ StaffId }: Record<string, unknown>) => StaffId)).toEqual(['O-1']);
    expect((await app.asAdmin(`${set}('${added.body.StaffKey}')`)).status).toBe(404);
  });
});

describe('a person', () => {
  const keyOf = async () => (await app.somePerson()).slice('/v2/staffmember/'.length);

  it.each(['/KEY', "('KEY')", "(StaffKey='KEY')", '%28%27KEY%27%29'])('is read at %s', async (form) => {
    const key = await keyOf();
    const { status, headers, body } = await app.asAdmin(`${set}${form.replace('KEY', key)}?$expand=Tags`);
    expect([status, headers.get('Content-Type')]).toEqual([200, envelope]);
    const { '@odata.context': context, '@odata.etag': etag, ...person } = body;
    expect([context.replace(/^.*\/v2\//, ''), etag]).toEqual([
      '$metadata#StaffMembers(Tags())/$entity',
      headers.get('ETag'),
    ]);
    expect(person).toEqual(toOData((await app.asAdmin(`/v2/staffmember/${key}?$expand=Tags`)).body));
  });

  it('is 304 for a client that has the version, and read by HEAD', async () => {
    const path = `${set}('${await keyOf()}')`;
    const { headers, body } = await app.asAdmin(`${path}?$select=LastName`);
    expect(Object.keys(body)).toEqual(['@odata.context', '@odata.etag', 'LastName']);
    const etag = headers.get('ETag') ?? '';
    const again = await app.asAdmin(path, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text, again.headers.get('ETag')]).toEqual([304, '', etag]);
    const head = await app.asAdmin(path, { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('ETag')]).toEqual([200, '', etag]);
  });
});

describe('errors have the form of OData', () => {
  it.each([
    ['?$filter=Nobody eq 1', 400, 'odata_invalid', '$filter'],
    ['?companyKey=demo-company', 400, 'validation_failed', 'companyKey'],
    ['?$deltatoken=x', 400, 'validation_failed', '$deltatoken'],
    ['?$format=atom', 400, 'validation_failed', '$format'],
    ['?$skiptoken=x', 400, 'odata_invalid', '$skiptoken'],
    ['/$count?$top=1', 400, 'validation_failed', '$top'],
    ["('nobody')?$filter=true", 400, 'validation_failed', '$filter'],
    ["('nobody')", 404, 'not_found', undefined],
    ["('$count')", 404, 'route_not_found', undefined],
    ["('nobody')/Tags", 404, 'route_not_found', undefined],
    ['?$search=x', 501, 'odata_unsupported', '$search'],
  ])('%s is %i %s', async (path, status, code, target) => {
    const response = await app.asAdmin(set + path);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([status, 'application/json']);
    expect(response.headers.get('OData-Version')).toBe('4.01');
    expect(response.body.error).toMatchObject({ code, ...(target !== undefined && { target }) });
  });

  it('a missing or wrong token is 401', async () => {
    for (const [headers, code] of [
      [{}, 'token_missing'],
      [{ Authorization: 'Bearer wrong' }, 'token_invalid'],
    ] as const) {
      const { status, body, headers: sent } = await app.call(set, { headers });
      expect([status, body.error.code, sent.get('WWW-Authenticate')]).toEqual([
        401,
        code,
        expect.stringMatching(/^Bearer/),
      ]);
    }
  });

  it('the set is read-only', async () => {
    const { status, body, headers } = await app.post(set, { StaffId: 'N-1' });
    expect([status, body.error.code, headers.get('Allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD, OPTIONS']);
  });

  it('U+0000 in a key is 400', async () => {
    const { status, body } = await app.asAdmin(`${set}('a%00')`);
    expect([status, body.error.code]).toEqual([400, 'malformed_request']);
  });

  it('never contains the token of the request', async () => {
    const token = await app.tokenOf('admin');
    const { status, text } = await app.asAdmin(`${set}('${token}')`);
    expect([status, text.includes(token)]).toEqual([404, false]);
  });
});
