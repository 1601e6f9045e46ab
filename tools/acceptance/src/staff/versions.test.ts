import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CallOptions } from '../call.ts';
import { staffServers } from '../server-names.ts';
import { callAs, createPerson, list, pathOf } from './callers.ts';
import { findKnownPerson, type KnownPerson, readAll } from './known-keys.ts';
import { differs } from './proxy-differences.ts';
import { createRequests, requestsThatAnswer, requestsThatTake, type StaffRequest } from './requests.ts';

describe.each(staffServers)('%s', (server) => {
  // Plain bytes: the tag of a compressed answer is a weak one.
  const asAdmin = (path: string, options: CallOptions = {}) =>
    callAs(server, 'admin', path, { ...options, headers: { 'Accept-Encoding': 'identity', ...options.headers } });
  const versionOf = async (person: { readonly StaffKey: string }): Promise<string> =>
    (await asAdmin(pathOf(person))).headers.get('ETag') ?? '';

  // People of the demo data whom no other file changes, another one for each request.
  const numbers = new Map(requestsThatAnswer(412).map(({ operationId }, i) => [operationId, 200 + 10 * i]));
  const find = (operationId: string, more: number) =>
    findKnownPerson(server, 'admin', (numbers.get(operationId) ?? 0) + more + (server === 'scheduling' ? 0 : 5));

  /** The request of an operation that would change this person. */
  const requestFor = (operationId: string, { keys, person }: KnownPerson): StaffRequest => {
    const found = createRequests(keys).find((each) => each.operationId === operationId) as StaffRequest;
    const update = { StaffId: person.StaffId, UpdateIfExisting: true, City: 'Elsewhere' };
    return operationId === 'createStaffMember' ? { ...found, json: update } : found;
  };

  test.each(requestsThatAnswer(412))(
    '$operationId 412: refuses versions that are not the current one, and changes nothing',
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
    '$operationId If-Match: the current version lets it through, and the answer tells the next one',
    async ({ operationId }) => {
      const known = await find(operationId, 1);
      const version = await versionOf(known.person);
      const { method, path, json } = requestFor(operationId, known);
      const headers = { 'If-Match': `"other", ${version}` };
      const answer = await asAdmin(path, { method, json, headers });
      expect([200, 201]).toContain(answer.status);
      const next = answer.headers.get('ETag');
      expect(next).toMatch(/^"[^"]+"$/);
      expect(await versionOf(known.person)).toBe(next);
      const again = await asAdmin(path, { method, json, headers: { 'If-Match': '*' } });
      // What was deleted is not there a second time.
      expect(again.status).toBe(method === 'DELETE' ? 404 : answer.status === 201 ? 201 : 200);
    },
  );

  test('createStaffMember 412: nobody is made where a version is asked for', async () => {
    const json = { StaffId: `new-${randomUUID()}` };
    for (const version of ['"1"', '*']) {
      const answer = await asAdmin('/v2/staffmember', { method: 'POST', json, headers: { 'If-Match': version } });
      expect(answer.status, version).toBe(412);
    }
    expect((await list(server, 'admin', { $filter: `StaffId eq '${json.StaffId}'` })).body).toEqual([]);
  });

  test.each(['7', '"open', 'W/', '"a" "b"', ',', '*, "a"'])(
    'updateStaffMember 400: refuses an If-Match that is none: %s',
    async (ifMatch) => {
      const person = await createPerson(server);
      const options = { method: 'PUT', json: { City: 'Oslo' }, headers: { 'If-Match': ifMatch } };
      const { status, body } = await asAdmin(pathOf(person), options);
      expect([status, body.kind]).toEqual([400, 'ValidationError']);
      expect((await asAdmin(pathOf(person))).body).toEqual(person);
    },
  );

  test('getStaffMember 304: the version that the caller has, without a body', async () => {
    const person = await createPerson(server);
    const version = await versionOf(person);
    for (const known of [version, `W/${version}`, `"other", ${version}`, '*']) {
      const answer = await asAdmin(pathOf(person), { headers: { 'If-None-Match': known } });
      expect([answer.status, answer.text, answer.headers.get('ETag')], known).toEqual([304, '', version]);
    }
  });

  test('getStaffMember If-None-Match: another version is answered with the person', async () => {
    const person = await createPerson(server);
    const version = await versionOf(person);
    const changed = await asAdmin(pathOf(person), { method: 'PUT', json: { City: 'Oslo' } });
    const answer = await asAdmin(pathOf(person), { headers: { 'If-None-Match': version } });
    expect([answer.status, answer.body.City]).toEqual([200, 'Oslo']);
    expect(answer.headers.get('ETag')).toBe(changed.headers.get('ETag'));
    expect(answer.headers.get('ETag')).not.toBe(version);
    const nobody = await asAdmin(pathOf({ StaffKey: 'no-such-person' }), { headers: { 'If-None-Match': '*' } });
    expect(nobody.status).toBe(404);
  });

  test('getStaffMember If-None-Match: with collections there is no 304, for they change by themselves', async () => {
    const { person } = await findKnownPerson(server, 'admin', 191);
    const known = { 'If-None-Match': await versionOf(person) };
    for (const query of ['?$expand=Tags', '?includes=AvailableProfiles', '?includes=Skillset,BadgeIds']) {
      const { status, body } = await asAdmin(pathOf(person, query), { headers: known });
      expect([status, body.StaffKey], query).toEqual([200, person.StaffKey]);
    }
    expect((await asAdmin(pathOf(person, '?includes=BadgeIds'), { headers: known })).status).toBe(304);
  });

  test('rule versions: what is read of a person carries the version of the person', async () => {
    const { keys, person } = await findKnownPerson(server, 'admin', 190);
    const version = await versionOf(person);
    const reads = createRequests(keys).filter(({ isWrite, path }) => !isWrite && path.startsWith(pathOf(person)));
    expect(reads.length).toBeGreaterThan(4);
    for (const { path } of reads) expect((await asAdmin(path)).headers.get('ETag'), path).toBe(version);
  });

  test('rule name of a manager: a change of it is a new version of the reports', async () => {
    const chief = await createPerson(server, { FirstName: 'Ada' });
    const report = await createPerson(server, { ManagerId: chief.StaffId });
    const version = await versionOf(report);
    await asAdmin(pathOf(chief), { method: 'PUT', json: { FirstName: 'Grace' } });
    expect(await versionOf(report)).not.toBe(version);
    expect((await asAdmin(pathOf(report))).body.Manager).toContain('Grace');
  });

  test('rule one of two writers: of changes that were made to the same version all but one are refused', async () => {
    const person = await createPerson(server);
    const headers = { 'If-Match': await versionOf(person) };
    const change = (City: string) => asAdmin(pathOf(person), { method: 'PUT', json: { City }, headers });
    const answers = await Promise.all(['Oslo', 'Bergen', 'Tromsø', 'Bodø'].map(change));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    const kept = answers.find(({ status }) => status === 200);
    expect((await asAdmin(pathOf(person))).body.City).toBe(kept?.body.City);
  });
});
