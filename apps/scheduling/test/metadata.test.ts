import { afterAll, beforeAll, expect, test } from 'vitest';
import { companyKey, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

test('the service document names the list of people', async () => {
  const { status, headers, body } = await app.call('/v2/');
  expect([status, headers.get('OData-Version')]).toEqual([200, '4.01']);
  expect(body).toEqual({
    '@odata.context': expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v2\/\$metadata$/),
    value: [{ name: 'StaffMembers', kind: 'EntitySet', url: 'StaffMembers' }],
  });
});

test('the context of a list resolves to the metadata, which describes each property of its people', async () => {
  const url = `http://host/v2/staffmember?companyKey=${companyKey}&$top=1&$expand=Tags,Skillset,Profiles`;
  const { pathname, search } = new URL(url);
  const list = await app.asAdmin(pathname + search, { headers: { Accept: 'application/json;odata.metadata=minimal' } });
  const context = new URL(list.body['@odata.context'], url);
  const { body } = await app.call(`${context.pathname}?$format=json`);
  const [set = ''] = context.hash.slice(1).split('(');
  const schema = body['Rostergate.Staff'];
  const type = schema[schema.StaffService[set].$Type.slice('Rostergate.Staff.'.length)];
  const names = (members: object) => Object.keys(members).filter((name) => !name.startsWith('$'));
  expect(names(type)).toEqual(expect.arrayContaining(Object.keys(list.body.value[0])));
  expect(type.StaffKey).toEqual({});
  expect(type.Tags).toMatchObject({ $Kind: 'NavigationProperty', $Type: 'Rostergate.Staff.StaffTag' });
  expect(type).not.toHaveProperty('TimeClockKioskPIN');
});

test.each([
  ['', {}, 'application/xml', 'Version="4.01"'],
  ['', { 'OData-MaxVersion': '4.0' }, 'application/xml', 'Version="4.0"'],
  ['', { 'OData-Version': '4.0' }, 'application/xml', 'Version="4.0"'],
  ['', { 'OData-Version': '4.0', 'OData-MaxVersion': '4.01' }, 'application/xml', 'Version="4.01"'],
  ['', { Accept: 'application/json' }, 'application/json', '"$Version":"4.01"'],
  ['', { Accept: 'application/json, application/xml;q=0.5' }, 'application/json', '"$Version":"4.01"'],
  ['', { Accept: 'application/xml, application/json;q=0.5' }, 'application/xml', 'Version="4.01"'],
  ['?$format=xml', { Accept: 'application/json' }, 'application/xml', 'Version="4.01"'],
  ['?$format=application/json', {}, 'application/json', '"$Version":"4.01"'],
])('metadata%s with %j is %s', async (query, headers, contentType, part) => {
  const { status, headers: sent, text } = await app.call(`/v2/$metadata${query}`, { headers });
  expect([status, sent.get('Content-Type')?.split(';')[0]]).toEqual([200, contentType]);
  expect(text).toContain(part);
});

test('a HEAD request has the headers of the GET, and a known copy is 304', async () => {
  const headers = { 'Accept-Encoding': 'identity' };
  const got = await app.call('/v2/$metadata', { headers });
  const head = await app.call('/v2/$metadata', { method: 'HEAD', headers });
  expect([head.text, head.headers.get('ETag')]).toEqual(['', got.headers.get('ETag')]);
  const etag = got.headers.get('ETag') ?? '';
  expect((await app.call('/v2/$metadata', { headers: { ...headers, 'If-None-Match': etag } })).status).toBe(304);
});

test('an unknown format or parameter is 400', async () => {
  for (const [path, target] of [
    ['/v2/$metadata?$format=atom', '$format'],
    ['/v2/?surprise=1', 'surprise'],
  ] as const) {
    const { status, body } = await app.call(path);
    expect([status, body.error.code, body.error.target]).toEqual([400, 'validation_failed', target]);
  }
});

test.each(['/v2/', '/v2/$metadata', '/openapi.json', '/health'])('%s ignores a wrong token', async (path) => {
  const { status } = await app.call(path, { headers: { Authorization: 'Bearer wrong' } });
  expect(status).toBe(200);
});
