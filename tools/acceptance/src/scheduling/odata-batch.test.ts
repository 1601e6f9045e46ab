import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type CallOptions, call, type TestResponse } from '../call.ts';
import { callAs, createPerson, otherCompanyKey, pathOf, type Role } from '../staff/callers.ts';

const path = '/v2/$batch';
const send = (options: CallOptions, role: Role = 'admin') =>
  callAs('scheduling', role, path, { method: 'POST', ...options });

type Request = Readonly<Record<string, unknown>>;

interface PartResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly atomicityGroup?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts what it expects.
  readonly body: any;
}

const get = (url: string, more: Request = {}): Request => ({ method: 'get', url, ...more });

/** Sends requests with the ids 1, 2 and so on. */
async function batch(requests: readonly Request[], { role, headers = {} }: { role?: Role; headers?: object } = {}) {
  const json = { requests: requests.map((request, n) => ({ id: `${n + 1}`, ...request })) };
  const { status, body, headers: sent } = await send({ json, headers: { ...headers } }, role);
  const { responses = [] } = body as { responses?: PartResponse[] };
  return { status, sent, responses, statuses: responses.map((one) => one.status) };
}

const newId = () => `batch-${randomUUID()}`;

function expectError({ status, body }: Pick<TestResponse, 'status' | 'body'>, expected: number, code: string): void {
  expect([status, body.error.code]).toEqual([expected, code]);
}

test('runODataBatch 200: creates a person, reads it by reference, updates it with If-Match and reads it again', async () => {
  const StaffId = newId();
  const made = await batch([
    { method: 'POST', url: 'staffmember', body: { StaffId, LastName: 'Ansatt' } },
    get('$1?$select=StaffId,LastName', { dependsOn: ['1'] }),
    { method: 'post', url: '$1/manager', body: { IsClearManagerId: true }, dependsOn: ['1'] },
  ]);
  expect([made.status, made.sent.get('Content-Type'), made.sent.get('OData-Version')]).toEqual([
    ...[200, 'application/json', '4.01'],
  ]);
  expect(made.statuses).toEqual([201, 200, 200]);
  const [created, read, managed] = made.responses;
  expect(read?.body).toEqual({ StaffId, LastName: 'Ansatt' });
  const { location = '' } = created?.headers ?? {};
  const { etag = '' } = managed?.headers ?? {};
  const put = { method: 'put', url: location, body: { City: 'Bern' }, headers: { 'If-Match': etag } };
  const changed = await batch([put, put, get(location)]);
  expect(changed.statuses).toEqual([200, 412, 200]);
  expect(changed.responses[1]?.body.code).toBe('precondition_failed');
  expect(changed.responses[2]?.body.City).toBe('Bern');
  expect((await callAs('scheduling', 'admin', location)).body.City).toBe('Bern');
});

test('runODataBatch 200: each request is one of its own, with its format, its version and its error', async () => {
  const { responses, statuses } = await batch(
    [
      get('StaffMembers/$count'),
      get('/v2/staffmember?$select=StaffId&$top=1'),
      get("StaffMembers('unknown')", { headers: { 'OData-MaxVersion': '4.01' } }),
      get('StaffMembers?$search=x'),
      get('no-such-path'),
      { method: 'patch', url: 'StaffMembers' },
    ],
    { headers: { 'OData-MaxVersion': '4.0' } },
  );
  expect(statuses).toEqual([200, 400, 404, 501, 404, 405]);
  expect(responses[0]).toMatchObject({ headers: { 'content-type': 'text/plain', 'odata-version': '4.0' } });
  expect(responses[0]?.body).toMatch(/^\d+$/);
  expect(responses[1]?.body.errors[0].parameter).toBe('companyKey');
  expect(responses[2]).toMatchObject({ headers: { 'odata-version': '4.01' }, body: { error: { code: 'not_found' } } });
  expect(new Set(responses.map(({ headers }) => headers['x-request-id'])).size).toBe(6);
});

test('runODataBatch 200: an account without admin reads without hidden parts, and writes nothing', async () => {
  const person = await createPerson('scheduling');
  const requests = [
    get('StaffMembers?$expand=Tags&$filter=Tags/any()'),
    { method: 'put', url: pathOf(person), body: { City: 'Bern' } },
    { method: 'post', url: 'staffmember', body: { StaffId: newId() } },
    get('admin/tags'),
  ];
  const { responses, statuses } = await batch(requests, { role: 'reader' });
  expect(statuses).toEqual([200, 403, 403, 403]);
  expect(responses[0]?.body.value).toEqual([]);
  expect((await callAs('scheduling', 'admin', pathOf(person))).body).toEqual(person);
});

test('runODataBatch 200: reaches no other company', async () => {
  const person = await createPerson('scheduling');
  const other = await batch(
    [
      get(`StaffMembers('${person.StaffKey}')`),
      get(pathOf(person)),
      { method: 'put', url: pathOf(person), body: { City: 'Bern' } },
      get(`StaffMembers?$filter=StaffKey eq '${person.StaffKey}'`),
    ],
    { role: 'otherCompany' },
  );
  expect(other.statuses).toEqual([404, 404, 404, 200]);
  expect(other.responses[3]?.body.value).toEqual([]);
  const ours = await batch([get(`staffmember?companyKey=${encodeURIComponent(otherCompanyKey)}`)]);
  expect(ours.responses[0]).toMatchObject({ status: 403, body: { code: 'company_forbidden' } });
  expect((await callAs('scheduling', 'admin', pathOf(person))).body).toEqual(person);
});

test('runODataBatch 200: a failed request fails those that depend on it, and no others', async () => {
  const [made, lost] = [newId(), newId()];
  const { responses, statuses } = await batch([
    get("StaffMembers('unknown')"),
    { method: 'post', url: 'staffmember', body: { StaffId: lost }, dependsOn: ['1'] },
    { method: 'post', url: 'staffmember', body: { StaffId: made } },
    get('StaffMembers/$count', { if: '$1/$succeeded', dependsOn: ['1'] }),
  ]);
  expect(statuses).toEqual([404, 424, 201, 424]);
  expect(responses[1]?.body.error.code).toBe('dependency_failed');
  const found = (id: string) => callAs('scheduling', 'admin', `/v2/StaffMembers/$count?$filter=StaffId eq '${id}'`);
  expect([(await found(lost)).text, (await found(made)).text]).toEqual(['0', '1']);
});

test('runODataBatch Prefer: continue-on-error=false ends the batch with the first error', async () => {
  const requests = [get('StaffMembers/$count'), get("StaffMembers('unknown')"), get('StaffMembers/$count')];
  const stopped = await batch(requests, { headers: { Prefer: 'odata.continue-on-error=false' } });
  expect([stopped.statuses, stopped.sent.get('Preference-Applied')]).toEqual([[200, 404], 'continue-on-error=false']);
  const whole = await batch(requests, { headers: { Prefer: 'continue-on-error' } });
  expect([whole.statuses, whole.sent.get('Preference-Applied')]).toEqual([[200, 404, 200], 'continue-on-error=true']);
  expect((await batch(requests)).statuses).toEqual([200, 404, 200]);
});

test('runODataBatch 200: executes nothing of a group of several requests, and a group of one', async () => {
  const ids = [newId(), newId(), newId()];
  const create = (n: number, atomicityGroup: string) => ({
    ...{ method: 'post', url: 'staffmember', body: { StaffId: ids[n] }, atomicityGroup },
  });
  const { responses, statuses } = await batch([create(0, 'both'), create(1, 'both'), create(2, 'alone')]);
  expect(statuses).toEqual([501, 501, 201]);
  expect(responses.map(({ atomicityGroup }) => atomicityGroup)).toEqual(['both', 'both', 'alone']);
  const filter = ids.map((id) => `StaffId eq '${id}'`).join(' or ');
  const { body: found } = await callAs('scheduling', 'admin', `/v2/StaffMembers?$select=StaffId&$filter=${filter}`);
  expect(found.value).toEqual([{ StaffId: ids[2] }]);
});

test('runODataBatch 200: rejects a read whose response exceeds a request body with those before', async () => {
  const everything = 'StaffMembers?$expand=Tags,Skillset,Profiles';
  const bytesMax = 10 * 1024 * 1024;
  const { text } = await callAs('scheduling', 'admin', `/v2/${everything}`);
  const count = Math.floor(bytesMax / Buffer.byteLength(text));
  const { responses, statuses } = await batch(Array.from({ length: count + 2 }, () => get(everything)));
  expect(statuses.slice(0, count - 1).every((status) => status === 200)).toBe(true);
  expect(responses.at(-1)).toMatchObject({ status: 400, body: { error: { code: 'batch_too_large' } } });
});

test('runODataBatch 400: names the place of every fault, and executes nothing', async () => {
  const StaffId = newId();
  const good = { id: 'a', method: 'post', url: 'staffmember', body: { StaffId } };
  const placesOf = async (...requests: Request[]) => {
    const response = await send({ json: { requests: [good, ...requests] } });
    expectError(response, 400, 'validation_failed');
    return response.body.error.details.map(({ target }: { target: string }) => target);
  };
  expect(
    await placesOf(
      { id: 'b', ...get('https://other.example/v2/StaffMembers') },
      { id: 'a', ...get('/metrics') },
      { id: 'c', method: 'post', url: '$batch', body: { requests: [] } },
      { id: 'd', method: 'post', url: 'login', body: {} },
      { id: 'e', ...get('StaffMembers', { headers: { Authorization: 'Bearer x' } }) },
    ),
  ).toEqual([
    ...['/requests/1/url', '/requests/2/id', '/requests/2/url', '/requests/3/url', '/requests/4/url'],
    '/requests/5/headers/Authorization',
  ]);
  expect(await placesOf({ id: 'x y', ...get('StaffMembers') })).toEqual(['/requests/1/id']);
  const many = Array.from({ length: 100 }, (_, n) => ({ id: `${n}`, ...get('StaffMembers/$count') }));
  expect(await placesOf(...many)).toEqual(['/requests']);
  const count = await callAs('scheduling', 'admin', `/v2/StaffMembers/$count?$filter=StaffId eq '${StaffId}'`);
  expect(count.text).toBe('0');
});

test('runODataBatch 401: a login is needed', async () => {
  expectError(await call('scheduling', path, { method: 'POST', json: { requests: [] } }), 401, 'token_missing');
});

test('runODataBatch 413: rejects a body above the limit', async () => {
  expectError(await send({ json: 'x'.repeat(11_000_000) }), 413, 'body_too_large');
});

test('runODataBatch 415: rejects the multipart format', async () => {
  const headers = { 'Content-Type': 'multipart/mixed; boundary=b' };
  expectError(await send({ body: '--b--', headers }), 415, 'media_type_unsupported');
});

test('the staff proxy serves no batches', async () => {
  const { status, body } = await callAs('staff-proxy', 'admin', path, { method: 'POST', json: { requests: [] } });
  expect([status, body.code]).toEqual([404, 'route_not_found']);
});
