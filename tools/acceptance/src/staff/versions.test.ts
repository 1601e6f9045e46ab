import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CallOptions } from '../call.ts';
import { staffServers } from '../server-names.ts';
import { callAs, createPerson, list, pathOf } from './callers.ts';
import { findKnownPerson, type KnownPerson, readAll } from './known-keys.ts';
import { differs } from './proxy-differences.ts';
import { createRequests, requestsThatAnswer, requestsThatTake, type StaffRequest } from './requests.ts';

describe.each(staffServers)('%s', (server) => {
  // Without compression, because the tag of a compressed response is weak.
  const asAdmin = (path: string, options: CallOptions = {}) =>
    callAs(server, 'admin', path, { ...options, headers: { 'Accept-Encoding': 'identity', ...options.headers } });
  const versionOf = async (person: { readonly StaffKey: string }): Promise<string> =>
    (await asAdmin(pathOf(person))).headers.get('ETag') ?? '';

  // People of the demo data that no other file changes, another one for each request.
  const numbers = new Map(requestsThatAnswer(412).map(({ operationId }, i) => [operationId, 200 + 10 * i]));
  const find = (operationId: string, more: number) =>
    findKnownPerson(server, 'admin', (numbers.get(operationId) ?? 0) + more + (server === 'scheduling' ? 0 : 5));

  /** Returns the request of an operation that would change this person. */
  const requestFor = (operationId: string, { keys, person }: KnownPerson): StaffRequest => {
    const found = createRequests(keys).find((each) => each.operationId === operationId) as StaffRequest;
    const update = { StaffId: person.StaffId, UpdateIfExisting: true, City: 'Elsewhere' };
    return operationId === 'createStaffMember' ? { ...found, json: update } : found;
  };

  test.each(requestsThatAnswer(412))(
    '$operationId 412: rejects other versions than the current one and changes nothing',
    async ({ operationId }) => {
      const known = await find(operationId, 0);
      const { method, path, json } = requestFor(operationId, known);
      const version = await versionOf(known.person);
      const before = await readAll(server, 'admin', known.person);
      const weak = differs(server, 'weak tag in If-Match') ? [] : [`W/${version}`];
      for (const stale of ['"0"', '"a", "b"', ...weak]) {
        const headers = { 'If-Match': stale };
        const { status, body } = await asAdmin(path, { method, json, headers });
        expect([status, body.code, body.kind], stale).toEqual([412, 'precondition_failed', 'PreconditionError']);
      }
      expect(await readAll(server, 'admin', known.person)).toEqual(before);
      expect(await versionOf(known.person)).toBe(version);
    },
  );

  test.each(requestsThatTake('If-Match'))(
    '$operationId If-Match: accepts the current version and returns the next one',
    async ({ operationId }) => {
      const known = await find(operationId, 1);
      const version = await versionOf(known.person);
      const { method, path, json } = requestFor(operationId, known);
      const headers = { 'If-Match': `"other", ${version}` };
      const response = await asAdmin(path, { method, json, headers });
      expect([200, 201]).toContain(response.status);
      const next = response.headers.get('ETag');
      expect(next).toMatch(/^"[^"]+"$/);
      expect(await versionOf(known.person)).toBe(next);
      const again = await asAdmin(path, { method, json, headers: { 'If-Match': '*' } });
      // A deleted part is not there a second time.
      expect(again.status).toBe(method === 'DELETE' ? 404 : response.status === 201 ? 201 : 200);
    },
  );

  test('createStaffMember 412: creates no person when a version is required', async () => {
    const json = { StaffId: `new-${randomUUID()}` };
    for (const version of ['"1"', '*']) {
      const response = await asAdmin('/v2/staffmember', { method: 'POST', json, headers: { 'If-Match': version } });
      expect(response.status, version).toBe(412);
    }
    expect((await list(server, 'admin', { $filter: `StaffId eq '${json.StaffId}'` })).body).toEqual([]);
  });

  test.each(['7', '"open', 'W/', '"a" "b"', ',', '*, "a"'])(
    'updateStaffMember 400: rejects a malformed If-Match: %s',
    async (ifMatch) => {
      const person = await createPerson(server);
      const options = { method: 'PUT', json: { City: 'Oslo' }, headers: { 'If-Match': ifMatch } };
      const { status, body } = await asAdmin(pathOf(person), options);
      expect([status, body.kind]).toEqual([400, 'ValidationError']);
      expect((await asAdmin(pathOf(person))).body).toEqual(person);
    },
  );

  test('getStaffMember 304: has no body when the client has the current version', async () => {
    const person = await createPerson(server);
    const version = await versionOf(person);
    for (const known of [version, `W/${version}`, `"other", ${version}`, '*']) {
      const response = await asAdmin(pathOf(person), { headers: { 'If-None-Match': known } });
      expect([response.status, response.text, response.headers.get('ETag')], known).toEqual([304, '', version]);
    }
  });

  test('getStaffMember If-None-Match: another version returns the person', async () => {
    const person = await createPerson(server);
    const version = await versionOf(person);
    const changed = await asAdmin(pathOf(person), { method: 'PUT', json: { City: 'Oslo' } });
    const response = await asAdmin(pathOf(person), { headers: { 'If-None-Match': version } });
    expect([response.status, response.body.City]).toEqual([200, 'Oslo']);
    expect(response.headers.get('ETag')).toBe(changed.headers.get('ETag'));
    expect(response.headers.get('ETag')).not.toBe(version);
    const unknown = await asAdmin(pathOf({ StaffKey: 'no-such-person' }), { headers: { 'If-None-Match': '*' } });
    expect(unknown.status).toBe(404);
  });

  test('getStaffMember If-None-Match: a read with collections is never 304, because they change independently', async () => {
    const { person } = await findKnownPerson(server, 'admin', 191);
    const known = { 'If-None-Match': await versionOf(person) };
    for (const query of ['?$expand=Tags', '?includes=AvailableProfiles', '?includes=Skillset,BadgeIds']) {
      const { status, body } = await asAdmin(pathOf(person, query), { headers: known });
      expect([status, body.StaffKey], query).toEqual([200, person.StaffKey]);
    }
    expect((await asAdmin(pathOf(person, '?includes=BadgeIds'), { headers: known })).status).toBe(304);
  });

  test('rule versions: every read of a person has its version', async () => {
    const { keys, person } = await findKnownPerson(server, 'admin', 190);
    const version = await versionOf(person);
    const reads = createRequests(keys).filter(({ isWrite, path }) => !isWrite && path.startsWith(pathOf(person)));
    expect(reads.length).toBeGreaterThan(4);
    for (const { path } of reads) expect((await asAdmin(path)).headers.get('ETag'), path).toBe(version);
  });

  test('rule name of a manager: a change of it creates a new version of the reports', async () => {
    const chief = await createPerson(server, { FirstName: 'Ada' });
    const report = await createPerson(server, { ManagerId: chief.StaffId });
    const version = await versionOf(report);
    await asAdmin(pathOf(chief), { method: 'PUT', json: { FirstName: 'Grace' } });
    expect(await versionOf(report)).not.toBe(version);
    expect((await asAdmin(pathOf(report))).body.Manager).toContain('Grace');
  });

  test('rule one of two writers: of concurrent changes to one version, one succeeds', async () => {
    const person = await createPerson(server);
    const headers = { 'If-Match': await versionOf(person) };
    const change = (City: string) => asAdmin(pathOf(person), { method: 'PUT', json: { City }, headers });
    const responses = await Promise.all(['Oslo', 'Bergen', 'Tromsø', 'Bodø'].map(change));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    const accepted = responses.find(({ status }) => status === 200);
    expect((await asAdmin(pathOf(person))).body.City).toBe(accepted?.body.City);
  });
});
