import { Problem } from '@rostergate/server/problem';
import { describe, expect, it } from 'vitest';
import { type Batch, type BatchPart, parseBatch } from './parse-batch.ts';

const root = new URL('http://staff.example/v2/');
const operations: Readonly<Record<string, string>> = {
  'POST /v2/$batch': 'runODataBatch',
  'POST /v2/%24batch': 'runODataBatch',
  'POST /v2/login': 'login',
};

type Request = Partial<Batch['requests'][number]>;

function parse(...requests: Request[]): readonly BatchPart[] {
  const whole = requests.map((request, n) => ({ id: `${n + 1}`, method: 'get', url: 'StaffMembers', ...request }));
  return parseBatch({ requests: whole }, root, (method, url) => operations[`${method} ${url}`]);
}

function faultsOf(...requests: Request[]): (string | undefined)[] {
  try {
    parse(...requests);
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return error.errors.map(({ pointer }) => pointer);
    throw error;
  }
  return [];
}

describe('a request', () => {
  it('has a method in upper case, a path, the fields that matter, and a body as text', () => {
    const headers = { Accept: 'text/csv', 'IF-MATCH': '"1-a"', 'User-Agent': 'x', 'X-Forwarded-For': '::1', Host: 'y' };
    expect(parse({ method: 'Put', url: '/v2/staffmember/k?a=1', headers, body: { City: 'Bern' } })).toEqual([
      {
        ...{ id: '1', method: 'PUT', target: { url: '/v2/staffmember/k?a=1' }, body: '{"City":"Bern"}' },
        ...{ headers: { accept: 'text/csv', 'if-match': '"1-a"' }, group: undefined },
        ...{ dependsOn: [], isConditional: false },
      },
    ]);
  });

  it.each([
    ["StaffMembers('k')?$select=LastName", "/v2/StaffMembers('k')?$select=LastName"],
    ['staffmember?$filter=Fte lt 1', '/v2/staffmember?$filter=Fte%20lt%201'],
    ['$metadata', '/v2/$metadata'],
    ['./$metadata', '/v2/$metadata'],
    ['http://staff.example/v2/StaffMembers', '/v2/StaffMembers'],
    ['http://staff.example:80/v2/StaffMembers', '/v2/StaffMembers'],
    ['/v2/staffmember/a%2Fb', '/v2/staffmember/a%2Fb'],
  ])('resolves the URL %s', (url, path) => {
    expect(parse({ url })[0]?.target).toEqual({ url: path });
  });

  it.each([
    ...['http://other.example/v2/StaffMembers', '//other.example/v2/StaffMembers', '/\\other.example/v2/StaffMembers'],
    ...['https://staff.example/v2/StaffMembers', 'http://staff.example:81/v2/', 'http://me@staff.example/v2/'],
    ...['/metrics', '../metrics', '/v2/../metrics', '/v2/%2e%2e/metrics', '/v2', 'StaffMembers#1', 'a\u0000b', 'a\tb'],
    ...['file:///v2/StaffMembers', 'javascript:1'],
  ])('rejects the URL %s', (url) => {
    expect(faultsOf({}, { url })).toEqual(['/requests/1/url']);
  });

  it.each(['$batch', '%24batch', '/v2/$batch', 'x/../$batch', '/v2/login', 'http://staff.example/v2/login'])(
    'rejects %s, which is a batch or a login',
    (url) => {
      expect(faultsOf({ method: 'post', url })).toEqual(['/requests/0/url']);
    },
  );

  it.each(['Authorization', 'cookie', 'Proxy-Authorization', 'X-API-Key'])('rejects the credential %s', (name) => {
    expect(faultsOf({ headers: { [name]: 'x' } })).toEqual([`/requests/0/headers/${name}`]);
  });

  it('rejects unknown methods and a field with two spellings', () => {
    expect(faultsOf({ method: 'head' }, { headers: { Accept: 'a', accept: 'b' } })).toEqual([
      ...['/requests/0/method', '/requests/1/headers/accept'],
    ]);
  });

  it.each<[Request, string | undefined, string[]]>([
    [{ method: 'post', body: 'a,b', headers: { 'content-type': 'text/csv' } }, 'a,b', []],
    [{ method: 'patch', body: [1], headers: { 'content-type': 'application/x+json; a=b' } }, '[1]', []],
    [{ method: 'post', body: null }, undefined, []],
    [{ method: 'post', body: [1], headers: { 'content-type': 'text/csv' } }, undefined, ['/requests/0/body']],
    [
      { method: 'post', body: 'YQ', headers: { 'content-type': 'a/b' } },
      undefined,
      ['/requests/0/headers/content-type'],
    ],
    [{ method: 'get', body: {} }, undefined, ['/requests/0/body']],
    [{ method: 'delete', body: 1 }, undefined, ['/requests/0/body']],
  ])('has of %j the body %j and the faults %j', (request, body, faults) => {
    expect(faultsOf(request)).toEqual(faults);
    if (faults.length === 0) expect(parse(request)[0]?.body).toBe(body);
  });
});

describe('the names of a batch', () => {
  it('may be used by later requests', () => {
    const [, , third] = parse({ atomicityGroup: 'g' }, { id: 'b' }, { url: '$b/manager?a=1', dependsOn: ['g', 'b'] });
    expect(third).toMatchObject({ target: { reference: 'b', rest: '/manager?a=1' }, dependsOn: ['g', 'b'] });
  });

  it.each<[Request[], string[]]>([
    [[{ id: 'a' }, { id: 'a' }], ['/requests/1/id']],
    [[{ id: 'a' }, { atomicityGroup: 'a' }], ['/requests/0/id']],
    [[{ id: 'a', atomicityGroup: 'a' }], ['/requests/0/id']],
    [[{ atomicityGroup: 'g' }, {}, { atomicityGroup: 'g' }], ['/requests/2/atomicityGroup']],
    [[{ dependsOn: ['2'] }, {}], ['/requests/0/dependsOn/0']],
    [[{ dependsOn: ['1'] }], ['/requests/0/dependsOn/0']],
    [[{}, { url: '$1/manager' }], ['/requests/1/url']],
    [[{ url: '$9', dependsOn: ['9'] }], ['/requests/0/dependsOn/0']],
  ])('%j has the faults %j', (requests, faults) => {
    expect(faultsOf(...requests)).toEqual(faults);
  });
});

it('lists the first 20 faults', () => {
  expect(faultsOf(...Array.from({ length: 30 }, () => ({ url: '/metrics' })))).toHaveLength(20);
});
