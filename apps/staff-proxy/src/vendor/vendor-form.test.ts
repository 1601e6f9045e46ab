import { Readable } from 'node:stream';
import type { UpstreamRequest, UpstreamResponse } from '@rostergate/runtime/upstream';
import { operations } from '@rostergate/staff-server';
import { proxyDocument } from '@rostergate/staff-spec';
import { describe, expect, test } from 'vitest';
import type { StaffCall } from '../staff-call.ts';
import { createStaffUpstream } from '../upstream/staff-upstream.ts';
import { createVendorForm } from './vendor-form.ts';

const key = '6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a';
const person = { StaffKey: key, StaffId: 'S-1', LastName: 'Moe' };

type Told = unknown | { readonly status: number };

function answer(told: Told): UpstreamResponse {
  const { status = 200 } = (told ?? {}) as { status?: number };
  const text = JSON.stringify(told);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    etag: '"1"',
  };
  return { status, headers, body: Readable.from([Buffer.from(text)], { objectMode: false }) };
}

/** Sends a call to a vendor that answers these in turn, and tells what it was asked. */
function setUp(...told: Told[]) {
  const sent: UpstreamRequest[] = [];
  const upstream = createStaffUpstream({
    request: async (request) => {
      sent.push(request);
      return answer(told.shift());
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
    if (reply === 'token_refused') throw new Error(reply);
    return { ...reply, body: JSON.parse(Buffer.from(reply.raw as string | Buffer).toString()) };
  };
  const asked = () =>
    sent.map(({ method, path, body }) => [method, path, ...(body === undefined ? [] : [JSON.parse(String(body))])]);
  return { send, asked };
}

const path = { staff_key: key };
const at = `/v2/staffmember/${key}`;

describe('an operation goes out in the vendor’s form', () => {
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
  ])('%s', async (id, call, told, request) => {
    const { send, asked } = setUp(told);
    await send(id, call);
    expect(asked()).toEqual([request]);
  });

  test.each(['listBadgeIds', 'listStaffProfiles'] as const)('but for %s, which the vendor lacks: 501', async (id) => {
    const { send, asked } = setUp();
    await expect(send(id)).rejects.toMatchObject({ status: 501, code: 'not_implemented' });
    expect(asked()).toEqual([]);
  });

  test.each<[string, keyof typeof operations, Partial<StaffCall>]>([
    ['a version', 'updateStaffMember', { headers: { 'If-Match': '"1"' }, body: {} }],
    ['a tag by its key', 'addStaffTag', { body: { TagKey: 1 } }],
    ['a location’s tag by its key', 'addStaffLocationTag', { body: { TagKey: 1 } }],
  ])('and %s, which the vendor does not know, is 501 before anything is sent', async (_case, id, call) => {
    const { send, asked } = setUp();
    await expect(send(id, call)).rejects.toMatchObject({ status: 501, code: 'not_implemented' });
    expect(asked()).toEqual([]);
  });
});

describe('an answer comes back in the contract’s form', () => {
  test('without what the contract does not have, or never gives out', async () => {
    const told = { ...person, SocialSecurityNumber: '1', TimeClockKioskPIN: '1234', Badges: [] };
    expect((await setUp(told).send('getStaffMember')).body).toEqual(person);
    expect((await setUp([told, told]).send('listStaffMembers')).body).toEqual([person, person]);
    const envelope = { '@odata.count': 1, value: [told] };
    expect((await setUp(envelope).send('listStaffMembers')).body).toEqual({ '@odata.count': 1, value: [person] });
  });

  test('with links that lead here, and nothing else beside the list', async () => {
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
      const told = { value: [], '@odata.nextLink': elsewhere };
      await expect(setUp(told).send('listStaffMembers')).rejects.toMatchObject({ code: 'upstream_failed' });
    }
  });

  test('a lone object in place of a list as a list, without what the contract does not have', async () => {
    const told = { ...person, SocialSecurityNumber: '1' };
    const { body, contentType } = await setUp(told).send('listStaffMembers');
    expect([body, contentType]).toEqual([[person], 'application/json']);
    const stray = setUp({ Message: 'secret' }).send('listStaffMembers');
    await expect(stray).rejects.toMatchObject({ status: 502, code: 'upstream_failed' });
  });

  test('with the status of what the vendor did with a person who may exist', async () => {
    const call = { path: {}, body: { StaffId: "S'1", UpdateIfExisting: true } };
    const told = { ...person, StaffId: "S'1" };
    const known = setUp([told], told);
    const updated = await known.send('createStaffMember', call);
    expect([updated.status, updated.headers]).toEqual([200, undefined]);
    const $filter = encodeURIComponent("StaffId eq 'S''1'");
    expect(known.asked()[0]).toEqual(['GET', `/v2/staffmember?companyKey=C%201&$filter=${$filter}`]);
    const created = await setUp([], told).send('createStaffMember', call);
    expect([created.status, created.headers?.Location]).toEqual([201, `/own/staffmember/${key}`]);
    const refused = setUp({ status: 503 });
    await expect(refused.send('createStaffMember', call)).rejects.toMatchObject({ status: 502 });
    expect(refused.asked()).toHaveLength(1);
  });

  test('without versions, which the vendor does not keep', async () => {
    for (const id of ['getStaffMember', 'updateStaffMember'] as const) {
      expect((await setUp(person).send(id)).headers?.ETag).toBeUndefined();
    }
    expect((await setUp([]).send('listStaffMembers')).headers).not.toHaveProperty('ETag');
  });

  test('badges as they are, where the vendor gives their numbers beside them', async () => {
    const BadgeIds = [{ BadgeId: '7', BadgeGroup: null }];
    const told = { ...person, BadgeIds: ['7'] };
    expect((await setUp(told).send('getStaffMember')).body.BadgeIds).toEqual(BadgeIds);
    const Badges = [{ BadgeId: '7', BadgeGroup: 'Main' }];
    expect((await setUp({ ...told, Badges }).send('getStaffMember')).body.BadgeIds).toEqual(Badges);
  });

  test('with the contract’s status, and the place of who is new', async () => {
    const made = await setUp(person).send('createStaffMember', { path: {}, body: { StaffId: 'S-1' } });
    expect([made.status, made.headers?.Location]).toEqual([201, `/own/staffmember/${key}`]);
    const path = { staff_key: key, pay_modifier_key: 'M' };
    expect(await setUp('gone').send('deletePayModifier', { path })).toMatchObject({ status: 200, body: {} });
  });

  test('asked for where the vendor’s answer to a change does not tell', async () => {
    const Tags = [{ CategoryKey: 1, CategoryName: 'Team', Tags: [] }];
    const { send, asked } = setUp({ ...person, Tags: null }, { ...person, Tags });
    const { status, body } = await send('addStaffTag', { body: { category: 'Team', name: 'Blue' } });
    expect([status, body]).toEqual([201, Tags[0]]);
    expect(asked()[1]).toEqual(['GET', `${at}?CompanyKey=C%201&includes=Tags`]);
  });

  test('as 502 when it is never told, and the change is not made twice', async () => {
    const { send, asked } = setUp('done', { status: 401 });
    await expect(send('updateStaffMember', { body: {} })).rejects.toMatchObject({ status: 502 });
    expect(asked()).toHaveLength(2);
  });

  test('added by the vendor’s other request when there is nothing to change', async () => {
    const { send, asked } = setUp({ status: 404 }, { TaskKey: 'T', IsSkilledMon: true });
    const { body } = await send('setStaffSkillset', {
      path: { staff_key: key, task_key: 'T' },
      body: { IsSkilledMon: true },
    });
    expect(body).toEqual({ TaskKey: 'T', IsSkilledMon: true });
    expect(asked()[1]).toEqual(['POST', `${at}/skillset`, { IsSkilledMon: true, taskId: 'T', companyKey: 'C 1' }]);
  });
});

describe('nobody is met by another identifier than the key', () => {
  test.each(['S-1', 'moe@example.org'])('%s is looked up first, and is 404 unless it is the key', async (staff_key) => {
    const { send, asked } = setUp(person);
    await expect(send('updateStaffMember', { path: { staff_key }, body: {} })).rejects.toMatchObject({ status: 404 });
    expect(asked()).toEqual([['GET', `/v2/staffmember/${encodeURIComponent(staff_key)}?CompanyKey=C%201`]]);
  });

  test('whose request names no company is looked up in the caller’s first', async () => {
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

  test('a key of another form than the vendor’s is a key all the same', async () => {
    const odd = { ...person, StaffKey: 'O’Neil' };
    const { send } = setUp(odd, odd);
    expect((await send('getStaffMember', { path: { staff_key: 'O’Neil' } })).body).toEqual(odd);
  });

  test('somebody else’s key in an answer is 404', async () => {
    const { send } = setUp({ ...person, StaffKey: 'c0ffee00-1234-4abc-9def-0123456789ab' });
    await expect(send('getStaffMember')).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test.each([
    [null, 404],
    [[], 502],
    ['nobody', 502],
  ])('an answer that is no person, %j, is %i', async (told, status) => {
    await expect(setUp(told).send('getStaffMember')).rejects.toMatchObject({ status });
  });

  test('a manager by key becomes the StaffId that the vendor takes', async () => {
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

describe('in front of a server of the contract', () => {
  const refusal = (place: object) => ({
    status: 400,
    code: 'validation_failed',
    detail: 'Unknown.',
    errors: [{ detail: 'Leave it out.', ...place }],
  });

  test.each<[keyof typeof operations, object, Partial<StaffCall>]>([
    ['getStaffMember', { parameter: 'CompanyKey' }, {}],
    ['listPayModifiers', { parameter: 'companyKey' }, {}],
    ['addStaffTag', { pointer: '/companyKey' }, { body: { category: 'Team', tag: 'Gold' } }],
  ])('what %s cannot say is a 502 that names the setting, and no fault of the caller', async (id, place, call) => {
    const { send } = setUp(refusal(place));
    await expect(send(id, call)).rejects.toMatchObject({
      status: 502,
      code: 'upstream_failed',
      detail: expect.stringContaining('upstream_form'),
    });
  });

  test('what a caller has wrong stays a 400', async () => {
    const { send } = setUp(refusal({ parameter: '$filter' }));
    await expect(send('getStaffMember')).rejects.toMatchObject({ status: 400, code: 'validation_failed' });
  });
});
