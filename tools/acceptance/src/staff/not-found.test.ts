import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, createPerson, pathOf } from './callers.ts';
import { readOtherCompany } from './other-company.ts';
import { createRequests, requests } from './requests.ts';

const ofPerson = requests.filter(({ path }) => path.includes('no-such-person'));

describe.each(staffServers)('%s', (server) => {
  test.each(ofPerson)('$operationId of an unknown person is 404', async ({ method, path, json }) => {
    const { status, body } = await callAs(server, 'admin', path, { method, json });
    expect([status, body.code, body.kind]).toEqual([404, 'not_found', 'NotFoundError']);
  });

  test.each(ofPerson)('$operationId of a person of another company is the same 404', async ({ operationId }) => {
    const other = await readOtherCompany(companyKey);
    const told = async (staffKey: string) => {
      const request = createRequests(staffKey).find((each) => each.operationId === operationId);
      const { method = '', path = '', json } = request ?? {};
      const { status, body } = await callAs(server, 'admin', path, { method, json });
      const { request_id: _, instance: __, ...rest } = body;
      return JSON.stringify({ status, ...rest }).replaceAll(staffKey, 'the key that was sent');
    };
    expect(await told(other.staffKey)).toBe(await told('no-such-person'));
  });

  test.each([
    ['DELETE', '/skillset/no-such-task'],
    ['PUT', '/skillset/no-such-task', { IsSkilledMon: true }],
    ['PUT', '/profile/no-such-profile', { IsViewable: true }],
    ['PUT', '/location/no-such-location/tag', { categoryName: 'Team', tagName: 'Blue' }],
    ['PUT', '/payModifier/no-such-modifier', { EndDate: '2026-12-31T00:00:00' }],
    ['DELETE', '/payModifier/no-such-modifier'],
  ])('%s %s of a person who exists is 404', async (method, rest, json?: unknown) => {
    const person = await createPerson(server);
    const { status, body } = await callAs(server, 'admin', pathOf(person, rest), { method, json });
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  test.each(['%20', 'a%2Fb', "o'neil", '123', 'x'.repeat(2_000), '%F0%9F%A6%89', '__proto__'])(
    'an identifier of any form is looked up, never refused: %s',
    async (key) => {
      expect((await callAs(server, 'admin', `/v2/staffmember/${key}`)).status).toBe(404);
    },
  );

  test('GET …/tag and …/skillset are 405 and Allow lists what exists', async () => {
    const person = await createPerson(server);
    const [tag, skillset] = [
      await callAs(server, 'admin', pathOf(person, '/tag')),
      await callAs(server, 'admin', pathOf(person, '/skillset')),
    ];
    expect([tag.status, tag.headers.get('Allow')]).toEqual([405, 'OPTIONS, POST']);
    expect([skillset.status, skillset.headers.get('Allow')]).toEqual([405, 'OPTIONS']);
  });
});
