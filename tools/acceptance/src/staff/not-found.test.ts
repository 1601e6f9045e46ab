import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, createPerson, list, pathOf } from './callers.ts';
import { createRequests, requestsThatAnswer, requestsThatTake } from './requests.ts';

describe.each(staffServers)('%s', (server) => {
  test.each(requestsThatAnswer(404))('$operationId 404: rejects an unknown person', async ({ method, path, json }) => {
    const { status, body } = await callAs(server, 'admin', path, { method, json });
    expect([status, body.code, body.kind]).toEqual([404, 'not_found', 'NotFoundError']);
  });

  test.each(requestsThatAnswer(404))(
    '$operationId 404: the response for a person of another company is the same',
    async ({ operationId }) => {
      const [theirs] = (await list(server, 'otherCompany', { $top: '1' })).body;
      const responseFor = async (staffKey: string) => {
        const request = createRequests(staffKey).find((each) => each.operationId === operationId);
        const { method = '', path = '', json } = request ?? {};
        const { status, body } = await callAs(server, 'admin', path, { method, json });
        const { request_id: _, instance: __, ...rest } = body;
        return JSON.stringify({ status, ...rest }).replaceAll(staffKey, 'the key that was sent');
      };
      expect(await responseFor(theirs.StaffKey)).toBe(await responseFor('no-such-person'));
    },
  );

  const anyStrings = [' ', 'a/b', "o'neil", '123', 'x'.repeat(2_000), '🦉', '__proto__'];

  test.each(requestsThatTake('staff_key'))(
    '$operationId staff_key: any string is looked up, and an unknown one is 404',
    async ({ operationId }) => {
      for (const staffKey of anyStrings) {
        const request = createRequests(staffKey).find((each) => each.operationId === operationId);
        const { method = '', path = '', json } = request ?? {};
        const { status, body } = await callAs(server, 'admin', path, { method, json });
        expect([status, body.code], staffKey).toEqual([404, 'not_found']);
      }
    },
  );

  /** Requests unknown parts of an existing person. */
  const lookUp = async (operationId: string, name: string) => {
    const { StaffKey } = await createPerson(server);
    for (const key of anyStrings) {
      const requests = createRequests({ staff_key: StaffKey, [name]: key });
      const { method = '', path = '', json } = requests.find((each) => each.operationId === operationId) ?? {};
      const { status, body } = await callAs(server, 'admin', path, { method, json });
      expect([status, body.code], key).toEqual([404, 'not_found']);
    }
  };

  test.each(requestsThatTake('location_key'))(
    '$operationId location_key: any string is looked up, and an unknown one is 404',
    ({ operationId }) => lookUp(operationId, 'location_key'),
  );

  test.each(requestsThatTake('task_key'))(
    '$operationId task_key: any string is looked up, and an unknown one is 404',
    ({ operationId }) => lookUp(operationId, 'task_key'),
  );

  test.each(requestsThatTake('profile_key'))(
    '$operationId profile_key: any string is looked up, and an unknown one is 404',
    ({ operationId }) => lookUp(operationId, 'profile_key'),
  );

  test.each(requestsThatTake('pay_modifier_key'))(
    '$operationId pay_modifier_key: any string is looked up, and an unknown one is 404',
    ({ operationId }) => lookUp(operationId, 'pay_modifier_key'),
  );

  test('rule method not offered: GET of tags and of the skillset is 405, and Allow lists what exists', async () => {
    const person = await createPerson(server);
    const [tag, skillset] = [
      await callAs(server, 'admin', pathOf(person, '/tag')),
      await callAs(server, 'admin', pathOf(person, '/skillset')),
    ];
    expect([tag.status, tag.headers.get('Allow')]).toEqual([405, 'OPTIONS, POST']);
    expect([skillset.status, skillset.headers.get('Allow')]).toEqual([405, 'OPTIONS']);
  });

  test('rule method not offered: every path lists its methods in Allow', async () => {
    const offered = Map.groupBy(createRequests({ staff_key: 'x' }), ({ path }) => path);
    for (const [path, requests] of offered) {
      const methods = requests.map(({ method }) => method);
      const allowed = [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])].sort();
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !methods.includes(each))) {
        const { status, headers, body } = await callAs(server, 'admin', path, { method });
        expect([status, body.code], `${method} ${path}`).toEqual([405, 'method_not_allowed']);
        expect(headers.get('Allow')?.split(', ').sort(), path).toEqual(allowed);
      }
    }
  });
});
