import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectProblem, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const operations: [method: string, path: string, json?: unknown][] = [
  ['GET', '/v2/staffmember/x'],
  ['GET', '/v2/staffmember/x/location'],
  ['GET', '/v2/staffmember/x/profile'],
  ['GET', '/v2/staffmember/x/payModifier'],
  ['GET', '/v2/staffmember/x/badgeId'],
  ['GET', '/v2/staffmember/x/requestlimit'],
  ['PUT', '/v2/staffmember/x', { City: 'Bern' }],
  ['POST', '/v2/staffmember/x/tag', { TagKey: 1 }],
  ['PUT', '/v2/staffmember/x/location/y/tag', { TagKey: 1 }],
  ['PUT', '/v2/staffmember/x/skillset/y', { IsSkilledMon: true }],
  ['DELETE', '/v2/staffmember/x/skillset/y'],
  ['PUT', '/v2/staffmember/x/profile/y', {}],
  ['POST', '/v2/staffmember/x/payModifier', { PositionId: 'P' }],
  ['PUT', '/v2/staffmember/x/payModifier/y', { PositionId: 'P' }],
  ['DELETE', '/v2/staffmember/x/payModifier/y'],
  ['POST', '/v2/staffmember/x/manager', { ManagerId: 'x' }],
];

describe('every operation', () => {
  it.each(operations)('%s %s: 401 without a token, 404 for an unknown person', async (method, path, json) => {
    expectProblem(await app.call(path, { method, json }), 401, 'token_missing');
    expectProblem(await app.asAdmin(path, { method, json }), 404, 'not_found');
  });

  it.each(operations)('%s %s: 400 for an undeclared parameter', async (method, path, json) => {
    expect((await app.asAdmin(`${path}?nothing=1`, { method, json })).status).toBe(400);
  });

  it.each<(typeof operations)[number]>([
    ['POST', '/v2/staffmember', { StaffId: 'N-0' }],
    ...operations.filter(([method]) => method !== 'GET'),
  ])('%s %s: 403 for a read-only account', async (method, path, json) => {
    expectProblem(await app.call(path, { as: 'reader', method, json }), 403, 'scope_missing');
  });
});

describe('the system', () => {
  it.each(['/health', '/health/live', '/health/ready', '/metrics', '/openapi.json', '/docs', '/redoc'])(
    'serves %s without a token',
    async (path) => {
      expect((await app.call(path)).status).toBe(200);
    },
  );

  it('404: names the unknown path, with and without a token', async () => {
    expectProblem(await app.call('/v2/nothing'), 404, 'route_not_found');
    expectProblem(await app.asAdmin('/nothing'), 404, 'route_not_found');
  });

  it('503: readiness fails during shutdown, and without the database', async () => {
    const own = await startApp();
    own.beginDrain();
    expect((await own.call('/health/ready')).body.dependencies).toMatchObject({
      database: { status: 'ready' },
      shutdown: {},
    });
    await own.store.close();
    const { status, body } = await own.call('/health/ready');
    expect([status, body.dependencies.database.status]).toEqual([503, 'unavailable']);
    expect((await own.call('/health/live')).status).toBe(200);
    await own.stop();
  });
});
