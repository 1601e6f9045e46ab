import { Readable } from 'node:stream';
import { operations } from '@rostergate/staff-server';
import { proxyDocument } from '@rostergate/staff-spec';
import type { UpstreamRequest, UpstreamResponse } from '@rostergate/upstream';
import { describe, expect, test } from 'vitest';
import type { StaffCall } from '../staff-call.ts';
import { createStaffUpstream } from '../upstream/staff-upstream.ts';
import { createVendorForm } from './vendor-form.ts';

const key = '6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a';
const person = { StaffKey: key, StaffId: 'S-1', LastName: 'Moe' };

type Given = unknown | { readonly status: number };

function answer(given: Given): UpstreamResponse {
  const { status = 200 } = (given ?? {}) as { status?: number };
  const text = JSON.stringify(given);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    etag: '"1"',
  };
  return { status, headers, body: Readable.from([Buffer.from(text)], { objectMode: false }) };
}

/** Sends calls to a vendor that returns these responses in turn. */
function setUp(...given: Given[]) {
  const sent: UpstreamRequest[] = [];
  const upstream = createStaffUpstream({
    request: async (request) => {
      sent.push(request);
      return answer(given.shift());
    },
    baseUrl: new URL('http://vendor.test/v2'),
    ownBase: '/own',
    form: createVendorForm({ document: proxyDocument, ownBase: '/own' }),
    timeoutMs: 5_000,
    clock: () => 0,
  });
  const send = async (id: keyof typeof operations, call: Partial<StaffCall> = {}) => {
    const { signal } = new AbortController();
    const whole: StaffCall = {
      operation: operations[id],
      path: { staff_key: key },
      query: '',
      body: undefined,
      companyKey: 'C 1',
      headers: {},
      accept: undefined,
      ...call,
    };
    const reply = await upstream.send(whole, 'token', { requestId: 'r-1', signal }, 5_000);
    if (reply === 'token_rejected') throw new Error(reply);
    return { ...reply, body: JSON.parse(Buffer.from(reply.raw as string | Buffer).toString()) };
  };
  const asked = () =>
    sent.map(({ method, path, body }) => [method, path, ...(body === undefined ? [] : [JSON.parse(String(body))])]);
  return { send, asked, sent };
}

const path = { staff_key: key };
const at = `/v2/staffmember/${key}`;

describe('an operation in the vendor’s form', () => {
  test.each<[keyof typeof operations, Partial<StaffCall>, unknown, unknown[]]>([
    ['listStaffMembers', { query: 'companyKey=C%201&$top=2' }, [], ['GET', '/v2/staffmember?companyKey=C%201&$top=2']],
    ['getStaffMember', { query: '$select=Npi' }, person, ['GET', `${at}?$select=Npi&CompanyKey=C%201`]],
    ['listStaffLocations', {}, [], ['GET', `${at}/location?companyKey=C%201`]],
    ['listPayModifiers', {}, [], ['GET', `${at}/payModifier?companyKey=C%201`]],
    [
      'listRequestLimits',
      { query: 'includes=StaffLimits' },
      [],
      ['GET', `${at}/requestlimit?includes=StaffLimits&CompanyKey=C%201`],
    ],
    [
      'createStaffMember',
      { path: {}, body: { StaffId: 'S-1' } },
      person,
      ['POST', '/v2/staffmember', { StaffId: 'S-1', CompanyKey: 'C 1' }],
    ],
    ['updateStaffMember', { body: { Fte: 1 } }, person, ['PUT', at, { Fte: 1, CompanyKey: 'C 1' }]],
    [
      'addStaffLocationTag',
      { path: { ...path, location_key: '5' }, body: { categoryName: 'Team', tagName: 'Blue' } },
      { Location: { LocationKey: 5 } },
      ['POST', `${at}/location/5/tag`, { categoryName: 'Team', tagName: 'Blue', companyKey: 'C 1' }],
    ],
    [
      'addStaffTag',
      { body: { category: 'Team', name: 'Blue' } },
      { ...person, Tags: [{ CategoryName: 'Team', Tags: [] }] },
      ['POST', `${at}/tag`, { category: 'Team', name: 'Blue', companyKey: 'C 1' }],
    ],
    [
      'setStaffSkillset',
      { path: { ...path, task_key: 'T' }, body: { IsSkilledMon: true } },
      { TaskName: 'Call', IsSkilledMon: true },
      ['PUT', `${at}/skillset/T`, { IsSkilledMon: true, companyKey: 'C 1' }],
    ],
    ['removeStaffSkillset', { path: { ...path, task_key: 'T' } }, '', ['DELETE', `${at}/skillset/T?companyKey=C%201`]],
    [
      'createPayModifier',
      { body: { PositionId: 'P' } },
      [{ PayModifierKey: 'M' }],
      ['POST', `${at}/payModifier`, [{ PositionId: 'P', companyKey: 'C 1' }]],
    ],
    [
      'updatePayModifier',
      { path: { ...path, pay_modifier_key: 'M' }, body: { PositionId: 'P' } },
      { PayModifierKey: 'M' },
      ['PUT', `${at}/payModifier/M`, { PositionId: 'P', companyKey: 'C 1' }],
    ],
    [
      'deletePayModifier',
      { path: { ...path, pay_modifier_key: 'M' } },
      null,
      ['DELETE', `${at}/payModifier/M?companyKey=C%201`],
    ],
    [
      'setStaffManager',
      { body: { ManagerId: 'S 2' } },
      person,
      ['PUT', `${at}/manager/?companyKey=C%201&managerId=S%202`, { IsClearManagerId: false }],
    ],
    [
      'setStaffManager',
      { body: { IsClearManagerId: true } },
      person,
      ['PUT', `${at}/manager/?companyKey=C%201&managerId=&IsClearManagerId=true`, { IsClearManagerId: true }],
    ],
  ])('%s', async (id, call, given, request) => {
    const { send, asked } = setUp(given);
    await send(id, call);
    expect(asked()).toEqual([request]);
  });

  test.each(['listBadgeIds', 'listStaffProfiles'] as const)('%s is 501, as the vendor lacks it', async (id) => {
    const { send, asked } = setUp();
    await expect(send(id)).rejects.toMatchObject({ status: 501, code: 'not_implemented' });
    expect(asked()).toEqual([]);
  });

  test.each<[string, keyof typeof operations, Partial<StaffCall>]>([
    ['a version', 'updateStaffMember', { headers: { 'If-Match': '"1"' }, body: {} }],
    ['a tag by its key', 'addStaffTag', { body: { TagKey: 1 } }],
    ['a location’s tag by its key', 'addStaffLocationTag', { body: { TagKey: 1 } }],
    ['a delta link', 'listStaffMembers', { query: '$filter=true&%24deltatoken=x' }],
  ])('%s, which the vendor does not support, is 501 before anything is sent', async (_case, id, call) => {
    const { send, asked } = setUp();
    await expect(send(id, call)).rejects.toMatchObject({ status: 501, code: 'not_implemented' });
    expect(asked()).toEqual([]);
  });
});

describe('a response in the contract’s form', () => {
  test('has no unknown and write-only members', async () => {
    const given = { ...person, SocialSecurityNumber: '1', TimeClockKioskPIN: '1234', Badges: [] };
    expect((await setUp(given).send('getStaffMember')).body).toEqual(person);
    expect((await setUp([given, given]).send('listStaffMembers')).body).toEqual([person, person]);
    const envelope = { '@odata.count': 1, value: [given] };
    expect((await setUp(envelope).send('listStaffMembers')).body).toEqual({ '@odata.count': 1, value: [person] });
  });

  test('has unknown members, but no write-only ones, for a key that keeps them', async () => {
    const given = { ...person, SocialSecurityNumber: '1', TimeClockKioskPIN: '1234' };
    const kept = { ...person, SocialSecurityNumber: '1' };
    const call = { keepsUnknownMembers: true };
    expect((await setUp(given).send('getStaffMember', call)).body).toEqual(kept);
    expect((await setUp([given]).send('listStaffMembers', call)).body).toEqual([kept]);
  });

  test('has links to the proxy, and only members of the contract beside the list', async () => {
    const context = 'https://api.vendor.test/v2/$metadata#StaffMembers(StaffKey)';
    const next = 'https://api.vendor.test/v2/StaffMember?CompanyKey=C%201&$top=2&$skiptoken=a%26b';
    const envelope = { '@odata.context': context, '@odata.nextLink': next, Secret: [{ a: 1 }], value: [person] };
    const { body } = await setUp(envelope).send('listStaffMembers');
    const nextLink = 'staffmember?$top=2&$skiptoken=a%26b';
    const ownContext = '$metadata#StaffMembers(StaffKey)';
    expect(body).toEqual({ '@odata.context': ownContext, '@odata.nextLink': nextLink, value: [person] });
    const relative = await setUp({ value: [], '@nextLink': '?$skiptoken=x' }).send('listStaffMembers');
    expect(relative.body['@odata.nextLink']).toBe('staffmember?$skiptoken=x');
    for (const elsewhere of [
      'https://api.vendor.test/v2/task?$skip=1',
      'https://api.vendor.test/v2/staffmember',
      'http://[',
    ]) {
      const given = { value: [], '@odata.nextLink': elsewhere };
      await expect(setUp(given).send('listStaffMembers')).rejects.toMatchObject({ code: 'upstream_failed' });
    }
  });

  test('turns a lone object into a list, without unknown members', async () => {
    const given = { ...person, SocialSecurityNumber: '1' };
    const { body, contentType } = await setUp(given).send('listStaffMembers');
    expect([body, contentType]).toEqual([[person], 'application/json']);
    const stray = setUp({ Message: 'secret' }).send('listStaffMembers');
    await expect(stray).rejects.toMatchObject({ status: 502, code: 'upstream_failed' });
  });

  test('has the status of a creation or an update', async () => {
    const call = { path: {}, body: { StaffId: "S'1", UpdateIfExisting: true } };
    const given = { ...person, StaffId: "S'1" };
    const known = setUp([given], given);
    const updated = await known.send('createStaffMember', call);
    expect([updated.status, updated.headers]).toEqual([200, undefined]);
    const $filter = encodeURIComponent("StaffId eq 'S''1'");
    expect(known.asked()[0]).toEqual(['GET', `/v2/staffmember?companyKey=C%201&$filter=${$filter}`]);
    const created = await setUp([], given).send('createStaffMember', call);
    expect([created.status, created.headers?.Location]).toEqual([201, `/own/staffmember/${key}`]);
    const rejected = setUp({ status: 503 });
    await expect(rejected.send('createStaffMember', call)).rejects.toMatchObject({ status: 502 });
    expect(rejected.asked()).toHaveLength(1);
  });

  test('has no versions, as the vendor lacks them', async () => {
    for (const id of ['getStaffMember', 'updateStaffMember'] as const) {
      expect((await setUp(person).send(id)).headers?.ETag).toBeUndefined();
    }
    expect((await setUp([]).send('listStaffMembers')).headers).not.toHaveProperty('ETag');
  });

  test('is not tracked, as the vendor has no delta links', async () => {
    const { send, sent } = setUp([], []);
    await send('listStaffMembers', { headers: { Prefer: 'odata.track-changes, maxpagesize=5' } });
    await send('listStaffMembers', { headers: { Prefer: 'track-changes' } });
    expect(sent.map(({ headers }) => (headers as Record<string, string>).Prefer?.trim())).toEqual([
      'maxpagesize=5',
      undefined,
    ]);
  });

  test('keeps badges whose numbers the vendor sends beside them', async () => {
    const BadgeIds = [{ BadgeId: '7', BadgeGroup: null }];
    const given = { ...person, BadgeIds: ['7'] };
    expect((await setUp(given).send('getStaffMember')).body.BadgeIds).toEqual(BadgeIds);
    const Badges = [{ BadgeId: '7', BadgeGroup: 'Main' }];
    expect((await setUp({ ...given, Badges }).send('getStaffMember')).body.BadgeIds).toEqual(Badges);
  });

  test('has the contract’s status, and the Location of a new person', async () => {
    const made = await setUp(person).send('createStaffMember', { path: {}, body: { StaffId: 'S-1' } });
    expect([made.status, made.headers?.Location]).toEqual([201, `/own/staffmember/${key}`]);
    const path = { staff_key: key, pay_modifier_key: 'M' };
    expect(await setUp('gone').send('deletePayModifier', { path })).toMatchObject({ status: 200, body: {} });
  });

  test('is read separately where the vendor’s response to a change lacks it', async () => {
    const Tags = [{ CategoryKey: 1, CategoryName: 'Team', Tags: [] }];
    const { send, asked } = setUp({ ...person, Tags: null }, { ...person, Tags });
    const { status, body } = await send('addStaffTag', { body: { category: 'Team', name: 'Blue' } });
    expect([status, body]).toEqual([201, Tags[0]]);
    expect(asked()[1]).toEqual(['GET', `${at}?CompanyKey=C%201&includes=Tags`]);
  });

  test('becomes a 502 when it cannot be read, and the change is not repeated', async () => {
    const { send, asked } = setUp('done', { status: 401 });
    await expect(send('updateStaffMember', { body: {} })).rejects.toMatchObject({ status: 502 });
    expect(asked()).toHaveLength(2);
  });

  test('comes from another request of the vendor when nothing exists to change', async () => {
    const { send, asked } = setUp({ status: 404 }, { TaskKey: 'T', IsSkilledMon: true });
    const { body } = await send('setStaffSkillset', {
      path: { staff_key: key, task_key: 'T' },
      body: { IsSkilledMon: true },
    });
    expect(body).toEqual({ TaskKey: 'T', IsSkilledMon: true });
    expect(asked()[1]).toEqual(['POST', `${at}/skillset`, { IsSkilledMon: true, taskId: 'T', companyKey: 'C 1' }]);
  });
});

describe('a person is found only by the key', () => {
  test.each(['S-1', 'moe@example.org'])(
    'looks %s up first, and returns 404 unless it is the key',
    async (staff_key) => {
      const { send, asked } = setUp(person);
      await expect(send('updateStaffMember', { path: { staff_key }, body: {} })).rejects.toMatchObject({ status: 404 });
      expect(asked()).toEqual([['GET', `/v2/staffmember/${encodeURIComponent(staff_key)}?CompanyKey=C%201`]]);
    },
  );

  test('looks the person up in the caller’s company where the request cannot name it', async () => {
    const call = { path: { ...path, profile_key: 'P' }, body: { IsViewable: true } };
    const { send, asked } = setUp(person, { ...person, Profiles: [{ ProfileKey: 'P' }] });
    expect((await send('setStaffProfile', call)).body).toEqual({ ProfileKey: 'P' });
    expect(asked()).toEqual([
      ['GET', `${at}?CompanyKey=C%201`],
      ['PUT', `${at}/profile/P`, { IsViewable: true }],
    ]);
    const elsewhere = setUp({ status: 404 });
    await expect(elsewhere.send('setStaffProfile', call)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    expect(elsewhere.asked()).toHaveLength(1);
  });

  test('accepts a key in another form than the vendor’s', async () => {
    const odd = { ...person, StaffKey: 'O’Neil' };
    const { send } = setUp(odd, odd);
    expect((await send('getStaffMember', { path: { staff_key: 'O’Neil' } })).body).toEqual(odd);
  });

  test('returns 404 for a response with another key', async () => {
    const { send } = setUp({ ...person, StaffKey: 'c0ffee00-1234-4abc-9def-0123456789ab' });
    await expect(send('getStaffMember')).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test.each([
    [null, 404],
    [[], 502],
    ['nobody', 502],
  ])('answers a response that is not a person, %j, with %i', async (given, status) => {
    await expect(setUp(given).send('getStaffMember')).rejects.toMatchObject({ status });
  });

  test('turns the key of a manager into the StaffId that the vendor takes', async () => {
    const { send, asked } = setUp({ StaffKey: 'M', StaffId: 'S-9' }, person);
    await send('setStaffManager', { body: { ManagerKey: 'M' } });
    expect(asked()[1]?.[1]).toBe(`${at}/manager/?companyKey=C%201&managerId=S-9`);
    const unknown = setUp({ status: 404 });
    await expect(unknown.send('setStaffManager', { body: { ManagerKey: 'M' } })).rejects.toMatchObject({
      status: 400,
      errors: [{ pointer: '/ManagerKey' }],
    });
  });
});

describe('the vendor’s form with an upstream of the contract', () => {
  const rejection = (place: object) => ({
    status: 400,
    code: 'validation_failed',
    detail: 'Unknown.',
    errors: [{ detail: 'Leave it out.', ...place }],
  });

  test.each<[keyof typeof operations, object, Partial<StaffCall>]>([
    ['getStaffMember', { parameter: 'CompanyKey' }, {}],
    ['listPayModifiers', { parameter: 'companyKey' }, {}],
    ['addStaffTag', { pointer: '/companyKey' }, { body: { category: 'Team', tag: 'Gold' } }],
  ])('answers %s with a 502 that names the setting', async (id, place, call) => {
    const { send } = setUp(rejection(place));
    await expect(send(id, call)).rejects.toMatchObject({
      status: 502,
      code: 'upstream_failed',
      detail: expect.stringContaining('upstream_form'),
    });
  });

  test('relays a fault of the caller as 400', async () => {
    const { send } = setUp(rejection({ parameter: '$filter' }));
    await expect(send('getStaffMember')).rejects.toMatchObject({ status: 400, code: 'validation_failed' });
  });
});
