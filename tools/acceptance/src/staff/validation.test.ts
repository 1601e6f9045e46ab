import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, createPerson, pathOf } from './callers.ts';
import { requestsThatAnswer } from './requests.ts';

describe.each(staffServers)('%s', (server) => {
  test.each(requestsThatAnswer(400))(
    '$operationId 400: rejects an undeclared query parameter and names it',
    async ({ method, path, json }) => {
      const { status, body } = await callAs(server, 'admin', `${path}?surprise=1`, { method, json });
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect(body.errors).toContainEqual(expect.objectContaining({ parameter: 'surprise' }));
    },
  );

  test.each(requestsThatAnswer(415))(
    '$operationId 415: rejects a body of another media type',
    async ({ method, path }) => {
      const headers = { 'Content-Type': 'text/plain' };
      const { status, body } = await callAs(server, 'admin', path, { method, headers, body: '{}' });
      expect([status, body.code]).toEqual([415, 'media_type_unsupported']);
    },
  );

  test.each(requestsThatAnswer(415))('$operationId with broken JSON is 400', async ({ method, path }) => {
    const headers = { 'Content-Type': 'application/json' };
    for (const text of ['{"a":', '', '[1,]', '[]', 'null', '"text"']) {
      const { status, body } = await callAs(server, 'admin', path, { method, headers, body: text });
      expect([status, body.kind], text).toEqual([400, 'ValidationError']);
    }
  });

  test.each(requestsThatAnswer(415))(
    '$operationId with an undeclared member is 400 and names it',
    async ({ method, path, json }) => {
      const { status, body } = await callAs(server, 'admin', path, {
        method,
        json: { ...(json as object), surprise: 1 },
      });
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect(body.errors).toContainEqual(expect.objectContaining({ pointer: '/surprise' }));
    },
  );

  test.each(requestsThatAnswer(413))(
    '$operationId 413: rejects a body above 10 MiB',
    async ({ method, path, json }) => {
      const body = JSON.stringify({ ...(json as object), surprise: 'x'.repeat(10 * 1024 * 1024) });
      const headers = { 'Content-Type': 'application/json' };
      const response = await callAs(server, 'admin', path, { method, headers, body });
      expect([response.status, response.body.code]).toEqual([413, 'body_too_large']);
    },
  );

  test('rule every fault: all faults of a body are reported at once', async () => {
    const json = { FirstName: 7, IsActive: 'yes', StartDate: 'tomorrow', StaffInternalId: 'x'.repeat(51) };
    const { status, body } = await callAs(server, 'admin', '/v2/staffmember', { method: 'POST', json });
    expect(status).toBe(400);
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(new Set(pointers)).toEqual(
      new Set(['/StaffId', '/FirstName', '/IsActive', '/StartDate', '/StaffInternalId']),
    );
  });

  test.each([
    ['/tag', 'POST', { category: 'Team', name: 'No such tag' }],
    ['/tag', 'POST', { TagKey: 987_654_321 }],
    ['/tag', 'POST', { category: 'Team', name: 'Blue', TagKey: 1 }],
    ['/tag', 'POST', {}],
    ['/manager', 'POST', { ManagerId: 'S-1001', IsClearManagerId: true }],
    ['/manager', 'POST', {}],
    ['/manager', 'POST', { IsClearManagerId: false }],
    ['', 'PUT', {}],
  ])('a meaningless body of …%s is 400: %s %j', async (rest, method, json) => {
    const person = await createPerson(server);
    const { status, body } = await callAs(server, 'admin', pathOf(person, rest), { method, json });
    expect([status, body.kind]).toEqual([400, 'ValidationError']);
    expect((await callAs(server, 'admin', pathOf(person))).body).toEqual(person);
  });
});
