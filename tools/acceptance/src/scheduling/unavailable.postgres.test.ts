import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../workspace/start-postgres.ts';
import { createPostgresDatabase } from '../database.ts';
import { leastMs } from '../least-ms.ts';
import { pollUntil } from '../poll-until.ts';
import { type SchedulingProcess, startScheduling } from '../scheduling-process.ts';
import { companyKey, logins, pathOf } from '../staff/callers.ts';
import { requestsThatAnswer } from '../staff/requests.ts';

let postgres: PostgresServer;
let server: SchedulingProcess;
beforeAll(async () => {
  postgres = await startPostgres();
  server = await startScheduling({ database: await createPostgresDatabase(postgres.url) });
  // Logs in while the database is available.
  await server.callAs('admin', '/v2/staffmember/no-such-person');
  await postgres.stop();
});
afterAll(async () => {
  await server?.stop();
  await postgres?.close();
});

function expectNoInternals(text: string): void {
  expect(text).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|postgres|terminat|\.ts\b|node_modules/i);
}

test.each(requestsThatAnswer(503))(
  '$operationId 503: responds at once with Retry-After while the database is unavailable',
  async ({ operationId, method, path, json }) => {
    const asked = operationId === 'listStaffMembers' ? `${path}?companyKey=${companyKey}` : path;
    const ask = async () => {
      const startedMs = performance.now();
      const { status, headers, body, text } = await server.callAs('admin', asked, { method, json });
      const tookMs = performance.now() - startedMs;
      expect([status, body.code, body.kind]).toEqual([503, 'unavailable', 'UnavailableError']);
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
      expectNoInternals(text);
      return tookMs;
    };
    const msMax = 5_000;
    expect(await leastMs(ask, { msMax })).toBeLessThan(msMax);
  },
);

test('countStaffMembers 503: while the database is unavailable', async () => {
  const { status, body, text } = await server.callAs('admin', `/v2/staffmember/$count?companyKey=${companyKey}`);
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expectNoInternals(text);
});

test('exportCatalogue 503: while the database is unavailable', async () => {
  const { status, body, text } = await server.callAs('admin', '/v2/admin/badges');
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expectNoInternals(text);
});

test('mergeCatalogue 503: while the database is unavailable', async () => {
  const { status, body, text } = await server.callAs('admin', '/v2/admin/badges', { method: 'PATCH', json: [] });
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expectNoInternals(text);
});

test('replaceCatalogue 503: while the database is unavailable', async () => {
  const { status, body, text } = await server.callAs('admin', '/v2/admin/badges', { method: 'PUT', json: [] });
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expectNoInternals(text);
});

async function expectODataError(path: string): Promise<void> {
  const { status, headers, body, text } = await server.callAs('admin', path);
  expect([status, body.error.code]).toEqual([503, 'unavailable']);
  expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  expectNoInternals(text);
}

test('listODataStaffMembers 503: while the database is unavailable', () => expectODataError('/v2/StaffMembers'));

test('countODataStaffMembers 503: while the database is unavailable', () =>
  expectODataError('/v2/StaffMembers/$count'));

test('getODataStaffMember 503: while the database is unavailable', () => expectODataError("/v2/StaffMembers('k')"));

test('runODataBatch 503: while the database is unavailable', async () => {
  const json = { requests: [{ id: '1', method: 'get', url: 'StaffMembers' }] };
  // An unknown token is looked up, a known one is cached.
  const headers = { Authorization: 'Bearer unknown' };
  const { status, headers: sent, body, text } = await server.call('/v2/$batch', { method: 'POST', json, headers });
  expect([status, body.error.code]).toEqual([503, 'unavailable']);
  expect(Number(sent.get('Retry-After'))).toBeGreaterThan(0);
  expectNoInternals(text);
});

test('login 503: while the database is unavailable', async () => {
  const { status, body, text } = await server.call('/v2/login', { method: 'POST', json: logins.reader });
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expectNoInternals(text);
});

test('it is alive and not ready, and names the unavailable dependency', async () => {
  expect((await server.call('/health/live')).status).toBe(200);
  const { status, body } = await server.call('/health/ready');
  expect([status, body.status, body.dependencies.database.status]).toEqual([503, 'unavailable', 'unavailable']);
});

test('it recovers once the database is available', async () => {
  await postgres.start();
  const isReady = async () => (await server.call('/health/ready')).status === 200;
  await pollUntil(isReady, { withinMs: 30_000, describe: () => `not ready again:\n${server.output()}` });
  const json = { StaffId: 'after-the-outage' };
  const made = await server.callAs('admin', '/v2/staffmember', { method: 'POST', json });
  expect(made.status).toBe(201);
  expect((await server.callAs('reader', pathOf(made.body))).body).toEqual(made.body);
});
