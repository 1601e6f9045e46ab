import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { createFile } from '../database.ts';
import { type SchedulingProcess, startScheduling } from '../scheduling-process.ts';
import { companyKey, logins } from '../staff/callers.ts';
import { requestsThatAnswer } from '../staff/requests.ts';

let server: SchedulingProcess;
beforeAll(async () => {
  const database = await createFile();
  server = await startScheduling({ database });
  // Logs in first, because the fault is in the data.
  await server.callAs('admin', '/v2/staffmember/no-such-person');
  // The server may be writing.
  const file = new DatabaseSync(database.env.ROSTERGATE_SCHEDULING_DATABASE_FILE ?? '', { timeout: 10_000 });
  file.exec('ALTER TABLE staff RENAME TO hidden_staff; ALTER TABLE accounts RENAME TO hidden_accounts');
  file.close();
  return async () => {
    await server.stop();
    await database.drop();
  };
});

/** Throws if a response contains internals. */
function expectNoInternals(text: string): void {
  expect(text).not.toMatch(/no such table|hidden_|SELECT|sqlite|\.ts\b|node_modules/i);
}

test.each(requestsThatAnswer(500))(
  '$operationId 500: an internal error has a request id and discloses no internals',
  async ({ operationId, method, path, json }) => {
    const asked = operationId === 'listStaffMembers' ? `${path}?companyKey=${companyKey}` : path;
    const { status, body, text } = await server.callAs('admin', asked, { method, json });
    expect([status, body.code, body.kind]).toEqual([500, 'internal_error', 'InternalError']);
    expectNoInternals(text);
    const line = await server.logged(({ request_id }) => request_id === body.request_id);
    expect([line.level, line.status]).toEqual(['error', 500]);
  },
);

test('countStaffMembers 500: an internal error discloses no internals', async () => {
  const { status, body, text } = await server.callAs('admin', `/v2/staffmember/$count?companyKey=${companyKey}`);
  expect([status, body.code]).toEqual([500, 'internal_error']);
  expectNoInternals(text);
});

test('exportCatalogue 500: an internal error discloses no internals', async () => {
  const { status, body, text } = await server.callAs('admin', '/v2/admin/badges');
  expect([status, body.code]).toEqual([500, 'internal_error']);
  expectNoInternals(text);
});

test('mergeCatalogue 500: an internal error discloses no internals', async () => {
  const { status, body, text } = await server.callAs('admin', '/v2/admin/badges', { method: 'PATCH', json: [] });
  expect([status, body.code]).toEqual([500, 'internal_error']);
  expectNoInternals(text);
});

test('replaceCatalogue 500: an internal error discloses no internals', async () => {
  const { status, body, text } = await server.callAs('admin', '/v2/admin/badges', { method: 'PUT', json: [] });
  expect([status, body.code]).toEqual([500, 'internal_error']);
  expectNoInternals(text);
});

test('login 500: an internal error discloses no internals', async () => {
  const { status, body, text } = await server.call('/v2/login', { method: 'POST', json: logins.reader });
  expect([status, body.code]).toEqual([500, 'internal_error']);
  expectNoInternals(text);
});

async function expectODataError(path: string): Promise<void> {
  const { status, body, text } = await server.callAs('admin', path);
  expect([status, body.error.code]).toEqual([500, 'internal_error']);
  expectNoInternals(text);
}

test('listODataStaffMembers 500: an internal error discloses no internals', () => expectODataError('/v2/StaffMembers'));

test('countODataStaffMembers 500: an internal error discloses no internals', () =>
  expectODataError('/v2/StaffMembers/$count'));

test('getODataStaffMember 500: an internal error discloses no internals', () =>
  expectODataError("/v2/StaffMembers('k')"));

test('runODataBatch 500: an internal error discloses no internals', async () => {
  const json = { requests: [{ id: '1', method: 'get', url: 'StaffMembers' }] };
  // An unknown token is looked up, a known one is cached.
  const headers = { Authorization: 'Bearer unknown' };
  const { status, body, text } = await server.call('/v2/$batch', { method: 'POST', json, headers });
  expect([status, body.error.code]).toEqual([500, 'internal_error']);
  expectNoInternals(text);
});
