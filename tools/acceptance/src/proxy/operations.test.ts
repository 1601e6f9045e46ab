import { describe, expect, test } from 'vitest';
import { makeProxyFolder, runProxyCommand } from '../proxy-process.ts';
import { requests } from '../staff/requests.ts';
import { accounts, arrival, entryOf, keyOf, useRecordedProxy } from './recorded-proxy.ts';

const ids = requests.map(({ operationId }) => operationId);
const proxy = useRecordedProxy({
  keys: [
    ...ids.map((id) => entryOf(`only-${id}`, { operations: { allow: [id] } })),
    ...ids.map((id) => entryOf(`not-${id}`, { operations: { deny: [id] } })),
    entryOf('reads', { read_only: true }),
    entryOf('reads-but-badges', { read_only: true, operations: { deny: ['listBadgeIds'] } }),
    entryOf('reader', { account: 'reader' }),
  ],
});

type Request = (typeof requests)[number];

const ask = async (name: string, { method, path, json }: Request) => {
  const { status, body } = await proxy().callWith(keyOf(name), path, { method, json });
  return { status, code: body.code };
};
const forbidden = { status: 403, code: 'operation_forbidden' };

describe('a key that lists operations', () => {
  test.each(requests)('$operationId 403: is denied to a key by name, which may use all others', async (request) => {
    const outcomes = await Promise.all(requests.map((each) => ask(`not-${request.operationId}`, each)));
    expect(outcomes).toEqual(requests.map((each) => (each === request ? forbidden : arrival)));
    expect(proxy().upstream.arrived).toHaveLength(requests.length - 1);
  });

  test.each(requests)(
    '$operationId 403: is denied to a key that allows only another, without a request to the upstream',
    async (request) => {
      const others = ids.filter((id) => id !== request.operationId);
      const outcomes = await Promise.all(others.map((id) => ask(`only-${id}`, request)));
      expect(outcomes).toEqual(others.map(() => forbidden));
      expect(proxy().upstream.arrived).toEqual([]);
      expect(await ask(`only-${request.operationId}`, request)).toEqual(arrival);
    },
  );

  test.each(requests)(
    '$operationId 403: names the operation and a remedy, and no key',
    async ({ operationId, method, path, json }) => {
      const { body, text } = await proxy().callWith(keyOf(`not-${operationId}`), path, { method, json });
      expect(body).toMatchObject({ kind: 'AuthorizationError', detail: expect.stringContaining(operationId) });
      expect(text).not.toContain('acceptance-key');
    },
  );
});

test.each([
  { name: 'reads', mayUse: ({ isWrite }: Request) => !isWrite },
  { name: 'reader', mayUse: ({ isWrite }: Request) => !isWrite },
  { name: 'not-setStaffManager', mayUse: ({ operationId }: Request) => operationId !== 'setStaffManager' },
])(
  'rule methods of a caller: OPTIONS lists in Allow the methods that the key $name may use',
  async ({ name, mayUse }) => {
    for (const [path, served] of Map.groupBy(requests, (each) => each.path)) {
      const { status, headers } = await proxy().callWith(keyOf(name), path, { method: 'OPTIONS' });
      const methods = served.filter(mayUse).map(({ method }) => method);
      const allowed = [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])].sort();
      expect([status, headers.get('Allow')?.split(', ')], path).toEqual([204, allowed]);
    }
    expect(proxy().upstream.arrived).toEqual([]);
  },
);

test('a denied operation is rejected before its body is read', async () => {
  for (const { operationId, method, path } of requests.filter(({ json }) => json !== undefined)) {
    const broken = { method, headers: { 'Content-Type': 'application/json' }, body: '{ not JSON' };
    const { status, body } = await proxy().callWith(keyOf(`not-${operationId}`), path, broken);
    expect({ operationId, status, code: body.code }).toEqual({ operationId, ...forbidden });
  }
});

describe('a read-only key', () => {
  test.each(requests.filter(({ isWrite }) => isWrite))(
    '$operationId 403: is denied to a read-only key although its account may write',
    async (request) => {
      expect(await ask('reads', request)).toEqual(forbidden);
      expect(proxy().upstream.arrived).toEqual([]);
    },
  );

  test.each(requests.filter(({ isWrite }) => !isWrite))('may call $operationId', async (request) => {
    expect(await ask('reads', request)).toEqual(arrival);
  });

  test('listBadgeIds 403: is denied to a read-only key by name', async () => {
    const badges = requests.find(({ operationId }) => operationId === 'listBadgeIds');
    expect(await ask('reads-but-badges', badges as Request)).toEqual(forbidden);
  });
});

test.each(requests.filter(({ isWrite }) => isWrite))(
  '$operationId 403: is denied to a key of a read-only account, without a request to the upstream',
  async (request) => {
    expect(await ask('reader', request)).toEqual({ status: 403, code: 'scope_missing' });
    expect(proxy().upstream.arrived).toEqual([]);
  },
);

describe.each(['contract', 'vendor'])('the company of a key, in front of the forms of the %s', (upstream_form) => {
  const own = upstream_form === 'vendor' ? 'C-2' : 'C-1';
  const company = useRecordedProxy({
    settings: { upstream_form },
    keys: [entryOf('ops', { company_key: own }), entryOf('reader', { account: 'reader' })],
  });

  test.each([
    ['ops', 'C-3'],
    ['ops', own.toLowerCase()],
    ['reader', 'C-2'],
  ])('listStaffMembers 403: rejects the key %s with the companyKey %s', async (name, companyKey) => {
    const { status, body } = await company().callWith(keyOf(name), `/v2/staffmember?companyKey=${companyKey}`);
    expect([status, body.code, body.kind]).toEqual([403, 'company_forbidden', 'AuthorizationError']);
    expect(company().upstream.arrived).toEqual([]);
  });

  test.each([
    ['ops', own],
    ['reader', 'C-1'],
  ])('is filled in for the key %s', async (name, companyKey) => {
    await company().callWith(keyOf(name), '/v2/staffmember?$top=1');
    await company().callWith(keyOf(name), `/v2/staffmember?companyKey=${companyKey}`);
    expect(company().upstream.arrived).toEqual([
      `GET /v2/staffmember?$top=1&companyKey=${companyKey}`,
      `GET /v2/staffmember?companyKey=${companyKey}`,
    ]);
  });
});

test('a key for another company than its account is invalid, except in front of the vendor', async () => {
  const keysFile = { accounts, keys: [entryOf('elsewhere', { company_key: 'C-2' })] };
  const validate = async (upstream_form: string) =>
    runProxyCommand(['validate'], { cwd: await makeProxyFolder({ keysFile, settings: { upstream_form } }) });
  expect((await validate('vendor')).exitCode).toBe(0);
  expect(await validate('contract')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('keys[0].company_key: The account belongs to another company'),
  });
});
