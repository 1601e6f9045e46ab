import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallOptions, companyKey, credentials, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
let token: string;
beforeAll(async () => {
  app = await startApp({ form: 'vendor', body_bytes_max: 2_000 });
  token = (await logIn()).body.access_token;
});
afterAll(() => app.stop());

const logIn = (password = credentials('admin').password) =>
  app.call('/v2/login', { body: new URLSearchParams({ ...credentials('admin'), password }) });
const send = (path: string, options: CallOptions = {}) =>
  app.call(`/v2${path}`, { ...options, headers: { Authorization: `bearer ${token}`, ...options.headers } });
const company = `CompanyKey=${companyKey}`;

async function newPerson(StaffId: string): Promise<{ StaffKey: string; StaffId: string }> {
  const { status, body } = await send('/staffmember', { json: { StaffId, CompanyKey: companyKey } });
  expect(status).toBe(200);
  return body;
}

describe('the vendor’s form', () => {
  test('finds a person by any identifier, with the members that only the vendor has', async () => {
    const { StaffKey } = await newPerson('N-1');
    for (const identifier of [StaffKey, 'N-1']) {
      const { status, body } = await send(`/staffmember/${identifier}?${company}`);
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ StaffKey, SocialSecurityNumber: '078-05-1120', TimeClockKioskPIN: '2468' }),
      ]);
    }
    for (const unknown of ['no-such-person', '$count', '%24count']) {
      expect((await send(`/staffmember/${unknown}?${company}`)).status).toBe(404);
    }
  });

  test('sends the links of a list with its own address', async () => {
    const headers = {
      Accept: 'application/json;odata.metadata=minimal',
      Prefer: 'maxpagesize=2',
      Host: 'vendor.example',
    };
    const { body, text } = await send(`/staffmember?companyKey=${companyKey}`, { headers });
    expect(body.value).toHaveLength(2);
    expect(text).toMatch(/"@odata\.nextLink":"http:\/\/[^/"]+\/v2\/staffmember\?/);
  });

  test.each(['text/csv', 'application/x-ndjson', 'text/html'])(
    'lists people in JSON for Accept: %s',
    async (Accept) => {
      const { status, body } = await send(`/staffmember?companyKey=${companyKey}&$top=1`, { headers: { Accept } });
      expect([status, body]).toEqual([200, [expect.objectContaining({ TimeClockKioskPIN: '2468' })]]);
    },
  );

  test.each(['application/json;odata.metadata=minimal', 'text/csv'])(
    'finds a person for Accept: %s',
    async (Accept) => {
      await newPerson(`for ${Accept.length}`);
      const { status, body } = await send(`/staffmember/for ${Accept.length}?${company}`, { headers: { Accept } });
      expect([status, body]).toEqual([200, expect.objectContaining({ StaffId: `for ${Accept.length}` })]);
    },
  );

  test('has no versions: neither ETag nor Location', async () => {
    const { StaffKey } = await newPerson('N-2');
    const { headers } = await send(`/staffmember/${StaffKey}?${company}`);
    expect([headers.get('ETag'), headers.get('Location')]).toEqual([null, null]);
  });

  test.each([
    [404, 'GET', '/schedule', undefined],
    [405, 'PATCH', '/staffmember', '{}'],
    [400, 'GET', `/staffmember/%zz?${company}`, undefined],
    [400, 'POST', '/staffmember', '{ no JSON'],
    [400, 'POST', '/staffmember', '7'],
    [413, 'POST', '/staffmember', `{"StaffId":"${'x'.repeat(2_000)}"}`],
    [413, 'POST', '/staffmember', `{"StaffId":"${'x'.repeat(5_000_000)}"}`],
    [501, 'PUT', '/staffmember', '{}'],
  ])('responds %i to %s %s with a message only', async (status, method, path, body) => {
    const response = await send(path, { method, ...(body !== undefined && { body }) });
    expect([response.status, response.body]).toEqual([status, { Message: expect.any(String) }]);
  });

  test('rejects a wrong password and a wrong token in its own format', async () => {
    const denied = { error: 'access_denied', error_description: 'Invalid email or password' };
    const responses = [
      await logIn('not-the-password'),
      await send('/staffmember', { headers: { Authorization: 'bearer wrong' } }),
      await send(`/staffmember/x?${company}`, { headers: { Authorization: 'bearer wrong' } }),
      await send('/staffmember', { headers: { Authorization: '' } }),
    ];
    for (const { status, body } of responses) expect([status, body]).toEqual([401, denied]);
  });

  test('leaves the paths outside of /v2 unchanged, and logs the operations under their request id', async () => {
    expect((await app.call('/health/ready')).status).toBe(200);
    expect((await app.call('/v2x')).body).toMatchObject({ code: 'route_not_found' });
    await send('/staffmember?$top=0', { headers: { 'X-Request-Id': 'from-the-client' } });
    await expect.poll(app.logText).toContain('from-the-client');
  });
});
