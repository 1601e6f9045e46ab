import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../call.ts';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, createPerson, list, otherCompanyKey, pathOf } from './callers.ts';
import { findKnownPerson, type KnownPerson, readAll } from './known-keys.ts';
import { createRequests, requests } from './requests.ts';

describe.each(staffServers)('%s', (server) => {
  // People of their own for each server, so that neither sees what the other writes.
  const number = server === 'scheduling' ? 0 : 1;
  let theirs: KnownPerson;
  let ours: KnownPerson;
  beforeAll(async () => {
    theirs = await findKnownPerson(server, 'otherCompany', number);
    ours = await findKnownPerson(server, 'admin', 160 + number);
  });
  const send = (path: string, method: string, json?: unknown) => callAs(server, 'admin', path, { method, json });

  /** All that an answer tells, but for what is in every answer another one, and the key that was sent. */
  function told({ status, headers, text }: Answer, ...sent: readonly (string | number)[]): string {
    const kept = [...headers].filter(([name]) => !/^(date|x-request-id|content-length|ratelimit)/.test(name));
    const body = text.replace(/"request_id":"[^"]*"/, '');
    return sent.reduce<string>(
      (all, key) => all.replaceAll(encodeURIComponent(key), '…').replaceAll(String(key), '…'),
      JSON.stringify({ status, kept, body }),
    );
  }

  test.each(requests)(
    'rule no other company: $operationId tells of its keys just what it tells of keys that nobody has',
    async ({ operationId }) => {
      const before = await readAll(server, 'otherCompany', theirs.person);
      const ask = async (keys: KnownPerson['keys']) => {
        const request = createRequests(keys).find((each) => each.operationId === operationId);
        const { method = '', path = '', json } = request ?? {};
        const query = operationId === 'listStaffMembers' ? `?companyKey=${keys.company}` : '';
        const body = operationId === 'createStaffMember' ? { StaffId: `new-${randomUUID()}` } : json;
        return told(await send(path + query, method, body), ...Object.values(keys));
      };
      const company = { company: otherCompanyKey };
      const invented = Object.fromEntries(
        Object.keys({ ...theirs.keys, ...company }).map((name) => [name, `no-${name}`]),
      );
      if (operationId !== 'createStaffMember') {
        expect(await ask({ ...theirs.keys, ...company })).toBe(await ask(invented as KnownPerson['keys']));
      }
      // Keys of their things with a person of ours.
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

  test('rule no other company: its tags are none that a person of ours could get', async () => {
    const unknown = 999_999_999;
    const { TagKey } = theirs.tag;
    const path = pathOf(ours.person, '/tag');
    expect(told(await send(path, 'POST', { TagKey }), TagKey)).toBe(
      told(await send(path, 'POST', { TagKey: unknown }), unknown),
    );
    const location = pathOf(ours.person, `/location/${encodeURIComponent(ours.keys.location_key ?? '')}/tag`);
    expect(told(await send(location, 'PUT', { TagKey }), TagKey)).toBe(
      told(await send(location, 'PUT', { TagKey: unknown }), unknown),
    );
    const modifier = (key: number) => ({ PayModifierTags: [{ CategoryKey: key, TagKey: key }] });
    const modifiers = pathOf(ours.person, '/payModifier');
    expect(told(await send(modifiers, 'POST', modifier(TagKey)), TagKey)).toBe(
      told(await send(modifiers, 'POST', modifier(unknown)), unknown),
    );
  });

  test('rule no other company: nobody there can become a manager here', async () => {
    const StaffId = `theirs-${randomUUID()}`;
    const made = await callAs(server, 'otherCompany', '/v2/staffmember', { method: 'POST', json: { StaffId } });
    expect(made.status).toBe(201);
    const person = await createPerson(server);
    const manager = pathOf(person, '/manager');
    for (const [name, key] of [
      ['ManagerId', StaffId],
      ['ManagerKey', made.body.StaffKey],
    ] as const) {
      const refused = await send(manager, 'POST', { [name]: key });
      expect(refused.status, name).toBe(400);
      expect(told(refused, key), name).toBe(
        told(await send(manager, 'POST', { [name]: 'no-such-manager' }), 'no-such-manager'),
      );
    }
    const update = await send(pathOf(person), 'PUT', { ManagerId: StaffId });
    expect(told(update, StaffId)).toBe(
      told(await send(pathOf(person), 'PUT', { ManagerId: 'no-such-manager' }), 'no-such-manager'),
    );
    expect((await callAs(server, 'admin', pathOf(person))).body).toEqual(person);
  });

  test('rule no other company: a StaffId that is taken there is free here', async () => {
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

  test('rule no other company: its numbers are not in our counts, lists, orders and pages', async () => {
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

  test('rule no other company: a link to the next part of our list opens nothing to others', async () => {
    const headers = { Accept: 'application/json;odata.metadata=minimal', Prefer: 'maxpagesize=5' };
    const path = `/v2/staffmember?companyKey=${companyKey}&$orderby=LastName`;
    const first = await callAs(server, 'admin', path, { headers });
    const link = `/v2/${first.body['@odata.nextLink']}`;
    const refused = await callAs(server, 'otherCompany', link, { headers });
    expect([refused.status, refused.body.code]).toEqual([403, 'company_forbidden']);
    const own = await callAs(server, 'otherCompany', link.replace(companyKey, otherCompanyKey), { headers });
    if (own.status === 200) {
      const companies = own.body.value.map(({ CompKey }: { CompKey: string }) => CompKey);
      expect(new Set(companies)).toEqual(new Set([otherCompanyKey]));
    } else expect(own.status).toBe(400);
  });
});
