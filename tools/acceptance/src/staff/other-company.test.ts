import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestResponse } from '../call.ts';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, createPerson, list, otherCompanyKey, pathOf } from './callers.ts';
import { findKnownPerson, type KnownPerson, readAll } from './known-keys.ts';
import { createRequests, requests } from './requests.ts';

describe.each(staffServers)('%s', (server) => {
  // Other people for each server, so that neither sees the writes of the other.
  const number = server === 'scheduling' ? 0 : 1;
  let theirs: KnownPerson;
  let ours: KnownPerson;
  beforeAll(async () => {
    theirs = await findKnownPerson(server, 'otherCompany', number);
    ours = await findKnownPerson(server, 'admin', 160 + number);
  });
  const send = (path: string, method: string, json?: unknown) => callAs(server, 'admin', path, { method, json });

  /** Returns the observable part of a response, without the parts that always change and the sent keys. */
  function observable({ status, headers, text }: TestResponse, ...sent: readonly (string | number)[]): string {
    const fields = [...headers].filter(([name]) => !/^(date|x-request-id|content-length|ratelimit)/.test(name));
    const body = text.replace(/"request_id":"[^"]*"/, '');
    return sent.reduce<string>(
      (all, key) => all.replaceAll(encodeURIComponent(key), '…').replaceAll(String(key), '…'),
      JSON.stringify({ status, fields, body }),
    );
  }

  test.each(requests)(
    'rule no other company: the response of $operationId to its keys equals that to unknown keys',
    async ({ operationId }) => {
      const before = await readAll(server, 'otherCompany', theirs.person);
      const ask = async (keys: KnownPerson['keys']) => {
        const request = createRequests(keys).find((each) => each.operationId === operationId);
        const { method = '', path = '', json } = request ?? {};
        const query = operationId === 'listStaffMembers' ? `?companyKey=${keys.company}` : '';
        const body = operationId === 'createStaffMember' ? { StaffId: `new-${randomUUID()}` } : json;
        return observable(await send(path + query, method, body), ...Object.values(keys));
      };
      const company = { company: otherCompanyKey };
      const invented = Object.fromEntries(
        Object.keys({ ...theirs.keys, ...company }).map((name) => [name, `no-${name}`]),
      );
      if (operationId !== 'createStaffMember') {
        expect(await ask({ ...theirs.keys, ...company })).toBe(await ask(invented as KnownPerson['keys']));
      }
      // Keys of their data on a person of ours.
      if (
        Object.keys(theirs.keys).some(
          (name) => requestPath(operationId).includes(`no-such-key`) && name !== 'staff_key',
        )
      ) {
        const { staff_key } = ours.keys;
        expect(await ask({ ...theirs.keys, staff_key })).toBe(await ask({ ...invented, staff_key }));
      }
      expect(await readAll(server, 'otherCompany', theirs.person)).toEqual(before);
    },
  );

  function requestPath(operationId: string): string {
    return requests.find((each) => each.operationId === operationId)?.path ?? '';
  }

  test('rule no other company: its tags cannot be given to our people', async () => {
    const unknown = 999_999_999;
    const { TagKey } = theirs.tag;
    const path = pathOf(ours.person, '/tag');
    expect(observable(await send(path, 'POST', { TagKey }), TagKey)).toBe(
      observable(await send(path, 'POST', { TagKey: unknown }), unknown),
    );
    const location = pathOf(ours.person, `/location/${encodeURIComponent(ours.keys.location_key ?? '')}/tag`);
    expect(observable(await send(location, 'PUT', { TagKey }), TagKey)).toBe(
      observable(await send(location, 'PUT', { TagKey: unknown }), unknown),
    );
    const modifier = (key: number) => ({ PayModifierTags: [{ CategoryKey: key, TagKey: key }] });
    const modifiers = pathOf(ours.person, '/payModifier');
    expect(observable(await send(modifiers, 'POST', modifier(TagKey)), TagKey)).toBe(
      observable(await send(modifiers, 'POST', modifier(unknown)), unknown),
    );
  });

  test('rule no other company: its people cannot become managers here', async () => {
    const StaffId = `theirs-${randomUUID()}`;
    const made = await callAs(server, 'otherCompany', '/v2/staffmember', { method: 'POST', json: { StaffId } });
    expect(made.status).toBe(201);
    const person = await createPerson(server);
    const manager = pathOf(person, '/manager');
    for (const [name, key] of [
      ['ManagerId', StaffId],
      ['ManagerKey', made.body.StaffKey],
    ] as const) {
      const rejected = await send(manager, 'POST', { [name]: key });
      expect(rejected.status, name).toBe(400);
      expect(observable(rejected, key), name).toBe(
        observable(await send(manager, 'POST', { [name]: 'no-such-manager' }), 'no-such-manager'),
      );
    }
    const update = await send(pathOf(person), 'PUT', { ManagerId: StaffId });
    expect(observable(update, StaffId)).toBe(
      observable(await send(pathOf(person), 'PUT', { ManagerId: 'no-such-manager' }), 'no-such-manager'),
    );
    expect((await callAs(server, 'admin', pathOf(person))).body).toEqual(person);
  });

  test('rule no other company: a StaffId used there is free here', async () => {
    const StaffId = `both-${randomUUID()}`;
    const there = await callAs(server, 'otherCompany', '/v2/staffmember', { method: 'POST', json: { StaffId } });
    const before = await readAll(server, 'otherCompany', there.body);
    for (const json of [{ StaffId }, { StaffId, UpdateIfExisting: true, City: 'Oslo' }]) {
      const here = await send('/v2/staffmember', 'POST', json);
      expect(here.status).toBe('UpdateIfExisting' in json ? 200 : 201);
      expect(here.body.StaffKey).not.toBe(there.body.StaffKey);
    }
    expect(await readAll(server, 'otherCompany', there.body)).toEqual(before);
  });

  test('rule no other company: it does not affect our counts, lists, orders and pages', async () => {
    const ask = (options: Record<string, string>) => list(server, 'admin', { $select: 'CompKey', ...options });
    const [one] = (await list(server, 'otherCompany', { $top: '1' })).body;
    const quoted = `'${one.StaffKey.replaceAll("'", "''")}'`;
    for (const $filter of [`StaffKey eq ${quoted}`, `StaffKey in (${quoted})`, `CompKey eq '${otherCompanyKey}'`]) {
      const { body } = await ask({ $filter, $count: 'true' });
      expect([body['@odata.count'], body.value], $filter).toEqual([0, []]);
    }
    const everybody = await ask({ $count: 'true', $orderby: 'CompKey desc' });
    expect(everybody.body.value).toHaveLength(everybody.body['@odata.count']);
    expect(new Set(everybody.body.value.map(({ CompKey }: { CompKey: string }) => CompKey)).size).toBe(1);
  });

  test('rule no other company: a next link of our list is useless to other companies', async () => {
    const headers = { Accept: 'application/json;odata.metadata=minimal', Prefer: 'maxpagesize=5' };
    const path = `/v2/staffmember?companyKey=${companyKey}&$orderby=LastName`;
    const first = await callAs(server, 'admin', path, { headers });
    const link = `/v2/${first.body['@odata.nextLink']}`;
    const rejected = await callAs(server, 'otherCompany', link, { headers });
    expect([rejected.status, rejected.body.code]).toEqual([403, 'company_forbidden']);
    const own = await callAs(server, 'otherCompany', link.replace(companyKey, otherCompanyKey), { headers });
    if (own.status === 200) {
      const companies = own.body.value.map(({ CompKey }: { CompKey: string }) => CompKey);
      expect(new Set(companies)).toEqual(new Set([otherCompanyKey]));
    } else expect(own.status).toBe(400);
  });
});
